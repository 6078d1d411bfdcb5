#pragma once
// Four short steps on the first start; can be skipped, and does not come again.

#include <QFrame>
#include <QPointer>

class QLabel;
class QPushButton;

namespace assay::shell {

class Tour final : public QFrame {
    Q_OBJECT
public:
    struct Step {
        QPointer<QWidget> target;   // the card stands beside it
        QString title, text;
    };
    Tour(QList<Step> steps, QWidget* window);
    void start();
    int step() const { return step_; }

Q_SIGNALS:
    void finished();   // by the last step or by skipping

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showStep();
    void place();
    void end();
    QList<Step> steps_;
    int step_ = 0;
    QLabel *title_, *text_, *count_;
    QPushButton *skip_, *next_;
};

}  // namespace assay::shell
