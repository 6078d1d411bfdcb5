// Everything about ssh that is text: addresses, argv, the remote command.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "assay/client/ssh_tunnel.h"

namespace assay::client {
namespace {

bool plainName(std::string_view text, std::string_view extra) {
    return !text.empty() && text.front() != '-' && std::all_of(text.begin(), text.end(), [&](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || extra.find(c) != std::string_view::npos;
    });
}

tl::unexpected<Error> badTarget(const std::string& url, std::string why) {
    return fail(ErrorCode::kBadUsage, fmt::format("'{}' is not an ssh address: {}", url, why), "give ssh://[USER@]HOST[:PORT]");
}

// One word for a POSIX shell.
std::string shellWord(std::string_view text) {
    std::string out = "'";
    for (char c : text) {
        if (c == '\'') out += "'\\''";
        else out += c;
    }
    return out + "'";
}

}  // namespace

std::string SshTarget::text() const {
    return (user.empty() ? "" : user + "@") + host + (port ? ":" + std::to_string(port) : "");
}

Result<SshTarget> parseSshUrl(const std::string& url) {
    constexpr std::string_view kScheme = "ssh://";
    if (!url.starts_with(kScheme)) return badTarget(url, "it does not start with ssh://");
    std::string rest = url.substr(kScheme.size());
    if (rest.ends_with('/')) rest.pop_back();
    SshTarget target;
    if (const size_t at = rest.find('@'); at != std::string::npos) {
        target.user = rest.substr(0, at);
        rest.erase(0, at + 1);
        if (!plainName(target.user, "._-")) return badTarget(url, "the user name has characters that are not allowed");
    }
    std::string port;
    if (rest.starts_with('[')) {  // [IPv6]:port
        const size_t close = rest.find(']');
        if (close == std::string::npos) return badTarget(url, "']' is missing");
        target.host = rest.substr(1, close - 1);
        rest.erase(0, close + 1);
        if (!plainName(target.host, ":.%_-")) return badTarget(url, "the address has characters that are not allowed");
        if (!rest.empty() && rest.front() != ':') return badTarget(url, "something follows the address");
        if (!rest.empty()) port = rest.substr(1);
        if (!rest.empty() && port.empty()) return badTarget(url, "the port is missing");
    } else {
        const size_t colon = rest.find(':');
        target.host = rest.substr(0, colon);
        if (colon != std::string::npos) port = rest.substr(colon + 1);
        if (colon != std::string::npos && port.empty()) return badTarget(url, "the port is missing");
        if (!plainName(target.host, "._-")) return badTarget(url, "the host name has characters that are not allowed");
    }
    if (!port.empty()) {
        const bool digits = port.size() <= 5 && std::all_of(port.begin(), port.end(), [](char c) { return c >= '0' && c <= '9'; });
        target.port = digits ? std::atoi(port.c_str()) : 0;
        if (target.port < 1 || target.port > 65535) return badTarget(url, "the port is not a number from 1 to 65535");
    }
    return target;
}

std::vector<std::string> sshCommand(const SshTarget& target, const std::vector<std::string>& options) {
    const char* program = std::getenv("ASSAY_SSH");
    const char* config = std::getenv("ASSAY_SSH_CONFIG");
    std::vector<std::string> argv{program && *program ? program : "ssh"};
    if (config && *config) argv.insert(argv.end(), {"-F", config});
    argv.insert(argv.end(), {"-T", "-o", "ConnectTimeout=15", "-o", "ServerAliveInterval=10", "-o", "ServerAliveCountMax=3"});
    argv.insert(argv.end(), options.begin(), options.end());
    if (target.port) argv.insert(argv.end(), {"-p", std::to_string(target.port)});
    if (!target.user.empty()) argv.insert(argv.end(), {"-l", target.user});
    argv.insert(argv.end(), {"--", target.host});
    return argv;
}

std::string remoteEndpointCommand(const std::string& remoteStore, const std::string& remoteProgram) {
    const std::string program = shellWord(remoteProgram.empty() ? "assay" : remoteProgram);
    const std::string store = remoteStore.empty() ? R"("${ASSAY_STORE:-${XDG_DATA_HOME:-$HOME/.local/share}/assay}")" : shellWord(remoteStore);
    // Exit 41: the program is there but its engine did not start (its words are on stderr); 42: there is no engine.
    const std::string script = fmt::format(
        "store={}; if command -v {} >/dev/null 2>&1; then {} --store \"$store\" --quiet engine start --idle-exit 60 >/dev/null || exit 41; fi; "
        "test -r \"$store/engine.json\" || exit 42; cat \"$store/engine.json\"",
        store, program, program);
    return "exec sh -c " + shellWord(script);  // the login shell over there may be any
}

}  // namespace assay::client
