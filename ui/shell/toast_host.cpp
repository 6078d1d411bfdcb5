#include "toast_host.h"

#include <assay/style/tokens.h>
#include <assay/style/theme_notifier.h>
#include <assay/widgets/controls.h>

#include <QEvent>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

namespace assay::shell {
namespace {

constexpr int kWidth = 360, kMost = 3;

// Surface and line of a floating notice; the time runs on only while the pointer and the focus are elsewhere.
class Toast final : public QFrame {
public:
    Toast(const presenters::Notice& notice, QWidget* parent) : QFrame(parent) {
        setObjectName(QStringLiteral("toast"));
        setAccessibleName(notice.title);
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(4, 4, 4, 4);
        auto* view = new NoticeView(notice, true, this);
        layout->addWidget(view);
        setFixedWidth(kWidth);
        QObject::connect(view, &NoticeView::closed, this, &QObject::deleteLater);
        const int readingMs = 4000 + 45 * static_cast<int>(notice.title.size() + notice.detail.size());
        // What failed stays until it is closed or pushed out.
        if (notice.severity != presenters::Severity::kError) {
            timer_.setSingleShot(true);
            timer_.setInterval(std::min(readingMs, 15000));
            QObject::connect(&timer_, &QTimer::timeout, this, &QObject::deleteLater);
            timer_.start();
        }
    }

protected:
    void enterEvent(QEnterEvent*) override { left_ = timer_.isActive() ? std::max(1500, timer_.remainingTime()) : 0, timer_.stop(); }
    void leaveEvent(QEvent*) override {
        if (left_) timer_.start(left_);
    }
    void paintEvent(QPaintEvent*) override {
        const style::Tokens& t = style::tokens();
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(t.line, 1));
        painter.setBrush(t.surface);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), style::size::kRadius, style::size::kRadius);
    }

private:
    QTimer timer_;
    int left_ = 0;
};

}  // namespace

ToastHost::ToastHost(presenters::Notifier& notifier, QWidget* window) : QObject(window), window_(window) {
    window->installEventFilter(this);
    connect(&notifier, &presenters::Notifier::notified, this, &ToastHost::show);
}

int ToastHost::count() const {
    return static_cast<int>(std::count_if(toasts_.begin(), toasts_.end(), [](const QPointer<QFrame>& toast) { return !toast.isNull(); }));
}

void ToastHost::show(const presenters::Notice& notice) {
    toasts_.removeAll(nullptr);
    while (toasts_.size() >= kMost) delete toasts_.takeFirst().data();
    auto* toast = new Toast(notice, window_);
    toasts_.append(toast);
    toast->installEventFilter(this);
    connect(toast, &QObject::destroyed, this, [this] { QTimer::singleShot(0, this, &ToastHost::place); });
    toast->show();
    place();
}

void ToastHost::place() {
    toasts_.removeAll(nullptr);
    int y = window_->height() - style::size::kStatusBar - 12;
    for (auto it = toasts_.rbegin(); it != toasts_.rend(); ++it) {
        QFrame* toast = *it;
        toast->adjustSize();
        // Measured at the width it wished for; long texts break more often at the width that it has.
        if (toast->layout()->hasHeightForWidth()) toast->resize(toast->width(), toast->layout()->totalHeightForWidth(toast->width()));
        y -= toast->height();
        toast->move(window_->width() - toast->width() - 16, y);
        toast->raise();
        y -= 8;
    }
}

bool ToastHost::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize && watched == window_) place();
    if (event->type() == QEvent::LayoutRequest && watched != window_) place();
    return false;
}

}  // namespace assay::shell
