#pragma once
#include "import/byte_stream.h"

namespace assay::data {

// A small file that unpacks to very much is refused: more than 1 GiB and more than 1000 times its packed size, which
// text does not reach (deflate cannot exceed 1032).
constexpr uint64_t kBombBytes = uint64_t{1} << 30, kBombRatio = 1000;

ByteStreamPtr unpackGzip(ByteStreamPtr packed, const std::string& path);
ByteStreamPtr unpackZstd(ByteStreamPtr packed, const std::string& path);
Result<void> checkUnpacker(const ByteStream& stream);  // kOutOfMemory when it could not be set up

}  // namespace assay::data
