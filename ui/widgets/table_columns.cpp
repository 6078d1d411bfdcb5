#include "table_columns.h"

#include <assay/widgets/table_view.h>

#include <QApplication>
#include <QHeaderView>
#include <QMenu>
#include <algorithm>

namespace assay::widgets {
namespace {

constexpr int kWidest = 360, kNarrowest = 56;
constexpr int kReads = 140, kLeast = 84;   // texts give way to the first, then to the second, before a scroll bar appears

bool isNumber(const TableView& view, int column) {
    const QVariant alignment = view.model()->headerData(column, Qt::Horizontal, Qt::TextAlignmentRole);
    return alignment.canConvert<Qt::Alignment>() && alignment.value<Qt::Alignment>().testFlag(Qt::AlignRight);
}

}  // namespace

void TableColumns::reset() {
    set_ = false;
    left_.clear();
    most_.clear();
    if (!watching_) {
        watching_ = true;
        // A width changed while a mouse button is down was dragged by a person.
        QObject::connect(view_->header(), &QHeaderView::sectionResized, view_, [this] {
            if (!restoring_ && QApplication::mouseButtons() != Qt::NoButton) set_ = true;
        });
        QObject::connect(view_->header(), &QHeaderView::sectionHandleDoubleClicked, view_, [this](int column) {
            set_ = true;
            view_->resizeColumnToContents(column);
        });
    }
    apply();
}

QString TableColumns::key(int column) const {
    const QString name = view_->model()->headerData(column, Qt::Horizontal, Qt::UserRole).toString();
    return name.isEmpty() ? view_->model()->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString() : name;
}

std::vector<int> TableColumns::visible() const {
    std::vector<int> columns;
    const QHeaderView* header = view_->header();
    for (int place = 0; place < header->count(); ++place) {
        const int column = header->logicalIndex(place);
        if (!header->isSectionHidden(column)) columns.push_back(column);
    }
    return columns;
}

std::vector<int> TableColumns::hints() const {
    std::vector<int> widths;
    for (const int column : visible()) {
        const int content = std::clamp(std::max(view_->sizeHintForColumn(column), view_->header()->sectionSizeHint(column)), kNarrowest, kWidest);
        widths.push_back(isFirm(column) ? std::max(content, firm(column)) : content);
    }
    return widths;
}

// Columns that the table can do without go, the first named first, until the others can be read.
void TableColumns::makeRoom() {
    restoring_ = true;
    QHeaderView* header = view_->header();
    for (const int column : left_) header->setSectionHidden(column, false);
    left_.clear();
    const auto needed = [this] {
        const std::vector<int> columns = visible(), wishes = hints();
        int total = 0;
        for (size_t i = 0; i < columns.size(); ++i) total += isFirm(columns[i]) || isNumber(*view_, columns[i]) ? wishes[i] : std::min(wishes[i], kReads);
        return total;
    };
    for (const int column : expendable) {
        if (needed() <= view_->viewport()->width()) break;
        if (column >= header->count() || header->isSectionHidden(column)) continue;
        header->setSectionHidden(column, true);
        left_.push_back(column);
    }
    restoring_ = false;
}

void TableColumns::forget() { most_.clear(); }

void TableColumns::fit() {
    if (set_ || restoring_ || !view_->model() || view_->viewport()->width() < 80) return;
    makeRoom();
    const std::vector<int> columns = visible();
    if (columns.empty()) return;
    std::vector<int> widths = hints();
    QHash<QString, int> most;
    int total = 0;
    for (size_t i = 0; i < columns.size(); ++i) {
        const QString name = key(columns[i]);
        widths[i] = std::max(widths[i], most_.value(name, 0));
        most.insert(name, widths[i]);
        total += widths[i];
    }
    most_ = std::move(most);   // columns that went are forgotten
    const int room = view_->viewport()->width();
    if (total < room) {
        // What is over is shared out by width, as a page's table does; rounding goes to the first column that takes any.
        int given = 0, taking = 0;
        size_t first = 0;
        for (size_t i = columns.size(); i-- > 0;)
            if (!isFirm(columns[i])) taking += widths[i], first = i;
        for (size_t i = 0; i < columns.size() && taking > 0; ++i) {
            if (isFirm(columns[i])) continue;
            const int more = static_cast<int>(int64_t{room - total} * widths[i] / taking);
            widths[i] += more;
            given += more;
        }
        widths[first] += room - total - given;
    } else if (total > room) {
        // The widest columns give way, down to what still reads, before a scroll bar appears.
        int over = total - room;
        for (const int least : {kReads, kLeast})
            while (over > 0) {
                int* widest = nullptr;
                for (size_t i = 0; i < columns.size(); ++i)
                    if (!isFirm(columns[i]) && (least == kReads || !isNumber(*view_, columns[i])) && (!widest || widths[i] > *widest)) widest = &widths[i];
                if (!widest || *widest <= least) break;
                const int step = std::min({over, *widest - least, 16});
                *widest -= step;
                over -= step;
            }
    }
    restoring_ = true;
    for (size_t i = 0; i < columns.size(); ++i)
        if (view_->header()->sectionSize(columns[i]) != widths[i]) view_->header()->resizeSection(columns[i], widths[i]);
    restoring_ = false;
}

Json TableColumns::save() const {
    if (!view_->model()) return wished_;
    Json columns = Json::array();
    const QHeaderView* header = view_->header();
    for (int place = 0; place < header->count(); ++place) {
        const int column = header->logicalIndex(place);
        const bool left = std::find(left_.begin(), left_.end(), column) != left_.end();
        Json entry = {{"key", key(column).toStdString()}, {"hidden", header->isSectionHidden(column) && !left}};
        if (set_ && !header->isSectionHidden(column)) entry["width"] = header->sectionSize(column);
        columns.push_back(std::move(entry));
    }
    Json layout = {{"columns", std::move(columns)}};
    if (const int sorted = header->sortIndicatorSection(); sorted >= 0 && sorted < header->count())
        layout["sort"] = {{"key", key(sorted).toStdString()}, {"descending", header->sortIndicatorOrder() == Qt::DescendingOrder}};
    return layout;
}

void TableColumns::restore(const Json& layout) {
    wished_ = layout.is_object() ? layout : Json::object();
    apply();
}

void TableColumns::apply() {
    if (!view_->model() || !wished_.contains("columns") || !wished_["columns"].is_array()) return;
    QHeaderView* header = view_->header();
    QHash<QString, int> byKey;
    for (int column = 0; column < header->count(); ++column) byKey.insert(key(column), column);
    restoring_ = true;
    int place = 0;
    for (const Json& entry : wished_["columns"]) {
        const auto found = byKey.constFind(QString::fromStdString(jsonStringOr(entry, "key", "")));
        if (found == byKey.constEnd()) continue;
        header->moveSection(header->visualIndex(*found), place++);
        header->setSectionHidden(*found, jsonBoolOr(entry, "hidden", false));
        if (const int64_t width = jsonIntegerOr(entry, "width", 0); width > 0) {
            set_ = true;
            header->resizeSection(*found, static_cast<int>(std::clamp<int64_t>(width, kNarrowest / 2, 2000)));
        }
    }
    if (visible().empty() && header->count() > 0) header->setSectionHidden(0, false);
    if (wished_.contains("sort")) {
        const auto found = byKey.constFind(QString::fromStdString(jsonStringOr(wished_["sort"], "key", "")));
        if (found != byKey.constEnd())
            header->setSortIndicator(*found, jsonBoolOr(wished_["sort"], "descending", false) ? Qt::DescendingOrder : Qt::AscendingOrder);
    }
    restoring_ = false;
    fit();
}

void TableColumns::showMenu(const QPoint& global) {
    if (!view_->model()) return;
    auto* menu = new QMenu(view_);
    menu->setObjectName(QStringLiteral("column-menu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    QHeaderView* header = view_->header();
    const size_t shown = visible().size();
    for (int place = 0; place < header->count(); ++place) {
        const int column = header->logicalIndex(place);
        QString title = view_->model()->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        if (title.isEmpty()) title = key(column);
        if (title.isEmpty()) continue;
        QAction* action = menu->addAction(title.replace(QLatin1Char('&'), QLatin1String("&&")));
        action->setCheckable(true);
        action->setChecked(!header->isSectionHidden(column));
        action->setEnabled(header->isSectionHidden(column) || shown > 1);   // the last one stays
        QObject::connect(action, &QAction::toggled, view_, [this, header, column](bool on) {
            header->setSectionHidden(column, !on);
            std::erase(left_, column);
            std::erase(expendable, column);   // wished for by a person: it stays
            fit();
        });
    }
    menu->addSeparator();
    QAction* widths = menu->addAction(TableView::tr("Fit widths"));
    QObject::connect(widths, &QAction::triggered, view_, [this] {
        set_ = false;
        most_.clear();
        fit();
    });
    menu->popup(global);
}

}  // namespace assay::widgets
