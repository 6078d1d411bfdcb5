#include "remote_dialog.h"

#include "label_style.h"

#include <assay/models/format.h>
#include <assay/style/icons.h>
#include <assay/widgets/controls.h>
#include <assay/widgets/table_view.h>

#include <QCheckBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QShortcut>
#include <QStandardItemModel>
#include <QVBoxLayout>
#include <algorithm>

namespace assay::widgets {
namespace {

enum Role { kNameRole = Qt::UserRole + 1, kFolderRole };

}  // namespace

QString parentFolder(const QString& path) {
    QString trimmed = path;
    while (trimmed.size() > 1 && trimmed.endsWith(QLatin1Char('/'))) trimmed.chop(1);
    const qsizetype slash = trimmed.lastIndexOf(QLatin1Char('/'));
    return slash <= 0 ? QStringLiteral("/") : trimmed.left(slash);
}

QString joinedPath(const QString& folder, const QString& name) {
    return folder.endsWith(QLatin1Char('/')) ? folder + name : folder + QLatin1Char('/') + name;
}

RemoteDialog::RemoteDialog(const QString& title, bool folder, RemoteLister lister, std::function<void(const QString& path)> done, QWidget* parent)
    : QDialog(parent), wantsFolder_(folder), lister_(std::move(lister)), done_(std::move(done)) {
    setObjectName(QStringLiteral("remote-dialog"));
    setWindowTitle(title);
    setAccessibleName(title);
    setWindowModality(Qt::WindowModal);
    resize(680, 480);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(12);

    auto* top = new QHBoxLayout;
    auto* up = makeButton({}, ButtonKind::kNormal, QStringLiteral("chevron-up"), this);
    up->setObjectName(QStringLiteral("remote-up"));
    up->setAccessibleName(tr("Folder above"));
    up->setToolTip(tr("Folder above (Alt+Up)"));
    path_ = new QLineEdit(this);
    path_->setObjectName(QStringLiteral("remote-path"));
    path_->setAccessibleName(tr("Path on the engine's machine"));
    path_->setPlaceholderText(tr("Path on the engine's machine"));
    auto* refresh = makeButton({}, ButtonKind::kNormal, QStringLiteral("refresh"), this);
    refresh->setObjectName(QStringLiteral("remote-refresh"));
    refresh->setAccessibleName(tr("Read again"));
    refresh->setToolTip(tr("Read again (F5)"));
    top->addWidget(up);
    top->addWidget(path_, 1);
    top->addWidget(refresh);
    column->addLayout(top);

    crumbs_ = new QWidget(this);
    crumbs_->setObjectName(QStringLiteral("remote-crumbs"));
    crumbs_->setAccessibleName(tr("Folders on the way"));
    auto* crumbRow = new QHBoxLayout(crumbs_);
    crumbRow->setContentsMargins(0, 0, 0, 0);
    crumbRow->setSpacing(0);
    column->addWidget(crumbs_);

    error_ = new ErrorPanel(this);
    column->addWidget(error_);

    model_ = new QStandardItemModel(0, 2, this);
    model_->setHorizontalHeaderLabels({tr("Name"), tr("Size")});
    model_->setHeaderData(1, Qt::Horizontal, QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter)), Qt::TextAlignmentRole);
    auto* card = new Card({}, this);
    card->setBodyMargins(0);
    list_ = new TableView(card);
    list_->setObjectName(QStringLiteral("remote-list"));
    list_->setAccessibleName(tr("Files and folders"));
    list_->setSelectionMode(QAbstractItemView::SingleSelection);
    list_->setModel(model_);
    list_->installEventFilter(this);
    card->body()->addWidget(list_);
    column->addWidget(card, 1);

    auto* bottom = new QHBoxLayout;
    hidden_ = new QCheckBox(tr("Show hidden files"), this);
    hidden_->setObjectName(QStringLiteral("remote-hidden"));
    hidden_->setAccessibleName(hidden_->text());
    hidden_->setToolTip(tr("Ctrl+H"));
    status_ = new QLabel(this);
    status_->setObjectName(QStringLiteral("remote-status"));
    dress(status_, style::Type::kSecondary, 2);
    auto* cancel = makeButton(tr("Cancel"), ButtonKind::kNormal, {}, this);
    cancel->setObjectName(QStringLiteral("remote-cancel"));
    choose_ = makeButton(folder ? tr("Choose folder") : tr("Open"), ButtonKind::kPrimary, {}, this);
    choose_->setObjectName(QStringLiteral("remote-choose"));
    bottom->addWidget(hidden_);
    bottom->addSpacing(12);
    bottom->addWidget(status_, 1);
    bottom->addWidget(cancel);
    bottom->addWidget(choose_);
    column->addLayout(bottom);

    connect(up, &QPushButton::clicked, this, &RemoteDialog::goUp);
    connect(refresh, &QPushButton::clicked, this, [this] { go(folder_); });
    connect(path_, &QLineEdit::returnPressed, this, [this] { go(path_->text().trimmed()); });
    connect(hidden_, &QCheckBox::toggled, this, &RemoteDialog::fill);
    connect(list_, &TableView::opened, this, &RemoteDialog::openEntry);
    connect(list_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &RemoteDialog::updateButton);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(choose_, &QPushButton::clicked, this, &RemoteDialog::choose);
    const auto shortcut = [this](const QKeySequence& keys, auto action) { connect(new QShortcut(keys, this), &QShortcut::activated, this, action); };
    shortcut(Qt::ALT | Qt::Key_Up, [this] { goUp(); });
    shortcut(Qt::Key_F5, [this] { go(folder_); });
    shortcut(Qt::CTRL | Qt::Key_H, [this] { hidden_->toggle(); });
    shortcut(Qt::CTRL | Qt::Key_L, [this] {
        path_->setFocus(Qt::ShortcutFocusReason);
        path_->selectAll();
    });
    list_->setFocus();
    updateButton();
}

