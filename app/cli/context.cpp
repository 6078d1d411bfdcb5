#include "context.h"

#include <assay/client/local_engine.h>
#include <assay/client/ssh_tunnel.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>

#include "text/format.h"

namespace assay::cli {

bool writeAll(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t n = ::write(descriptor, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        bytes.remove_prefix(static_cast<size_t>(n));
    }
    return true;
}

void Output::result(const Json& document, const std::function<std::string()>& text) {
    ASSAY_CHECK(!written_, "a command has one result");
    written_ = true;
    std::string bytes = json_ ? dumpJson(document) : text();
    if (!bytes.empty() && bytes.back() != '\n') bytes += '\n';
    write(bytes);
}

void Output::write(std::string_view bytes) {
    if (!failure_ && !writeAll(STDOUT_FILENO, bytes) && errno != EPIPE) failure_ = systemError("cannot write", "standard output", errno);
}

void Output::result(const Json& document, const std::string& text) {
    result(document, [&] { return text; });
}

void Output::text(std::string_view bytes) {
    written_ = true;
    write(bytes);
}

void Output::error(const Error& error) {
    if (json_ && !written_) return result({{"error", errorToJson(error)}}, std::string());
    std::string text = "assay: error: " + safeText(error.message);
    for (const std::string& where : error.context) text += " (" + safeText(where) + ")";
    text += "\n";
    if (!error.hint.empty()) text += "  hint: " + safeText(error.hint) + "\n";
    writeAll(STDERR_FILENO, text);
}

client::EndpointSource Context::endpointSource() const {
    const std::string url = options.engine, store = options.store;
    if (url.empty())
        return [store] { return client::ensureLocalEngine({.store = store}); };
    if (url.starts_with("ssh://")) {
        auto target = client::parseSshUrl(url);
        if (!target) return [error = target.error()]() -> Result<client::Endpoint> { return fail(error); };
        return client::sshEndpointSource(*target, options.storeGiven ? store : std::string());
    }
    return [url, store]() -> Result<client::Endpoint> {
        ASSAY_TRY_VOID(client::checkEngineUrl(url));
        client::Endpoint endpoint;
        endpoint.url = url;
        endpoint.token = client::tokenForUrl(url, store);
        return endpoint;
    };
}

client::RemoteOptions Context::remoteOptions() const {
    client::RemoteOptions remote;
    remote.clientName = "assay";
    remote.clientVersion = ASSAY_VERSION;
    return remote;
}

Result<client::SyncClient*> Context::engine() {
    if (!client_) {
        ASSAY_TRY(client_, client::SyncClient::connect(endpointSource(), remoteOptions()));
    }
    return client_.get();
}

void Context::note(const std::string& text) const {
    if (!options.quiet && !options.json) writeAll(STDERR_FILENO, "assay: " + safeText(text) + "\n");
}

}  // namespace assay::cli
