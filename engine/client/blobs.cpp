#include "assay/client/blobs.h"

#include <assay/core/durable.h>
#include <assay/core/hash.h>
#include <assay/protocol/version.h>
#include <fmt/format.h>

#include <QByteArray>
#include <algorithm>

namespace assay::client {

Result<std::string> uploadFile(SyncClient& client, const std::string& path, const ProgressSink& progress) {
    ASSAY_TRY(const MappedFile file, MappedFile::open(path));
    const std::string_view bytes = file.bytes();
    const std::string sha256 = sha256Hex(bytes);
    ProgressMeter meter(progress ? progress : [](const Progress&) {}, "upload", "bytes", static_cast<double>(bytes.size()));
    // Base64 makes 4 characters of 3 bytes; a piece stays under the limit in either form.
    constexpr size_t kPiece = protocol::kMaxBlobChunkBytes / 4 * 3;
    size_t offset = 0;
    for (;;) {
        const std::string_view piece = bytes.substr(offset, kPiece);
        const QByteArray data = QByteArray::fromRawData(piece.data(), static_cast<qsizetype>(piece.size())).toBase64();
        ASSAY_TRY(const Json reply, client.callAgain("blobs.put", {{"sha256", sha256},
                                                                   {"offset", offset},
                                                                   {"total", bytes.size()},
                                                                   {"data", data.toStdString()}}));
        offset += piece.size();
        meter.update(static_cast<double>(offset));
        if (jsonBoolOr(reply, "complete", false)) {
            meter.finish();
            return jsonString(reply, "reference");
        }
        if (offset >= bytes.size())
            return fail(ErrorCode::kIo, fmt::format("the engine did not take {} in full", path), "try again");
    }
}

}  // namespace assay::client
