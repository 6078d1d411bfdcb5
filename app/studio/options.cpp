#include "options.h"

#include <assay/client/endpoint.h>
#include <assay/presenters/engine_session.h>

#include <QList>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>

namespace assay::studio {
namespace {

struct Named {
    const char* name;
    QString Options::*value;
    QStringList choices;
};

const QList<Named>& named() {
    static const QList<Named> kNamed = {
        {"--engine", &Options::engine, {}},
        {"--store", &Options::store, {}},
        {"--page", &Options::page, {}},
        {"--runs", &Options::runs, {}},
        {"--theme", &Options::theme, {QStringLiteral("light"), QStringLiteral("dark"), QStringLiteral("system")}},
        {"--language", &Options::language, {QStringLiteral("en"), QStringLiteral("zh_CN")}},
        {"--render-report", &Options::renderReport, {}},
        {"--out", &Options::out, {}},
    };
    return kNamed;
}

tl::unexpected<Error> wrong(const QString& message) { return fail(ErrorCode::kBadUsage, message.toStdString(), "see assay-studio --help"); }

Result<void> take(Options& options, const QString& name, const QString& value) {
    for (const Named& entry : named()) {
        if (name != QLatin1String(entry.name)) continue;
        if (value.isEmpty()) return wrong(QStringLiteral("%1 needs a value").arg(name));
        if (!entry.choices.isEmpty() && !entry.choices.contains(value))
            return wrong(QStringLiteral("%1 is one of %2, not \"%3\"").arg(name, entry.choices.join(QStringLiteral(", ")), value));
        options.*(entry.value) = value;
        return {};
    }
    return wrong(QStringLiteral("there is no option %1").arg(name));
}

bool opens(const QString& path, bool abstractName) {
    const QByteArray bytes = path.toLocal8Bit();
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const size_t offset = abstractName ? 1 : 0;   // an abstract name begins with a zero byte
    if (bytes.size() + offset >= sizeof address.sun_path) return false;
    std::memcpy(address.sun_path + offset, bytes.constData(), static_cast<size_t>(bytes.size()));
    const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return false;
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + offset + static_cast<size_t>(bytes.size()));
    const bool ok = ::connect(fd, reinterpret_cast<const sockaddr*>(&address), length) == 0;
    ::close(fd);
    return ok;
}

}  // namespace

Result<Options> parseOptions(const QStringList& arguments) {
    Options options;
    bool onlyPaths = false;
    for (qsizetype i = 0; i < arguments.size(); ++i) {
        const QString& argument = arguments[i];
        if (onlyPaths || !argument.startsWith(QLatin1Char('-')) || argument == QLatin1String("-")) {
            options.paths.append(argument);
        } else if (argument == QLatin1String("--")) {
            onlyPaths = true;
        } else if (argument == QLatin1String("--help") || argument == QLatin1String("-h")) {
            options.help = true;
        } else if (argument == QLatin1String("--version")) {
            options.version = true;
        } else if (const auto equals = argument.indexOf(QLatin1Char('=')); equals > 0) {
            ASSAY_TRY_VOID(take(options, argument.left(equals), argument.mid(equals + 1)));
        } else {
            const bool last = i + 1 == arguments.size();
            ASSAY_TRY_VOID(take(options, argument, last ? QString() : arguments[i + 1]));
            ++i;
        }
    }
    if (!options.engine.isEmpty()) {
        ASSAY_TRY_VOID(presenters::parseTarget(options.engine));
        if (!options.store.isEmpty()) return wrong(QStringLiteral("--store names a store of this machine; with --engine the engine has its own"));
    }
    if (!options.runs.isEmpty() && options.page.isEmpty()) return wrong(QStringLiteral("--runs goes with --page run or --page compare"));
    if (options.renderReport.isEmpty() != options.out.isEmpty()) return wrong(QStringLiteral("--render-report and --out belong together"));
    return options;
}

QString usage() {
    return QStringLiteral(
        "Usage: assay-studio [OPTIONS] [FILE]...\n\n"
        "  --engine URL           ssh://HOST, ws://HOST:PORT or wss://HOST:PORT; default: the engine of this machine\n"
        "  --store DIR            store of this machine's engine\n"
        "  --page KEY             page to open: home, data, models, experiment, runs, compare, benchmark, try, engines, settings\n"
        "  --runs ID[,ID]...      what the page shows: run (one) or compare\n"
        "  --theme THEME          light, dark or system\n"
        "  --language LANGUAGE    en or zh_CN\n"
        "  --render-report FILE --out F.pdf\n"
        "                         draw a report (JSON of assay report) as PDF and leave; needs no display\n"
        "  --version, --help\n\n"
        "FILE: datasets, experiments (.yaml) and models open on their pages.\n");
}

Result<void> requireDisplay() {
    const QByteArray platform = qgetenv("QT_QPA_PLATFORM");
    if (!platform.isEmpty() && !platform.startsWith("xcb") && !platform.startsWith("wayland")) return {};
    const QString wayland = qEnvironmentVariable("WAYLAND_DISPLAY"), display = qEnvironmentVariable("DISPLAY");
    const char* hint = "start it on a desktop, or use the assay command, which needs none";
    if (wayland.isEmpty() && display.isEmpty()) return fail(ErrorCode::kUnreachable, "there is no display to open a window on (DISPLAY and WAYLAND_DISPLAY are not set)", hint);
    if (!wayland.isEmpty()) {
        const QString path = wayland.startsWith(QLatin1Char('/')) ? wayland : qEnvironmentVariable("XDG_RUNTIME_DIR") + QLatin1Char('/') + wayland;
        if (opens(path, false)) return {};
    }
    if (!display.isEmpty()) {
        const auto colon = display.lastIndexOf(QLatin1Char(':'));
        const QString host = colon < 0 ? QString() : display.left(colon), number = display.mid(colon + 1).section(QLatin1Char('.'), 0, 0);
        if (!host.isEmpty() && host != QLatin1String("unix")) return {};   // over the network (ssh -X): Qt finds out
        const QString path = QStringLiteral("/tmp/.X11-unix/X") + number;
        if (opens(path, false) || opens(path, true)) return {};
    }
    const QString names = QStringList{wayland, display}.join(QLatin1Char(' ')).trimmed();
    return fail(ErrorCode::kUnreachable, "the display " + names.toStdString() + " does not answer", hint);
}

}  // namespace assay::studio
