// assay-studio: the window. Composition only.
#include <assay/core/paths.h>
#include <assay/presenters/app_context.h>
#include <assay/presenters/engine_session.h>
#include <assay/presenters/settings.h>
#include <assay/print/render_command.h>
#include <assay/shell/language.h>
#include <assay/shell/main_window.h>
#include <assay/style/tokens.h>

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QIcon>
#include <QThread>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "options.h"
#include "quit_signal.h"
#include "timing.h"

namespace {

using namespace assay;

int failed(const Error& error) {
    std::fprintf(stderr, "assay-studio: error: %s\n", error.message.c_str());
    if (!error.hint.empty()) std::fprintf(stderr, "  hint: %s\n", error.hint.c_str());
    return error.code == ErrorCode::kBadUsage ? 2 : 1;
}

style::ThemeChoice themeOf(const QString& name) {
    return name == QLatin1String("light") ? style::ThemeChoice::kLight : name == QLatin1String("dark") ? style::ThemeChoice::kDark : style::ThemeChoice::kSystem;
}

QString settingsPath() {
    QString folder = qEnvironmentVariable("XDG_CONFIG_HOME");
    if (!folder.startsWith(QLatin1Char('/'))) folder = QDir::homePath() + QStringLiteral("/.config");
    return folder + QStringLiteral("/assay/studio.json");
}

presenters::EngineTarget targetOf(const studio::Options& options, const presenters::Settings& settings) {
    using presenters::EngineTarget;
    if (!options.store.isEmpty()) return {EngineTarget::Kind::kLocal, QFileInfo(options.store).absoluteFilePath()};
    if (!options.engine.isEmpty())
        if (auto target = presenters::parseTarget(options.engine)) return *target;
    if (auto target = presenters::parseTarget(settings.text(QStringLiteral("engine.target")))) return *target;
    return {};
}

Json argumentOf(const studio::Options& options) {
    const QStringList ids = options.runs.split(QLatin1Char(','), Qt::SkipEmptyParts);
    if (ids.isEmpty()) return Json::object();
    Json list = Json::array();
    for (const QString& id : ids) list.push_back(id.toStdString());
    return {{"run", ids.first().toStdString()}, {"runs", std::move(list)}};
}

int show(QApplication& application, const studio::Options& options) {
    presenters::Settings settings(settingsPath());
    const QString theme = options.theme.isEmpty() ? settings.text(QStringLiteral("theme")) : options.theme;
    QString language = options.language.isEmpty() ? settings.text(QStringLiteral("language")) : options.language;
    if (const QString forced = qEnvironmentVariable("ASSAY_STUDIO_LANGUAGE"); !forced.isEmpty()) language = forced;
    shell::installLanguage(language);

    presenters::EngineSession session(presenters::threadedClientFactory(ASSAY_VERSION));
    session.connectTo(targetOf(options, settings));   // first: the engine starts while the window is built
    style::install(application, themeOf(theme));
    presenters::Navigator navigator;
    presenters::Notifier notifier;
    presenters::CommandRegistry commands;
    presenters::AppContext context{session, settings, navigator, notifier, commands};
    shell::MainWindow window(context);
    if (!options.page.isEmpty()) {
        window.openPage(options.page, argumentOf(options));
    } else {
        const Json argument = settings.value(QStringLiteral("window.argument"));
        window.openPage(settings.text(QStringLiteral("window.page"), QStringLiteral("home")), argument.is_object() ? argument : Json::object());
    }
    studio::reportTiming(window);
    studio::onQuitSignal([&window] { window.close(); });
    window.show();
    if (!options.paths.isEmpty()) window.openPaths(options.paths);
    return application.exec();
}

}  // namespace

int main(int argc, char** argv) {
    QStringList arguments;
    for (int i = 1; i < argc; ++i) arguments.append(QString::fromLocal8Bit(argv[i]));
    const auto options = studio::parseOptions(arguments);
    if (!options) return failed(options.error());
    if (options->help || options->version) {
        std::fputs(options->help ? qPrintable(studio::usage()) : ASSAY_VERSION "\n", stdout);
        return 0;
    }
    if (!options->renderReport.isEmpty()) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
        int none = 1;
        QGuiApplication application(none, argv);
        return print::renderReport(options->renderReport, options->out);
    }
    if (auto display = studio::requireDisplay(); !display) return failed(display.error());
    // Wayland where its plugin is installed, X11 otherwise; a person's own choice stands.
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM") && !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY")) qputenv("QT_QPA_PLATFORM", "wayland;xcb");
    int qtArguments = 1;   // Qt's own options are not ours
    QApplication application(qtArguments, argv);
    QApplication::setApplicationName(QStringLiteral("assay-studio"));
    QApplication::setApplicationDisplayName(QStringLiteral("Assay"));
    QApplication::setApplicationVersion(QStringLiteral(ASSAY_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("assay-studio"));
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/assay/assay-studio.svg")));
    const int code = show(application, *options);

    // A thread that still waits for ssh is not waited for longer than a moment; the process ends around it.
    QElapsedTimer timer;
    timer.start();
    while (presenters::runningClientThreads() > 0 && timer.elapsed() < 2000) {
        QCoreApplication::processEvents();
        QThread::msleep(2);
    }
    if (presenters::runningClientThreads() > 0) {
        std::fflush(nullptr);
        std::_Exit(code);
    }
    return code;
}
