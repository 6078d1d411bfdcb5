#include <assay/presenters/app_context.h>

namespace assay::presenters {

void Notifier::error(const QString& what, const Error& error) {
    QString technical = QString::fromUtf8(errorCodeName(error.code).data());
    for (const std::string& where : error.context) technical += QStringLiteral("\n") + QString::fromStdString(where);
    QString detail = QString::fromStdString(error.message);
    if (!error.hint.empty()) detail += QStringLiteral("\n") + QString::fromStdString(error.hint);
    notify({.severity = Severity::kError, .title = what, .detail = detail, .technical = technical});
}

void CommandRegistry::add(Command command) {
    for (Command& existing : commands_)
        if (existing.id == command.id) {
            existing = std::move(command);
            Q_EMIT changed();
            return;
        }
    commands_.append(std::move(command));
    Q_EMIT changed();
}

void CommandRegistry::remove(const QString& id) {
    if (commands_.removeIf([&](const Command& command) { return command.id == id; })) Q_EMIT changed();
}

}  // namespace assay::presenters
