#include <assay/widgets/table_view.h>

#include "label_style.h"
#include "table_columns.h"
#include "table_delegate.h"
#include "table_header.h"

#include <assay/style/theme_notifier.h>
#include <assay/style/tokens.h>

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>
#include <QSortFilterProxyModel>
#include <QTimer>
#include <algorithm>

namespace assay::widgets {

struct TableView::Private : QObject {
    explicit Private(TableView* owner) : QObject(owner), view(owner), delegate(new TableDelegate(owner)), columns(owner) {}
    TableView* view;
    TableDelegate* delegate;
    TableColumns columns;
    QString emptyText;
    int mostRows = 0;   // of fitHeight; 0: not asked for
    bool awaitsContent = true;   // the rows have come without their texts: lists fetched page by page
    std::vector<QMetaObject::Connection> connections;

    bool hasContent() const {
        const QAbstractItemModel* model = view->model();
        for (int row = 0; model && row < std::min(model->rowCount(), 20); ++row)
            for (int column = 0; column < model->columnCount(); ++column)
                if (!model->index(row, column).data(Qt::DisplayRole).toString().isEmpty()) return true;
        return false;
    }
    // Later changes leave the widths alone: columns that move at every update cannot be read.
    void dataChanged() {
        if (awaitsContent && hasContent()) modelChanged();
    }
    void modelChanged() {
        const QAbstractItemModel* model = view->model();
        const bool grouped = model && model->rowCount() > 0 && model->hasChildren(model->index(0, 0));
        view->setRootIsDecorated(grouped);
        if (mostRows > 0) view->fitHeight(mostRows);
        awaitsContent = !hasContent();
        // Some models take all rows out before they put others in: only a table that stays empty has another content next.
        if (awaitsContent) QTimer::singleShot(0, this, [this] { if (!hasContent()) columns.forget(); });
        columns.fit();
        view->viewport()->update();
    }
};

TableView::TableView(QWidget* parent) : QTreeView(parent), d_(new Private(this)) {
    setObjectName(QStringLiteral("table"));
    setAccessibleName(tr("Table"));
    setHeader(new TableHeader(this));
    setItemDelegate(d_->delegate);
    setUniformRowHeights(true);
    setRootIsDecorated(false);
    setAllColumnsShowFocus(false);
    setSelectionBehavior(SelectRows);
    setSelectionMode(ExtendedSelection);
    setEditTriggers(NoEditTriggers);
    setHorizontalScrollMode(ScrollPerPixel);
    setVerticalScrollMode(ScrollPerPixel);
    setExpandsOnDoubleClick(true);
    setProperty("flat", true);
    setFrameShape(QFrame::NoFrame);
    setMouseTracking(true);
    viewport()->setAttribute(Qt::WA_Hover);
    viewport()->setAutoFillBackground(false);
    header()->setObjectName(QStringLiteral("table-header"));
    header()->setAccessibleName(tr("Columns"));
    header()->setSectionsMovable(true);
    header()->setSectionsClickable(true);
    header()->setFirstSectionMovable(true);
    header()->setStretchLastSection(false);
    header()->setHighlightSections(false);
    header()->setMinimumSectionSize(36);
    header()->setFixedHeight(28);
    header()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    header()->setSortIndicatorShown(true);
    header()->setSortIndicator(-1, Qt::AscendingOrder);
    header()->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(header(), &QWidget::customContextMenuRequested, this, [this](const QPoint& at) { d_->columns.showMenu(header()->mapToGlobal(at)); });
    connect(header(), &QHeaderView::sortIndicatorChanged, this, [this](int column, Qt::SortOrder order) {
        if (column < 0 || d_->columns.restoring()) return;
        if (auto* proxy = qobject_cast<QSortFilterProxyModel*>(model())) proxy->sort(column, order);
        Q_EMIT sortRequested(column, order);
    });
    connect(this, &QAbstractItemView::doubleClicked, this, [this](const QModelIndex& index) {
        if (!model()->hasChildren(index.siblingAtColumn(0))) Q_EMIT opened(index);
    });
    connect(horizontalScrollBar(), &QScrollBar::rangeChanged, this, [this] {
        if (d_->mostRows > 0) fitHeight(d_->mostRows);
    });
    connect(&style::themeNotifier(), &style::ThemeNotifier::themeChanged, viewport(), qOverload<>(&QWidget::update));
}

void TableView::setModel(QAbstractItemModel* model) {
    for (const QMetaObject::Connection& connection : d_->connections) disconnect(connection);
    d_->connections.clear();
    // The view would sort through QAbstractItemModel::sort, which most models leave to the engine.
    QTreeView::setModel(model);
    if (!model) return;
    const auto changed = [this] { d_->modelChanged(); };
    d_->connections = {connect(model, &QAbstractItemModel::modelReset, this, changed), connect(model, &QAbstractItemModel::rowsInserted, this, changed),
                       connect(model, &QAbstractItemModel::rowsRemoved, this, changed), connect(model, &QAbstractItemModel::layoutChanged, this, changed),
                       connect(model, &QAbstractItemModel::columnsInserted, this, changed), connect(model, &QAbstractItemModel::dataChanged, this, [this] { d_->dataChanged(); })};
    d_->columns.reset();
    d_->modelChanged();
}

Json TableView::layout() const {
    return d_->columns.save();
}

void TableView::setLayoutState(const Json& layout) {
    d_->columns.restore(layout);
}

void TableView::copySelection() const {
    if (!model() || !selectionModel()) return;
    QList<QModelIndex> rows = selectionModel()->selectedRows();
    // Selection order is click order; the copy has the order on screen.
    std::sort(rows.begin(), rows.end(), [this](const QModelIndex& a, const QModelIndex& b) { return visualRect(a).y() < visualRect(b).y(); });
    if (rows.isEmpty()) return;
    const std::vector<int> shown = d_->columns.visible();
    const auto cell = [](const QVariant& value) {
        QString text = value.toString();
        return text.replace(QLatin1Char('\t'), QLatin1Char(' ')).replace(QLatin1Char('\n'), QLatin1Char(' ')).remove(QLatin1Char('\r'));
    };
    QStringList line;
    for (const int column : shown) line.append(cell(model()->headerData(column, Qt::Horizontal, Qt::DisplayRole)));
    QString text = line.join(QLatin1Char('\t')) + QLatin1Char('\n');
    for (const QModelIndex& row : rows) {
        line.clear();
        for (const int column : shown) line.append(cell(row.siblingAtColumn(column).data(Qt::DisplayRole)));
        text += line.join(QLatin1Char('\t')) + QLatin1Char('\n');
    }
    QApplication::clipboard()->setText(text);
}

void TableView::setEmptyText(const QString& text) {
    d_->emptyText = text;
    viewport()->update();
}

void TableView::setRoles(int toneRole, int colorRole, int fractionRole, std::function<int(const QModelIndex&)> tone) {
    d_->delegate->toneRole = toneRole;
    d_->delegate->colorRole = colorRole;
    d_->delegate->fractionRole = fractionRole;
    d_->delegate->tone = std::move(tone);
    d_->columns.fit();
    viewport()->update();
}

void TableView::setFirmColumns(std::function<int(int column)> leastWidth) {
    d_->columns.firm = std::move(leastWidth);
    d_->columns.fit();
}

void TableView::setExpendableColumns(std::vector<int> columns) {
    d_->columns.expendable = std::move(columns);
    d_->columns.fit();
}

void TableView::fitHeight(int mostRows) {
    d_->mostRows = mostRows;
    const int rows = model() ? model()->rowCount() : 0;
    const int shown = std::clamp(rows, d_->emptyText.isEmpty() ? 1 : 2, std::max(1, mostRows));
    const int bar = horizontalScrollBar()->maximum() > 0 ? horizontalScrollBar()->sizeHint().height() : 0;   // it lies below the last row, not on it
    const int height = header()->height() + shown * style::size::kRowHeight + 2 * frameWidth() + bar;
    setVerticalScrollBarPolicy(rows > mostRows ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
    if (height != minimumHeight() || height != maximumHeight()) setFixedHeight(height);
}

void TableView::resizeEvent(QResizeEvent* event) {
    QTreeView::resizeEvent(event);
    d_->columns.fit();
}

int TableView::sizeHintForColumn(int column) const {
    return QTreeView::sizeHintForColumn(column);
}

void TableView::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) return copySelection();
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && currentIndex().isValid()) {
        const QModelIndex first = currentIndex().siblingAtColumn(0);
        if (model()->hasChildren(first)) setExpanded(first, !isExpanded(first));
        else Q_EMIT opened(currentIndex());
        return;
    }
    QTreeView::keyPressEvent(event);
}

