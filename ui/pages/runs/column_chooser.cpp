#include "column_chooser.h"

#include <assay/style/tokens.h>

#include <QLineEdit>
#include <QListWidget>
#include <QVBoxLayout>

namespace assay::pages {

ColumnChooser::ColumnChooser(QWidget* parent) : QFrame(parent, Qt::Popup), search_(new QLineEdit(this)), list_(new QListWidget(this)) {
    setObjectName(QStringLiteral("column-chooser"));
    setAccessibleName(tr("Columns"));
    setFrameShape(QFrame::StyledPanel);
    resize(320, 400);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->setSpacing(8);
    search_->setObjectName(QStringLiteral("column-search"));
    search_->setAccessibleName(tr("Search columns"));
    search_->setPlaceholderText(tr("Search columns"));
    search_->setClearButtonEnabled(true);
    list_->setObjectName(QStringLiteral("column-list"));
    list_->setAccessibleName(tr("Columns"));
    list_->setFrameShape(QFrame::NoFrame);
    layout->addWidget(search_);
    layout->addWidget(list_, 1);
    connect(search_, &QLineEdit::textChanged, this, [this] { fill(); });
    connect(list_, &QListWidget::itemChanged, this, [this](QListWidgetItem* item) {
        const QString key = item->data(Qt::UserRole).toString();
        if (item->checkState() == Qt::Checked) {
            if (!keys_.contains(key)) keys_ << key;
        } else {
            keys_.removeAll(key);
        }
        Q_EMIT chosen(keys_);
    });
}

void ColumnChooser::open(const QList<presenters::RunsPresenter::KeyInfo>& known, const QStringList& chosen, const QPoint& topRight) {
    known_ = known;
    keys_ = chosen;
    search_->clear();
    fill();
    move(topRight - QPoint(width(), 0));
    show();
    search_->setFocus();
}

void ColumnChooser::fill() {
    const QSignalBlocker quiet(list_);
    list_->clear();
    const QString wanted = search_->text().trimmed();
    auto add = [&](const presenters::RunsPresenter::KeyInfo& key) {
        if (!wanted.isEmpty() && !key.key.contains(wanted, Qt::CaseInsensitive) && !key.title.contains(wanted, Qt::CaseInsensitive)) return;
        auto* item = new QListWidgetItem(key.title == key.key || key.section == tr("Run") ? key.title : QStringLiteral("%1  ·  %2").arg(key.title, key.key), list_);
        item->setData(Qt::UserRole, key.key);
        item->setToolTip(QStringLiteral("%1: %2").arg(key.section, key.key).toHtmlEscaped());
        item->setFlags(key.key == QLatin1String("name") ? Qt::ItemIsSelectable : Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        item->setCheckState(keys_.contains(key.key) ? Qt::Checked : Qt::Unchecked);
    };
    for (const auto& key : known_)
        if (keys_.contains(key.key)) add(key);
    for (const auto& key : known_)
        if (!keys_.contains(key.key)) add(key);
}

}  // namespace assay::pages