void RemoteDialog::go(const QString& folder) {
    const quint64 question = ++asked_;
    status_->setText(tr("Reading…"));
    lister_(folder, [self = QPointer<RemoteDialog>(this), question](const QString& at, const QList<RemoteEntry>& entries, const QString& error) {
        if (!self || question != self->asked_) return;
        if (!error.isEmpty()) {
            self->status_->clear();
            self->error_->show(tr("The folder could not be read."), error);
            self->path_->setText(self->folder_);
            return;
        }
        self->error_->clear();
        self->showFolder(at, entries);
    });
}

void RemoteDialog::showFolder(const QString& folder, const QList<RemoteEntry>& entries) {
    const QString before = folder_;
    folder_ = folder;
    entries_ = entries;
    std::sort(entries_.begin(), entries_.end(), [](const RemoteEntry& a, const RemoteEntry& b) {
        if (a.folder != b.folder) return a.folder;
        const int order = a.name.compare(b.name, Qt::CaseInsensitive);
        return order != 0 ? order < 0 : a.name < b.name;
    });
    path_->setText(folder_);
    fillCrumbs();
    fill();
    if (parentFolder(before) != folder_ || before == folder_) return;
    // Coming from below: the folder one was in is selected.
    for (int row = 0; row < model_->rowCount(); ++row)
        if (joinedPath(folder_, model_->item(row)->data(kNameRole).toString()) == before) list_->setCurrentIndex(model_->index(row, 0));
}

void RemoteDialog::fill() {
    model_->removeRows(0, model_->rowCount());
    int left = 0;
    QList<QStandardItem*> names;
    for (const RemoteEntry& entry : entries_) {
        if (entry.name.startsWith(QLatin1Char('.')) && !hidden_->isChecked()) {
            ++left;
            continue;
        }
        auto* name = new QStandardItem(style::icon(entry.folder ? QStringLiteral("folder") : QStringLiteral("file")), models::plain(entry.name));
        name->setData(entry.name, kNameRole);
        name->setData(entry.folder, kFolderRole);
        // Where a folder is wanted, files only show what is in it.
        if (wantsFolder_ && !entry.folder) name->setEnabled(false);
        auto* size = new QStandardItem(entry.folder ? QString() : models::formatBytes(static_cast<double>(entry.bytes)));
        size->setData(QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter)), Qt::TextAlignmentRole);
        size->setEnabled(name->isEnabled());
        model_->appendRow({name, size});
    }
    list_->setEmptyText(left > 0 ? tr("Only hidden files here.") : tr("This folder is empty."));
    status_->setText(left > 0 ? tr("%n hidden", nullptr, left) : QString());
    // Where a folder is wanted, the one on screen is the answer until another is selected.
    if (model_->rowCount() > 0)
        list_->selectionModel()->setCurrentIndex(model_->index(0, 0), wantsFolder_ ? QItemSelectionModel::NoUpdate : QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    updateButton();
}

