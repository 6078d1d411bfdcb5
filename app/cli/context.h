#pragma once
// What a command has at hand: the global options, its one output, and the engine when it asks for it.

#include <assay/client/sync_client.h>
#include <assay/core/json.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace assay::cli {

struct GlobalOptions {
    std::string store;        // absolute
    bool storeGiven = false;  // by --store, not by default
    std::string engine;       // ws://, wss://, ssh://; empty: the store's own engine on this machine
    bool json = false;
    bool quiet = false;
};

// Standard output of a command. With --json it is exactly one document, whatever happens.
class Output {
public:
    explicit Output(bool json) : json_(json) {}
    bool json() const { return json_; }
    bool written() const { return written_; }
    // The result: the document with --json, else what `text` makes of it.
    void result(const Json& document, const std::function<std::string()>& text);
    void result(const Json& document, const std::string& text);
    // The result in pieces as they are, where CONTRACT.md asks for one document per line; may be called again.
    void text(std::string_view bytes);
    // Why the result did not reach its reader (a full disk, a closed descriptor); a reader who has left is no failure.
    const std::optional<Error>& failure() const { return failure_; }
    void error(const Error& error);  // with --json the error document, unless a result was written: then, and without, on stderr

private:
    void write(std::string_view bytes);
    bool json_, written_ = false;
    std::optional<Error> failure_;
};

class Context {
public:
    explicit Context(GlobalOptions globalOptions) : options(std::move(globalOptions)), out(options.json) {}

    GlobalOptions options;
    Output out;

    // Connects on first use; starts the store's engine when none runs.
    Result<client::SyncClient*> engine();
    bool engineIsLocal() const { return options.engine.empty(); }
    client::EndpointSource endpointSource() const;
    client::RemoteOptions remoteOptions() const;
    void note(const std::string& text) const;  // for people, on stderr, unless --quiet or --json

private:
    std::unique_ptr<client::SyncClient> client_;
};

bool writeAll(int descriptor, std::string_view bytes);  // false with errno when it cannot be written

}  // namespace assay::cli
