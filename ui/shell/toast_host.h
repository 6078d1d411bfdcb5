#pragma once
// Notices at the lower right of the window: they come, stay as long as they need to be read, and go. Never modal; all
// of them stay in the list behind the bell.

#include <assay/presenters/app_context.h>

#include <QFrame>
#include <QPointer>
#include <QTimer>

class QLabel;

namespace assay::shell {

// One notice: icon, title, detail, details that fold out with a copy button, one action.
class NoticeView final : public QFrame {
    Q_OBJECT
public:
    NoticeView(const presenters::Notice& notice, bool closable, QWidget* parent = nullptr);
    void setRemark(const QString& text);   // time, how often

Q_SIGNALS:
    void closed();

private:
    QLabel* remark_;
};

class ToastHost final : public QObject {
    Q_OBJECT
public:
    ToastHost(presenters::Notifier& notifier, QWidget* window);
    int count() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void show(const presenters::Notice& notice);
    void place();
    QWidget* window_;
    QList<QPointer<QFrame>> toasts_;
};

}  // namespace assay::shell
