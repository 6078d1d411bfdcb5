#include "timing.h"

#include <assay/shell/main_window.h>

#include <QEvent>
#include <QFile>
#include <QTimer>
#include <cstdio>
#include <ctime>
#include <unistd.h>

namespace assay::studio {
namespace {

// Since the kernel made the process: what the person waits for includes loading libraries.
double millisecondsSinceStart() {
    QFile file(QStringLiteral("/proc/self/stat"));
    if (!file.open(QIODevice::ReadOnly)) return 0;
    const QByteArray line = file.readAll();
    const QList<QByteArray> fields = line.mid(line.lastIndexOf(')') + 2).split(' ');   // from field 3 on
    if (fields.size() < 20) return 0;
    timespec now{};
    ::clock_gettime(CLOCK_BOOTTIME, &now);
    const double started = fields[19].toDouble() / static_cast<double>(::sysconf(_SC_CLK_TCK));
    return (static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9 - started) * 1e3;
}

void say(const char* what) {
    std::printf("timing %s %.0f\n", what, millisecondsSinceStart());
    std::fflush(stdout);
}

class FirstPaint final : public QObject {
public:
    using QObject::QObject;
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Paint) {
            watched->removeEventFilter(this);
            QTimer::singleShot(0, this, [this] {
                say("first_paint_ms");
                deleteLater();
            });
        }
        return false;
    }
};

}  // namespace

void reportTiming(shell::MainWindow& window) {
    if (qgetenv("ASSAY_STUDIO_TIMING") != "1") return;
    window.installEventFilter(new FirstPaint(&window));
    auto* once = new QObject(&window);
    QObject::connect(&window, &shell::MainWindow::contentShown, once, [once] {
        say("first_list_ms");
        once->deleteLater();
    });
}

}  // namespace assay::studio
