#include "assay/client/endpoint.h"

#include <assay/core/durable.h>
#include <assay/core/paths.h>
#include <assay/core/process.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QUrl>
#include <cerrno>
#include <cstdlib>
#include <utility>

namespace assay::client {
namespace {

constexpr size_t kMaxEndpointBytes = 64 << 10;

Result<Endpoint> readPrivateFile(const std::string& path) {
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0) return fail(systemError("cannot read", path, errno));
    if (info.st_uid != ::geteuid() || (info.st_mode & 077) != 0)
        return fail(ErrorCode::kUnauthorized,
                    fmt::format("{} could be read or written by others (mode {:04o}, owner {})", path, info.st_mode & 07777,
                                info.st_uid),
                    "stop the engine, remove the file and start the engine again");
    ASSAY_TRY(const std::string text, readFile(path, kMaxEndpointBytes));
    ASSAY_TRY(const Json json, parseJson(text, path));
    auto endpoint = protocol::endpointFromJson(json);
    if (!endpoint) return fail(std::move(endpoint).error().with(path));
    if (endpoint->token.empty() || endpoint->token.find_first_of("\r\n") != std::string::npos)
        return fail(ErrorCode::kInvalidFile, path + ": the token is not usable", "start the engine again");
    if (auto ok = checkEngineUrl(endpoint->url); !ok) return fail(std::move(ok).error().with(path));
    return endpoint;
}

std::string noteFolder() { return cacheRoot() + "/attached"; }
std::string notePath(const std::string& url) {
    return fmt::format("{}/{}.json", noteFolder(), QUrl(QString::fromStdString(url)).port());
}

}  // namespace

Result<void> checkEngineUrl(const std::string& text) {
    const QUrl url(QString::fromStdString(text), QUrl::StrictMode);
    const bool scheme = url.scheme() == QStringLiteral("ws") || url.scheme() == QStringLiteral("wss");
    if (!url.isValid() || !scheme || url.host().isEmpty() || !url.userInfo().isEmpty() || url.hasQuery() || url.hasFragment())
        return fail(ErrorCode::kBadUsage, fmt::format("'{}' is not an engine address", text),
                    "give ws://HOST:PORT, wss://HOST:PORT or ssh://[USER@]HOST[:PORT]; the token goes into ASSAY_TOKEN");
    return {};
}

Result<Endpoint> readEndpoint(const std::string& storeFolder) {
    const std::string path = storeFolder + "/" + std::string(protocol::kEndpointFile);
    ASSAY_TRY(Endpoint endpoint, readPrivateFile(path));
    if (!isAlive({endpoint.pid, endpoint.startTicks, -1}))
        return fail(ErrorCode::kUnreachable, fmt::format("the engine of {} is gone (process {})", storeFolder, endpoint.pid),
                    "start it with: assay engine start");
    return endpoint;
}

Result<AttachedNote> AttachedNote::write(const Endpoint& endpoint) {
    ASSAY_TRY_VOID(makeFolders(noteFolder(), 0700));
    AttachedNote note;
    note.path_ = notePath(endpoint.url);
    ASSAY_TRY_VOID(writeFileDurably(note.path_, dumpJson(protocol::endpointToJson(endpoint)), 0600));
    return note;
}
AttachedNote::AttachedNote(AttachedNote&& other) noexcept : path_(std::exchange(other.path_, {})) {}
AttachedNote& AttachedNote::operator=(AttachedNote&& other) noexcept {
    std::swap(path_, other.path_);
    return *this;
}
AttachedNote::~AttachedNote() {
    if (!path_.empty()) ::unlink(path_.c_str());
}

std::string tokenForUrl(const std::string& url, const std::string& storeFolder) {
    if (const char* token = std::getenv("ASSAY_TOKEN"); token && *token) return token;
    if (auto note = readPrivateFile(notePath(url)); note && note->url == url) return note->token;
    if (auto own = readEndpoint(storeFolder); own && own->url == url) return own->token;
    return {};
}

}  // namespace assay::client