void TableView::contextMenuEvent(QContextMenuEvent* event) {
    const bool keyboard = event->reason() == QContextMenuEvent::Keyboard;
    const QModelIndex index = keyboard ? currentIndex() : indexAt(event->pos());
    const QPoint global = keyboard ? viewport()->mapToGlobal(visualRect(index).bottomLeft()) : event->globalPos();
    if (index.isValid()) Q_EMIT contextMenuRequested(index, global);
    event->accept();
}

void TableView::paintEvent(QPaintEvent* event) {
    QTreeView::paintEvent(event);
    const int rows = model() ? model()->rowCount() : 0;
    if (d_->mostRows > 0 && rows > 0 && rows <= d_->mostRows) {   // all rows are there: the card's line ends the table
        const QRect last = visualRect(model()->index(rows - 1, 0));
        QPainter(viewport()).fillRect(QRect(0, last.bottom(), viewport()->width(), 1), style::tokens().surface);
    }
    if (d_->emptyText.isEmpty() || (model() && model()->rowCount() > 0)) return;
    QPainter painter(viewport());
    painter.setPen(style::tokens().text2);
    painter.drawText(viewport()->rect().adjusted(20, 8, -20, -8), Qt::AlignCenter | Qt::TextWordWrap, d_->emptyText);
}

}  // namespace assay::widgets
