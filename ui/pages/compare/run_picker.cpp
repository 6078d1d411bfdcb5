#include "run_picker.h"

#include <assay/models/format.h>
#include <assay/models/run_text.h>
#include <assay/style/tokens.h>

#include <QGuiApplication>
#include <QLineEdit>
#include <QListWidget>
#include <QScreen>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace assay::pages {
namespace {

constexpr int kTypingMs = 150, kWidth = 380, kHeight = 360;

}  // namespace

RunPicker::RunPicker(presenters::ComparePresenter& presenter, QWidget* parent) : QFrame(parent, Qt::Popup), presenter_(presenter) {
    setObjectName(QStringLiteral("compare-picker"));
    setFrameShape(QFrame::StyledPanel);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->setSpacing(8);
    search_ = new QLineEdit(this);
    search_->setObjectName(QStringLiteral("compare-picker-search"));
    search_->setAccessibleName(tr("Search runs"));
    search_->setPlaceholderText(tr("Search finished runs by name"));
    search_->setClearButtonEnabled(true);
    layout->addWidget(search_);
    list_ = new QListWidget(this);
    list_->setObjectName(QStringLiteral("compare-picker-list"));
    list_->setAccessibleName(tr("Runs to compare"));
    list_->setFrameShape(QFrame::NoFrame);
    list_->setTextElideMode(Qt::ElideMiddle);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    layout->addWidget(list_, 1);
    setFixedSize(kWidth, kHeight);
    typing_.setSingleShot(true);
    typing_.setInterval(kTypingMs);
    connect(search_, &QLineEdit::textChanged, this, [this] { typing_.start(); });
    connect(&typing_, &QTimer::timeout, this, [this] { presenter_.askCandidates(search_->text()); });
    connect(&presenter_, &presenters::ComparePresenter::candidatesChanged, this, &RunPicker::fill);
    connect(list_, &QListWidget::itemChanged, this, [this](QListWidgetItem* item) {
        const QString id = item->data(Qt::UserRole).toString();
        if (item->checkState() == Qt::Checked) presenter_.addRuns({id});
        else presenter_.removeRun(id);
    });
    connect(list_, &QListWidget::itemActivated, this, [](QListWidgetItem* item) { item->setCheckState(item->checkState() == Qt::Checked ? Qt::Unchecked : Qt::Checked); });
}

void RunPicker::openBelow(QWidget* button) {
    {
        const QSignalBlocker quiet(search_);
        search_->clear();
    }
    presenter_.askCandidates({});
    fill();
    QPoint at = button->mapToGlobal(QPoint(button->width() - width(), button->height() + 4));
    if (const QScreen* screen = button->screen()) {
        const QRect area = screen->availableGeometry();
        at.setX(std::clamp(at.x(), area.left(), std::max(area.left(), area.right() - width())));
        at.setY(std::clamp(at.y(), area.top(), std::max(area.top(), area.bottom() - height())));
    }
    move(at);
    show();
    search_->setFocus();
}

void RunPicker::fill() {
    const QSignalBlocker quiet(list_);
    list_->clear();
    const auto add = [&](const QString& text, const QString& id, bool on) {
        auto* item = new QListWidgetItem(text, list_);
        item->setData(Qt::UserRole, id);
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        item->setCheckState(on ? Qt::Checked : Qt::Unchecked);
        item->setToolTip(text);
        item->setSizeHint(QSize(0, style::size::kControlHeight));
    };
    const QString wanted = search_->text().trimmed();
    for (const QString& run : presenter_.runs())
        if (wanted.isEmpty() || presenter_.runName(run).contains(wanted, Qt::CaseInsensitive)) add(presenter_.runName(run), run, true);
    const QDateTime now = QDateTime::currentDateTimeUtc();
    for (const models::RunRow& run : presenter_.candidates())
        if (!presenter_.runs().contains(run.id)) add(QStringLiteral("%1 · %2 · %3").arg(models::shortened(run.name, 36), models::kindText(run.kind), models::formatAgo(run.createdAt, now)), run.id, false);
    if (list_->count() == 0) {
        auto* none = new QListWidgetItem(wanted.isEmpty() ? tr("No finished run yet.") : tr("No finished run has this name."), list_);
        none->setFlags(Qt::NoItemFlags);
    }
}

}  // namespace assay::pages
