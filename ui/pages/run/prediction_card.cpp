#include "prediction_card.h"

#include <assay/models/json_table_model.h>
#include <assay/models/json_values.h>
#include <assay/widgets/bar_rows.h>
#include <assay/widgets/table_view.h>

#include <QHeaderView>
#include <QVBoxLayout>
#include <cmath>

#include "wrapped_label.h"

namespace assay::pages {

using models::JsonTableModel;

PredictionCard::PredictionCard(presenters::RunPresenter& presenter, QWidget* parent) : QWidget(parent), presenter_(presenter) {
    setObjectName(QStringLiteral("run-predictions-card"));
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    card_ = new widgets::Card(tr("Predicted and measured"), this);
    card_->setBodyMargins(0);
    outer->addWidget(card_);

    auto* picture = new QWidget(card_);
    auto* column = new QVBoxLayout(picture);
    column->setContentsMargins(style::size::kCardPadding, 10, style::size::kCardPadding, 6);
    column->setSpacing(4);
    bars_ = new widgets::BarRows(picture);
    bars_->setObjectName(QStringLiteral("run-predictions-bars"));
    bars_->setAccessibleName(tr("Predicted and measured as bars"));
    column->addWidget(bars_);
    auto* legend = new widgets::PlainLabel(tr("upper: predicted, lower: measured, shaded: allowed"), picture, style::Type::kSmall);
    legend->setObjectName(QStringLiteral("run-predictions-legend"));
    legend->setDim(3);
    legend->setToolTip(tr("Upper bar: predicted. Lower bar: measured. Shaded: what the prediction allowed."));
    column->addWidget(legend);
    card_->body()->addWidget(picture);

    const auto text = [](const char* key) { return [key](const Json& r) { return models::plainAt(r, key); }; };
    const auto number = [](const Json&) { return 0.0; };   // right-aligned; the rows keep their order
    model_ = new JsonTableModel({{QStringLiteral("label"), QString(), {}, text("label"), {}},
                                 {QStringLiteral("predicted"), tr("predicted"), {}, text("predicted"), number},
                                 {QStringLiteral("measured"), tr("measured"), {}, text("measured"), number},
                                 {QStringLiteral("change"), QString(), {}, text("change"), number,
                                  [](const Json& r) { return models::plainAt(r, "change").isEmpty() ? -1 : jsonBoolOr(r, "beyond", false) ? static_cast<int>(style::Tone::kWarn) : static_cast<int>(style::Tone::kGood); },
                                  {}, text("tip")}},
                                this);
    table_ = new widgets::TableView(card_);
    table_->setObjectName(QStringLiteral("run-predictions"));
    table_->setAccessibleName(tr("Predicted and measured"));
    table_->setModel(model_);
    table_->setFrameShape(QFrame::NoFrame);
    table_->setRootIsDecorated(false);
    table_->setRoles(JsonTableModel::kToneRole, JsonTableModel::kColorIndexRole, -1);
    card_->body()->addWidget(table_);
    // A small table shows all its columns: the first takes what the others leave.
    table_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* header = table_->header();
    header->setMinimumSectionSize(40);
    header->setStretchLastSection(false);
    for (int i = 0; i < header->count(); ++i) {
        header->setSectionResizeMode(i, i == 0 ? QHeaderView::Stretch : QHeaderView::Fixed);
        if (i > 0) header->resizeSection(i, 80);
    }
    // Figures and badges that come while it runs have their room from the start.
    table_->setFirmColumns([](int column_) { return column_ == 0 ? -1 : column_ == 3 ? 86 : 74; });

    reasons_ = makeWrappedLabel(style::Type::kSecondary, 2, "run-predictions-why", card_);
    reasons_->setContentsMargins(style::size::kCardPadding, 8, style::size::kCardPadding, 10);
    card_->body()->addWidget(reasons_);
}

void PredictionCard::refresh() {
    QList<Json> rows;
    std::vector<widgets::BarRows::Row> bars;
    QStringList reasons;
    for (const auto& row : presenter_.predictions()) {
        const QString tip = std::isnan(row.bound) ? QString() : row.bound > 0 ? tr("The prediction stated %1.").arg(row.stated) : tr("The prediction is exact by arithmetic.");
        rows.append(Json{{"id", row.key.toStdString()}, {"label", row.label.toStdString()}, {"predicted", row.predicted.toStdString()}, {"measured", row.measured.toStdString()},
                         {"change", row.change.toStdString()}, {"beyond", row.beyond}, {"tip", tip.toStdString()}});
        if (std::isfinite(row.predictedValue) && std::isfinite(row.measuredValue))
            bars.push_back({.label = row.label, .text = {}, .value = row.measuredValue, .expected = row.predictedValue, .band = std::isfinite(row.bound) ? row.bound : 0,
                            .tone = row.beyond ? style::Tone::kWarn : style::Tone::kAccent});
        if (!row.why.isEmpty()) reasons << tr("%1: %2").arg(row.label + QLatin1Char(' ') + row.change, row.why);
    }
    setVisible(!rows.isEmpty());
    card_->setNote(presenter_.predictionNote());
    bars_->parentWidget()->setVisible(!bars.empty());
    bars_->setRows(std::move(bars), false);
    model_->setRows(rows);
    table_->fitHeight(8);
    reasons_->setVisible(!reasons.isEmpty());
    reasons_->setText(reasons.join(u'\n'));
    holdHeight(reasons_, width() - 2);
}

}  // namespace assay::pages
