#pragma once
// A file as bytes in order: plain, .gz (several members), .zst (several frames), UTF-8 with or without byte order mark, or
// UTF-16 with one. Memory is bounded whatever the size. One thread.
#include <assay/core/error.h>

#include <cstdint>
#include <memory>
#include <string>

namespace assay::data {

class ByteStream {
public:
    virtual ~ByteStream() = default;
    virtual Result<size_t> read(char* out, size_t room) = 0;  // fills as much of `out` as there is; less: the end
    virtual int64_t position() const = 0;                     // bytes of the file that were read
    virtual bool seekable() const { return false; }
    virtual Result<void> seek(uint64_t) { return fail(ErrorCode::kInternal, "this stream cannot seek"); }
};
using ByteStreamPtr = std::unique_ptr<ByteStream>;

struct OpenedBytes {
    ByteStreamPtr stream;
    int64_t size = 0;      // of the file
    std::string packing;   // "", "gzip", "zstd"
    std::string encoding;  // "UTF-8", "UTF-16LE", "UTF-16BE"
};
// UTF-8 without byte order mark. Text in UTF-16 is turned into UTF-8 (an unpaired surrogate gives bytes that are none, so
// that its row is told); UTF-32 is refused.
Result<OpenedBytes> openBytes(const std::string& path);

// The first bytes of a file as they lie there.
Result<std::string> readStart(const std::string& path, size_t bytes);

// Which encoding a text that is not UTF-8 seems to be in, as iconv names it; empty: no idea.
std::string guessEncoding(std::string_view bytes);
// What to tell people about it.
std::string encodingHint(std::string_view bytes);

}  // namespace assay::data
