#pragma once
// Where an engine listens and what lets us in: `<store>/engine.json`, mode 0600.

#include <assay/protocol/handshake.h>

#include <functional>
#include <string>

namespace assay::client {

using protocol::Endpoint;  // the token is never printed, logged or put into a URL

// kNotFound: no engine was started on this store. kUnreachable: the file is left over from one that died.
// kUnauthorized: others could read the token (mode or owner), so it is not used.
Result<Endpoint> readEndpoint(const std::string& storeFolder);

// ws:// and wss:// only, with a host, without user, password, query or fragment.
Result<void> checkEngineUrl(const std::string& url);

// Asked before every connection attempt, on the client's thread: an engine that was restarted has another port and
// token. It may block as long as its owner can afford that.
using EndpointSource = std::function<Result<Endpoint>()>;

// An engine that `assay attach` holds a tunnel to is noted under the cache folder (mode 0600), so that `--engine
// ws://127.0.0.1:PORT` finds its token. The note lives as long as the object.
class AttachedNote {
public:
    static Result<AttachedNote> write(const Endpoint& endpoint);
    AttachedNote() = default;
    AttachedNote(AttachedNote&& other) noexcept;
    AttachedNote& operator=(AttachedNote&& other) noexcept;
    ~AttachedNote();

private:
    std::string path_;
};
// The token for a URL given by hand: $ASSAY_TOKEN, else a note, else the store's own endpoint file when it names the
// same URL; empty when none is known.
std::string tokenForUrl(const std::string& url, const std::string& storeFolder);

}  // namespace assay::client
