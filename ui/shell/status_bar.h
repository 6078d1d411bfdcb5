#pragma once
// The line at the bottom: the link, the queue, the machine; language, commands, notices.

#include <assay/presenters/app_context.h>
#include <assay/presenters/machine_watch.h>

#include <QFrame>

class QHBoxLayout;
class QToolButton;

namespace assay::presenters {
class NoticeLog;
}

namespace assay::shell {

class StatusBar final : public QFrame {
    Q_OBJECT
public:
    StatusBar(presenters::AppContext& context, presenters::MachineWatch& watch, presenters::NoticeLog& notices, QWidget* parent = nullptr);
    QToolButton* bell() const { return bell_; }

Q_SIGNALS:
    void enginesWanted();
    void runsWanted();
    void paletteWanted();
    void languageWanted();
    void noticesWanted();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void showLink();
    void showMachine();
    void showNotices();
    class StatusCell* addCell(const QString& name, const QString& caption);

    presenters::AppContext& context_;
    presenters::MachineWatch& watch_;
    presenters::NoticeLog& notices_;
    class StatusCell *link_, *queue_, *cpu_, *memory_, *disk_;
    QToolButton *language_, *palette_, *bell_;
    QHBoxLayout* row_;
};

}  // namespace assay::shell
