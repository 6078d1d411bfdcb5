#include "delta_table.h"

#include <assay/models/json_values.h>

#include <QHeaderView>
#include <QItemSelectionModel>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

namespace assay::pages {
namespace {

constexpr int kMostRows = 8;

}  // namespace

DeltaTable::DeltaTable(presenters::ComparePresenter& presenter, QWidget* parent)
    : QWidget(parent), presenter_(presenter), card_(new widgets::Card({}, this)), table_(new widgets::TableView(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(card_);
    card_->setBodyMargins(0);
    table_->setObjectName(QStringLiteral("compare-table"));
    table_->setAccessibleName(tr("Set-ups against the baseline"));
    table_->setEmptyText(tr("No set-up lies inside every brush."));
    table_->setRoles(models::JsonTableModel::kToneRole, models::JsonTableModel::kColorIndexRole, -1);
    card_->body()->addWidget(table_);
    makeModel();
    connect(table_, &widgets::TableView::opened, this, [this](const QModelIndex& index) {
        if (const QString id = idAt(index); !id.isEmpty()) Q_EMIT opened(id);
    });
    connect(table_, &widgets::TableView::contextMenuRequested, this, [this](const QModelIndex& index, const QPoint& global) {
        if (const QString id = idAt(index); !id.isEmpty()) Q_EMIT menuWanted(id, global);
    });
    connect(table_, &widgets::TableView::sortRequested, this, [this](int column, Qt::SortOrder order) {
        sortColumn_ = column;
        descending_ = order == Qt::DescendingOrder;
        fill();
    });
}

QString DeltaTable::idAt(const QModelIndex& index) const { return index.isValid() && index.row() < model_->rowCount() ? models::textAt(model_->row(index.row()), "id") : QString(); }

void DeltaTable::makeModel() {
    using Column = models::JsonTableModel::Column;
    const auto cell = [](const char* key) { return [key](const Json& row) { return models::textAt(row, key); }; };
    const auto number = [](const char* key) { return [name = std::string(key) + "_number"](const Json& row) { return numberFromJson(row.value(name, Json())); }; };
    const auto column = [&](const char* key, const QString& title, const QString& tip) {
        return Column{.key = QString::fromLatin1(key), .title = title, .tip = tip, .text = cell(key), .number = number(key)};
    };
    const report::Metric& y = presenter_.yMetric();
    const report::Metric* perToken = report::findMetric("cost.usd_per_1m_output_tokens");
    const bool money = report::measuredAnywhere(presenter_.comparison(), *perToken);
    const report::Metric* x = money ? perToken : report::findMetric(presenter_.comparison().x);
    const bool ratio = std::string_view(y.name) == "accuracy.perplexity_ratio";
    columnsFor_ = columnsWanted();
    QList<Column> columns{
        Column{.key = QStringLiteral("name"), .title = tr("Set-up"), .tip = {}, .text = cell("name"), .number = {}, .color = [](const Json& row) { return static_cast<int>(jsonIntegerOr(row, "color", 0)); },
                .toolTip = cell("full_name")},
         column("change", tr("Cost vs baseline"), tr("Cost against the baseline")),
         column("cost", x ? presenters::metricTitle(*x) : QString(), x ? presenters::metricMeaning(*x) : QString()),
         column("accuracy", ratio ? tr("PPL ratio ± se") : presenters::metricTitle(y), presenters::metricMeaning(y)),
         column("delta", tr("Δ to baseline"), tr("Not separable: the 95 % interval of the difference spans zero.")),
    };
    const bool trainings = presenter_.comparesTrainings();
    const auto beside = [&](const char* key, const char* name, const QString& title) {   // what stands for cost has its column already
        const report::Metric* metric = report::findMetric(name);
        if (metric != x) columns << column(key, title, presenters::metricMeaning(*metric));
    };
    if (trainings) {
        beside("step", "speed.train_step_ms", tr("Step, ms"));
        beside("memory", "bytes.train_peak", tr("Memory, MB"));
    } else {
        columns << column("decode", tr("Decode, tokens/s"), presenters::metricMeaning(*report::findMetric("speed.decode_tokens_per_s")))
                << column("top1", tr("Top-1 changed"), tr("Share of tokens for which the most probable next token is another than the full-precision model's."))
                << column("mb", tr("MB"), presenters::metricMeaning(*report::findMetric("bytes.weights")));
    }
    columns << Column{.key = QStringLiteral("badge"), .title = {}, .tip = {}, .text = cell("badge"), .number = {}, .tone = [](const Json& row) { return static_cast<int>(jsonIntegerOr(row, "tone", -1)); }};
    auto* fresh = new models::JsonTableModel(columns, this);
    table_->setModel(fresh);
    if (model_) model_->deleteLater();
    model_ = fresh;
    table_->setExpendableColumns(trainings ? std::vector<int>{1} : std::vector<int>{6, 1});   // the name, its cost and what it loses come first
    if (!layout_.is_null()) table_->setLayoutState(layout_);
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& now) {
        if (selecting_) return;
        selected_ = idAt(now);
        if (!selected_.isEmpty()) Q_EMIT selected(selected_);
    });
}

