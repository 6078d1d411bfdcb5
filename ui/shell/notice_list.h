#pragma once
// The list behind the bell.

#include <assay/presenters/notice_log.h>

#include <QFrame>

class QVBoxLayout;

namespace assay::shell {

class NoticeList final : public QFrame {
    Q_OBJECT
public:
    NoticeList(presenters::NoticeLog& log, QWidget* window);
    void toggle(QWidget* bell);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refresh();
    void place();
    presenters::NoticeLog& log_;
    QWidget* content_;
    QVBoxLayout* rows_;
};

}  // namespace assay::shell
