#include "config_view.h"

#include <QVBoxLayout>

namespace assay::pages {
namespace {

constexpr size_t kMostColumns = 40;

}  // namespace

ConfigView::ConfigView(presenters::ComparePresenter& presenter, QWidget* parent)
    : QWidget(parent), presenter_(presenter), card_(new widgets::Card(tr("Settings that differ"), this)), table_(new widgets::TableView(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(card_);
    card_->setBodyMargins(0);
    table_->setObjectName(QStringLiteral("compare-config"));
    table_->setAccessibleName(tr("Settings that differ"));
    table_->setEmptyText(tr("The set-ups differ in no setting."));
    table_->setRoles(models::JsonTableModel::kToneRole, models::JsonTableModel::kColorIndexRole, -1);
    card_->body()->addWidget(table_, 1);
    refresh();
}

void ConfigView::refresh() {
    using Column = models::JsonTableModel::Column;
    const report::Comparison& comparison = presenter_.comparison();
    QStringList names{QString::fromStdString(comparison.baseline)};
    for (const report::Setup& setup : comparison.setups) names << QString::fromStdString(setup.id);
    if (!model_ || names != columnsFor_) {
        columnsFor_ = names;
        QList<Column> columns{Column{.key = QStringLiteral("key"), .title = tr("Setting"), .tip = {}, .text = [](const Json& row) { return QString::fromStdString(jsonStringOr(row, "key", "")); }, .number = {}}};
        for (size_t i = 0; i < comparison.setups.size() && i < kMostColumns; ++i) {
            const report::Setup& setup = comparison.setups[i];
            const QString name = presenter_.setupTitle(setup);
            const auto text = [i](const Json& row) {
                auto values = row.find("values");
                return values != row.end() && values->is_array() && i < values->size() && (*values)[i].is_string() ? QString::fromStdString((*values)[i].get<std::string>()) : QString();
            };
            columns.append(Column{.key = QString::fromStdString(setup.id), .title = setup.id == comparison.baseline ? tr("baseline: %1").arg(name) : name, .tip = QString::fromStdString(report::clean(setup.name)), .text = text, .number = {}, .toolTip = text});
        }
        auto* fresh = new models::JsonTableModel(std::move(columns), this);
        table_->setModel(fresh);
        if (model_) model_->deleteLater();
        model_ = fresh;
    }
    const QList<Json> rows = presenter_.configRows();
    model_->setRows(rows);
    card_->setNote(tr("%n setting(s)", nullptr, static_cast<int>(rows.size())));
}

}  // namespace assay::pages
