#include "desktop_notify.h"

#include <assay/models/run_row.h>

#include <QDBusConnection>
#include <QDBusMessage>
#include <QObject>
#include <QVariantMap>

namespace assay::shell {

QString DesktopNotify::endText(const Json& row) {
    const models::RunRow run = models::runRowFromJson(row);
    if (!run.parent.isEmpty()) return {};   // a stage; its pipeline tells
    if (run.status == QLatin1String("done")) return QObject::tr("The run is done.");
    if (run.status == QLatin1String("failed")) return QObject::tr("The run failed.");
    if (run.status == QLatin1String("interrupted")) return QObject::tr("The run was interrupted and can be resumed.");
    return {};
}

void DesktopNotify::runChanged(const QString& id, const Json& row, bool windowActive) {
    const models::RunRow run = models::runRowFromJson(row);
    const bool wasActive = status_.count(id) > 0;
    if (run.isActive()) {
        status_[id] = run.status;
        return;
    }
    if (wasActive) status_.erase(id);
    const QString text = endText(row);
    if (!wasActive || windowActive || text.isEmpty()) return;
    // The body of a notification may be read as markup by the desktop.
    QDBusMessage message = QDBusMessage::createMethodCall(QStringLiteral("org.freedesktop.Notifications"), QStringLiteral("/org/freedesktop/Notifications"),
                                                          QStringLiteral("org.freedesktop.Notifications"), QStringLiteral("Notify"));
    message << QStringLiteral("Assay") << 0U << QStringLiteral("assay-studio") << run.name.left(80).toHtmlEscaped() << text << QStringList() << QVariantMap() << -1;
    QDBusConnection::sessionBus().send(message);
}

}  // namespace assay::shell
