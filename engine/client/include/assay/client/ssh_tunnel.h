#pragma once
// An engine on another machine through the system's ssh: the user's own configuration, agent and known_hosts decide, and
// no port is opened to anyone. ASSAY_SSH replaces the program, ASSAY_SSH_CONFIG=FILE becomes `-F FILE`,
// ASSAY_REMOTE_PROGRAM is the assay program on the other machine (default: assay, found by its PATH).

#include <assay/client/endpoint.h>

#include <memory>
#include <string>
#include <vector>

namespace assay::client {

struct SshTarget {
    std::string user;  // empty: ssh decides
    std::string host;
    int port = 0;      // 0: ssh decides
    std::string text() const;  // [user@]host[:port]
};
// "ssh://[user@]host[:port]"; refuses names that ssh could take for options or a shell could take apart.
Result<SshTarget> parseSshUrl(const std::string& url);

// argv up to and with the host, without a remote command.
std::vector<std::string> sshCommand(const SshTarget& target, const std::vector<std::string>& options);
// The one remote command: starts the engine when the program is there, then prints its endpoint file. Empty store: the
// remote default.
std::string remoteEndpointCommand(const std::string& remoteStore, const std::string& remoteProgram);

// Blocks while it opens; use it on one thread. The ssh process ends with the object, and with the thread that opened it.
class SshTunnel {
public:
    static Result<std::unique_ptr<SshTunnel>> open(const SshTarget& target, const std::string& remoteStore);
    ~SshTunnel();
    const Endpoint& endpoint() const;   // url is the local end
    bool waitForEnd(double seconds);    // true when ssh has ended
    std::string lastWords();            // what ssh said

private:
    struct State;
    explicit SshTunnel(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

// Opens the tunnel when first asked, and anew when it has ended.
EndpointSource sshEndpointSource(SshTarget target, std::string remoteStore);

}  // namespace assay::client
