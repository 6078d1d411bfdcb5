#include "assay/client/ssh_tunnel.h"

#include <assay/core/clock.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>

#include <QProcess>
#include <QTcpServer>
#include <QTcpSocket>
#include <QUrl>
#include <cstdlib>

namespace assay::client {
namespace {

constexpr int kPeopleSeconds = 120;  // a person may have to type a password or confirm a host key

void prepare(QProcess& process, const std::vector<std::string>& argv) {
    QStringList arguments;
    for (size_t i = 1; i < argv.size(); ++i) arguments << QString::fromStdString(argv[i]);
    process.setProgram(QString::fromStdString(argv[0]));
    process.setArguments(arguments);
    process.setStandardInputFile(QProcess::nullDevice());  // ssh asks for passwords on the terminal, not on stdin
    process.setChildProcessModifier([] {
        // Ctrl-C is for the command, which then still needs its tunnel (ssh keeps an ignored SIGINT ignored); and no
        // tunnel is left behind when the command is killed.
        ::signal(SIGINT, SIG_IGN);
        ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    });
}

std::string lastLineOf(const QByteArray& text) {
    const QByteArray trimmed = text.trimmed();
    return trimmed.mid(trimmed.lastIndexOf('\n') + 1).trimmed().toStdString();
}

Error notStarted(const QProcess& process) {
    return {ErrorCode::kUnreachable, fmt::format("cannot start {}: {}", process.program().toStdString(), process.errorString().toStdString()),
            "install openssh-client, or set ASSAY_SSH"};
}

Error sshError(const SshTarget& target, const QProcess& process, const std::string& words) {
    const int code = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
    if (code == 41)
        return {ErrorCode::kUnreachable, fmt::format("the engine on {} did not start: {}", target.text(), words.empty() ? "no reason given" : words),
                "log in there and run: assay engine start"};
    if (code == 42)
        return {ErrorCode::kUnreachable, fmt::format("no engine runs on {}, and no assay program was found there to start one", target.text()),
                "install Assay there, or set ASSAY_REMOTE_PROGRAM to its path; --store names another store"};
    return {ErrorCode::kUnreachable,
            fmt::format("ssh to {} failed: {}", target.text(), words.empty() ? fmt::format("exit code {}", code) : words),
            fmt::format("try: ssh {}{}", target.port ? fmt::format("-p {} ", target.port) : "",
                        (target.user.empty() ? "" : target.user + "@") + target.host)};
}

Result<Endpoint> readRemoteEndpoint(const SshTarget& target, const std::string& remoteStore) {
    const char* program = std::getenv("ASSAY_REMOTE_PROGRAM");
    std::vector<std::string> argv = sshCommand(target, {});
    argv.push_back(remoteEndpointCommand(remoteStore, program ? program : ""));
    QProcess process;
    prepare(process, argv);
    process.start();
    if (!process.waitForStarted()) return fail(notStarted(process));
    if (!process.waitForFinished(kPeopleSeconds * 1000)) {
        process.kill();
        process.waitForFinished();
        return fail(ErrorCode::kUnreachable, fmt::format("ssh to {} did not finish within {} s", target.text(), kPeopleSeconds));
    }
    if (process.exitStatus() != QProcess::NormalExit || process.exitCode() != 0)
        return fail(sshError(target, process, lastLineOf(process.readAllStandardError())));
    const std::string what = "engine.json of " + target.text();
    JsonLimits limits;
    limits.maxBytes = 64 << 10;
    ASSAY_TRY(const Json json, parseJson(process.readAllStandardOutput().toStdString(), what, limits));
    auto endpoint = protocol::endpointFromJson(json);
    if (!endpoint) return fail(std::move(endpoint).error().with(what));
    if (auto ok = checkEngineUrl(endpoint->url); !ok) return fail(std::move(ok).error().with(what));
    return endpoint;
}

int freePort() {
    QTcpServer server;
    return server.listen(QHostAddress::LocalHost, 0) ? server.serverPort() : 0;
}

}  // namespace

struct SshTunnel::State {
    QProcess process;
    Endpoint endpoint;
    QByteArray words;
};

SshTunnel::SshTunnel(std::unique_ptr<State> state) : state_(std::move(state)) {}
SshTunnel::~SshTunnel() {
    if (state_->process.state() == QProcess::NotRunning) return;
    state_->process.terminate();
    if (!state_->process.waitForFinished(3000)) state_->process.kill();
    state_->process.waitForFinished(3000);
}
const Endpoint& SshTunnel::endpoint() const { return state_->endpoint; }

bool SshTunnel::waitForEnd(double seconds) {
    if (state_->process.state() == QProcess::NotRunning) return true;
    const bool ended = state_->process.waitForFinished(static_cast<int>(seconds * 1000));
    state_->words += state_->process.readAllStandardError();
    if (state_->words.size() > 64 << 10) state_->words = state_->words.right(4 << 10);
    return ended || state_->process.state() == QProcess::NotRunning;
}
std::string SshTunnel::lastWords() {
    state_->words += state_->process.readAllStandardError();
    return lastLineOf(state_->words);
}

Result<std::unique_ptr<SshTunnel>> SshTunnel::open(const SshTarget& target, const std::string& remoteStore) {
    auto state = std::make_unique<State>();
    ASSAY_TRY(state->endpoint, readRemoteEndpoint(target, remoteStore));
    const QUrl remote(QString::fromStdString(state->endpoint.url));
    const int remotePort = remote.port(remote.scheme() == QStringLiteral("wss") ? 443 : 80);

    // Between choosing a port and ssh binding it another program may take it: then ssh leaves, and the next port is tried.
    for (int attempt = 0; attempt < 3; ++attempt) {
        const int port = freePort();
        if (!port) return fail(ErrorCode::kIo, "no free local port for the ssh tunnel");
        const std::string forward = fmt::format("127.0.0.1:{}:{}:{}", port, "127.0.0.1", remotePort);
        prepare(state->process, sshCommand(target, {"-N", "-L", forward, "-o", "ExitOnForwardFailure=yes"}));
        state->process.setStandardOutputFile(QProcess::nullDevice());
        state->process.start();
        if (!state->process.waitForStarted()) return fail(notStarted(state->process));
        const double deadline = monotonicSeconds() + kPeopleSeconds;
        while (monotonicSeconds() < deadline) {
            if (state->process.waitForFinished(30) || state->process.state() == QProcess::NotRunning) break;
            QTcpSocket probe;
            probe.connectToHost(QHostAddress(QHostAddress::LocalHost), static_cast<quint16>(port));
            if (!probe.waitForConnected(1000)) continue;
            probe.abort();
            state->endpoint.url = fmt::format("{}://127.0.0.1:{}{}", remote.scheme().toStdString(), port, remote.path().toStdString());
            return std::unique_ptr<SshTunnel>(new SshTunnel(std::move(state)));
        }
        state->words = state->process.readAllStandardError();
        if (!state->words.contains("Address already in use")) break;
    }
    if (state->process.state() != QProcess::NotRunning) {
        state->process.kill();
        state->process.waitForFinished();
        return fail(ErrorCode::kUnreachable, fmt::format("the ssh tunnel to {} did not come up within {} s", target.text(), kPeopleSeconds));
    }
    return fail(sshError(target, state->process, lastLineOf(state->words)));
}

EndpointSource sshEndpointSource(SshTarget target, std::string remoteStore) {
    auto tunnel = std::make_shared<std::unique_ptr<SshTunnel>>();
    return [tunnel, target = std::move(target), remoteStore = std::move(remoteStore)]() -> Result<Endpoint> {
        // The engine may have been restarted on another port: a connection that was lost gets a fresh tunnel.
        tunnel->reset();
        ASSAY_TRY(*tunnel, SshTunnel::open(target, remoteStore));
        return (*tunnel)->endpoint();
    };
}

}  // namespace assay::client
