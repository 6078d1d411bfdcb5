#pragma once
// What every page shares. Made by the shell, handed to each presenter by reference; outlives them. No widgets.

#include <assay/core/json.h>

#include <QObject>
#include <QString>
#include <functional>

namespace assay::presenters {

class EngineSession;
class Settings;

// Moves between pages: navigate("run", {{"run", id}}). Keys are those of the page registry.
class Navigator final : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    void navigate(const QString& page, const assay::Json& argument = assay::Json::object()) { Q_EMIT requested(page, argument); }
Q_SIGNALS:
    void requested(const QString& page, const assay::Json& argument);
};

enum class Severity { kInfo, kGood, kWarning, kError };
struct Notice {
    Severity severity = Severity::kInfo;
    QString title;             // what happened
    QString detail;            // why, and what to do; may be empty
    QString technical;         // folds out, can be copied
    QString actionText;        // e.g. "Undo", "Open run"; empty: none
    std::function<void()> action;
};
// Tells the person; never blocks. Shown as a toast and kept in the list behind the bell.
class Notifier final : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    void notify(Notice notice) { Q_EMIT notified(notice); }
    void error(const QString& what, const Error& error);   // message, hint and context of an Error
Q_SIGNALS:
    void notified(const assay::presenters::Notice& notice);
};

// An action that the command palette offers and that may have a key.
struct Command {
    QString id, title, group, shortcut;
    std::function<void()> run;
    std::function<bool()> enabled = {};
};
class CommandRegistry final : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    void add(Command command);             // same id: replaces
    void remove(const QString& id);
    const QList<Command>& commands() const { return commands_; }
Q_SIGNALS:
    void changed();
private:
    QList<Command> commands_;
};

struct AppContext {
    EngineSession& session;
    Settings& settings;
    Navigator& navigator;
    Notifier& notifier;
    CommandRegistry& commands;
};

}  // namespace assay::presenters
