#include <assay/models/format.h>
#include <assay/presenters/link_status.h>

#include <QLocale>

namespace assay::presenters {
namespace {

QString textOf(const std::string& text) { return models::plain(QString::fromStdString(text)); }

// Why the link is closed, in two words for the status bar and in a sentence for the banner.
struct Reason {
    QString word, title, advice;
};

Reason reasonOf(const Error& error, const EngineTarget& target) {
    const QString name = models::plain(target.name());
    switch (error.code) {
        case ErrorCode::kVersionMismatch:
            return {QObject::tr("another version"), QObject::tr("The engine on %1 is of another version than this window.").arg(name),
                    QObject::tr("Update the older of the two, then try again. The runs of that engine are not touched.")};
        case ErrorCode::kUnauthorized:
            return {QObject::tr("wrong token"), QObject::tr("The engine on %1 did not accept the token.").arg(name),
                    QObject::tr("Run “assay engine token” on that machine and give its output as ASSAY_TOKEN, or attach through ssh.")};
        case ErrorCode::kNotFound:
        case ErrorCode::kUnreachable:
        case ErrorCode::kIo:
            if (target.kind == EngineTarget::Kind::kLocal)
                return {QObject::tr("no engine"), QObject::tr("The engine of this machine does not run."),
                        QObject::tr("Try again to start it; if it ends at once, its last words are below.")};
            return {QObject::tr("unreachable"), QObject::tr("%1 cannot be reached.").arg(name),
                    QObject::tr("Check the address, the network and that an engine runs there.")};
        case ErrorCode::kDiskFull:
            return {QObject::tr("disk full"), QObject::tr("The disk of the store on %1 is full.").arg(name), QObject::tr("Free some space, then try again.")};
        case ErrorCode::kCancelled:
            return {QObject::tr("stopped"), QObject::tr("The engine was stopped."), QObject::tr("Runs that were active go on; the queue waits until it is started again.")};
        case ErrorCode::kBadUsage:
            return {QObject::tr("bad address"), QObject::tr("This is not the address of an engine."), QObject::tr("Choose another one on the Engines page.")};
        default: break;
    }
    return {QObject::tr("error"), QObject::tr("The link to the engine on %1 was given up.").arg(name), QObject::tr("Try again, or choose another engine.")};
}

// The engine answers, and what it does is lost.
LinkStatus describeTrouble(const Error& trouble, const EngineTarget& target) {
    const QString name = models::plain(target.name());
    LinkStatus status;
    status.tone = Severity::kError;
    status.banner = status.offerEngines = true;
    status.technical = textOf(trouble.text());
    switch (trouble.code) {
        case ErrorCode::kNotFound:
            status.state = QObject::tr("Store is gone");
            status.title = QObject::tr("The store of the engine on %1 was deleted, moved or replaced; nothing can be recorded.").arg(name);
            status.canRetry = target.kind == EngineTarget::Kind::kLocal;
            status.advice = status.canRetry ? QObject::tr("Put the folder back where it was, or try again to begin with an empty store at the same place.")
                                            : QObject::tr("Put the folder back where it was on that machine, or stop the engine there and attach again.");
            return status;
        case ErrorCode::kDiskFull:
            status.state = QObject::tr("Disk is full");
            status.title = QObject::tr("The disk of the store on %1 is full.").arg(name);
            status.advice = QObject::tr("Free some space. Runs go on, and what they write is taken in as soon as there is room.");
            return status;
        default: break;
    }
    status.state = QObject::tr("Cannot record");
    status.title = QObject::tr("The engine on %1 cannot record anything now.").arg(name);
    status.advice = textOf(trouble.hint.empty() ? trouble.message : trouble.message + "; " + trouble.hint);
    return status;
}

}  // namespace

LinkStatus describeLink(Link link, const std::optional<Error>& error, const QDateTime& staleSince, const EngineTarget& target, const std::optional<Error>& trouble) {
    if (link == Link::kLive && trouble) return describeTrouble(*trouble, target);
    LinkStatus status;
    if (error) status.technical = textOf(error->text());
    switch (link) {
        case Link::kConnecting: status.state = QObject::tr("Connecting"); return status;
        case Link::kLive:
            status.state = QObject::tr("Live");
            status.tone = Severity::kGood;
            if (!error) return status;
            status.tone = Severity::kWarning;
            status.banner = true;
            status.title = QObject::tr("The engine answers, but cannot list its runs.");
            status.advice = textOf(error->hint.empty() ? error->message : error->message + "; " + error->hint);
            return status;
        case Link::kReconnecting: {
            const QString since = QLocale().toString(staleSince.toLocalTime().time(), QStringLiteral("HH:mm"));
            status.tone = Severity::kWarning;
            status.state = staleSince.isValid() ? QObject::tr("Reconnecting, stale since %1").arg(since) : QObject::tr("Reconnecting");
            status.banner = true;
            status.canRetry = status.offerEngines = true;
            status.title = QObject::tr("The link to %1 is lost; what you see is from %2.").arg(models::plain(target.name()), since);
            status.advice = QObject::tr("Runs go on without this window. It tries again by itself.");
            return status;
        }
        case Link::kClosed: break;
    }
    status.tone = Severity::kError;
    status.banner = status.canRetry = status.offerEngines = true;
    const Reason reason = reasonOf(error.value_or(Error(ErrorCode::kUnreachable, "")), target);
    status.state = QObject::tr("Closed: %1").arg(reason.word);
    status.title = reason.title;
    status.advice = reason.advice;
    if (error && !error->hint.empty()) status.advice += QLatin1Char(' ') + QObject::tr("Hint: %1.").arg(textOf(error->hint));
    return status;
}

LinkStatus describeLink(const EngineSession& session) {
    return describeLink(session.link(), session.error(), session.staleSince(), session.target(), session.trouble());
}

}  // namespace assay::presenters