Json DeltaTable::layout() const { return table_->layout(); }
void DeltaTable::setLayoutState(const Json& layout) {
    layout_ = layout;
    table_->setLayoutState(layout);
}

void DeltaTable::refresh() {
    if (columnsWanted() != columnsFor_) makeModel();
    fill();
}

QString DeltaTable::columnsWanted() const {
    const report::Metric* perToken = report::findMetric("cost.usd_per_1m_output_tokens");
    const report::Metric* x = report::findMetric(presenter_.comparison().x);
    return QString::fromLatin1(presenter_.yMetric().name) + (report::measuredAnywhere(presenter_.comparison(), *perToken) ? QStringLiteral("$") : QString::fromLatin1(x ? x->name : "")) +
           (presenter_.comparesTrainings() ? QStringLiteral("+") : QString());
}

void DeltaTable::setKept(std::optional<QStringList> ids) {
    kept_ = std::move(ids);
    fill();
}

void DeltaTable::fill() {
    QList<Json> rows;
    for (const Json& row : presenter_.rows())
        if (!kept_ || kept_->contains(models::textAt(row, "id"))) rows.append(row);
    if (sortColumn_ >= 0 && sortColumn_ < model_->columns().size()) {
        const auto& column = model_->columns()[sortColumn_];
        // What was not measured stands last, whichever way it is sorted.
        std::stable_sort(rows.begin(), rows.end(), [&](const Json& a, const Json& b) {
            if (column.number) {
                const double left = column.number(a), right = column.number(b);
                if (std::isnan(left) || std::isnan(right)) return !std::isnan(left) && std::isnan(right);
                return descending_ ? left > right : left < right;
            }
            const int order = QString::localeAwareCompare(column.text(a), column.text(b));
            return descending_ ? order > 0 : order < 0;
        });
    }
    selecting_ = true;
    model_->setRows(rows);
    selecting_ = false;
    table_->fitHeight(kMostRows);
    table_->setRoles(models::JsonTableModel::kToneRole, models::JsonTableModel::kColorIndexRole, -1);   // fits the columns to the new texts
    select(selected_);
}

void DeltaTable::select(const QString& id) {
    selected_ = id;
    selecting_ = true;
    QModelIndex found;
    for (int row = 0; row < model_->rowCount() && !id.isEmpty(); ++row)
        if (models::textAt(model_->row(row), "id") == id) found = model_->index(row, 0);
    if (found.isValid()) {
        if (table_->currentIndex().row() != found.row()) table_->setCurrentIndex(found);
    } else {
        table_->selectionModel()->clear();
    }
    selecting_ = false;
}

}  // namespace assay::pages