void RemoteDialog::fillCrumbs() {
    auto* row = static_cast<QHBoxLayout*>(crumbs_->layout());
    while (QLayoutItem* item = row->takeAt(0)) {
        if (item->widget()) item->widget()->deleteLater();
        delete item;
    }
    QStringList parts = folder_.split(QLatin1Char('/'), Qt::SkipEmptyParts);
    // Deep paths keep their root and their last folders.
    QString path = QStringLiteral("/");
    const auto add = [&](const QString& text, const QString& target) {
        auto* crumb = makeButton(models::shortened(text, 24), ButtonKind::kQuiet, {}, crumbs_);
        crumb->setObjectName(QStringLiteral("crumb-") + target);
        crumb->setAccessibleName(tr("Go to %1").arg(models::plain(target)));
        connect(crumb, &QPushButton::clicked, this, [this, target] { go(target); });
        row->addWidget(crumb);
    };
    add(QStringLiteral("/"), path);
    for (int i = 0; i < parts.size(); ++i) {
        path = joinedPath(path, parts[i]);
        if (parts.size() > 5 && i < parts.size() - 4) {
            if (i == 0) row->addWidget(new PlainLabel(QStringLiteral("…"), crumbs_));
            continue;
        }
        auto* arrow = new QLabel(crumbs_);
        arrow->setPixmap(style::pixmap(QStringLiteral("chevron-right"), style::tokens().text3, 12, devicePixelRatioF()));
        row->addWidget(arrow);
        add(parts[i], path);
    }
    row->addStretch(1);
}

QString RemoteDialog::selectedName(bool* isFolder) const {
    const QModelIndexList rows = list_->selectionModel()->selectedRows();
    if (rows.isEmpty()) return {};
    *isFolder = rows.first().data(kFolderRole).toBool();
    return rows.first().data(kNameRole).toString();
}

void RemoteDialog::openEntry(const QModelIndex& index) {
    const QModelIndex first = index.siblingAtColumn(0);
    if (first.data(kFolderRole).toBool()) return go(joinedPath(folder_, first.data(kNameRole).toString()));
    if (!wantsFolder_) choose();
}

void RemoteDialog::choose() {
    bool isFolder = false;
    const QString name = selectedName(&isFolder);
    if (!wantsFolder_ && isFolder && !name.isEmpty()) return go(joinedPath(folder_, name));
    if (!wantsFolder_ && name.isEmpty()) return;
    const QString path = name.isEmpty() ? folder_ : joinedPath(folder_, name);
    const auto done = done_;
    accept();
    done(path);
}

void RemoteDialog::goUp() {
    if (!folder_.isEmpty() && folder_ != QLatin1String("/")) go(parentFolder(folder_));
}

void RemoteDialog::updateButton() {
    bool isFolder = false;
    const QString name = selectedName(&isFolder);
    choose_->setEnabled(wantsFolder_ ? !folder_.isEmpty() : !name.isEmpty());
    const QString text = wantsFolder_ ? name.isEmpty() ? tr("Choose this folder") : tr("Choose “%1”").arg(models::shortened(name, 24)) : tr("Open");
    choose_->setText(text);
    choose_->setAccessibleName(text);
}

bool RemoteDialog::eventFilter(QObject* object, QEvent* event) {
    if (object == list_ && event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Backspace) {
        goUp();
        return true;
    }
    return QDialog::eventFilter(object, event);
}

void RemoteDialog::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return;   // fields and the list answer it themselves
    QDialog::keyPressEvent(event);
}

}  // namespace assay::widgets
