// Files as bytes: mapped, or unpacked when their name ends in .gz (several members allowed) or .zst (several frames).
#include <zlib.h>
#include <zstd.h>

#include "import/documents.h"

namespace assay::data {
namespace {

constexpr size_t kStep = 1 << 20;

tl::unexpected<Error> broken(const std::string& path, size_t at, const std::string& why) {
    return fail(ErrorCode::kInvalidFile, path + ": " + why + " at byte " + std::to_string(at), "the file is damaged or cut off: fetch it again");
}
tl::unexpected<Error> tooLarge(const std::string& path, size_t limit) {
    return fail(ErrorCode::kInvalidFile, path + " unpacks to more than " + std::to_string(limit >> 30) + " GiB", "unpack it and name the plain file");
}

Result<std::string> unpackGzip(std::string_view in, const std::string& path, size_t limit) {
    std::string out;
    size_t at = 0;
    while (at < in.size()) {
        z_stream z{};
        if (inflateInit2(&z, 15 + 16) != Z_OK) return fail(ErrorCode::kOutOfMemory, "not enough memory to unpack " + path);
        int rc = Z_OK;
        while (rc == Z_OK) {
            const size_t had = out.size(), chunk = std::min(in.size() - at, size_t{1} << 30);
            out.resize(had + kStep);
            z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data() + at));
            z.avail_in = static_cast<uInt>(chunk);
            z.next_out = reinterpret_cast<Bytef*>(out.data() + had);
            z.avail_out = static_cast<uInt>(kStep);
            rc = inflate(&z, Z_NO_FLUSH);
            at += chunk - z.avail_in;
            out.resize(had + kStep - z.avail_out);
            if (rc == Z_BUF_ERROR && z.avail_out == 0) rc = Z_OK;
            if (out.size() > limit) {
                inflateEnd(&z);
                return tooLarge(path, limit);
            }
        }
        inflateEnd(&z);
        if (rc != Z_STREAM_END) return broken(path, at, rc == Z_BUF_ERROR ? "the gzip data end too early" : "the gzip data are wrong");
        while (at < in.size() && in[at] == '\0') ++at;  // padding of tape archives
    }
    return out;
}

Result<std::string> unpackZstd(std::string_view in, const std::string& path, size_t limit) {
    const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(), &ZSTD_freeDCtx);
    if (!context) return fail(ErrorCode::kOutOfMemory, "not enough memory to unpack " + path);
    ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, 30);  // --long=30
    std::string out;
    ZSTD_inBuffer input{in.data(), in.size(), 0};
    size_t rc = 0;
    while (input.pos < input.size || rc != 0) {
        const size_t had = out.size(), before = input.pos;
        out.resize(had + kStep);
        ZSTD_outBuffer output{out.data() + had, kStep, 0};
        rc = ZSTD_decompressStream(context.get(), &output, &input);
        out.resize(had + output.pos);
        if (ZSTD_isError(rc)) return broken(path, input.pos, std::string("zstd: ") + ZSTD_getErrorName(rc));
        if (out.size() > limit) return tooLarge(path, limit);
        if (rc != 0 && output.pos == 0 && input.pos == before) return broken(path, input.pos, "the zstd data end too early");
    }
    return out;
}

}  // namespace

Result<std::string_view> sourceBytes(const std::string& path, Documents& out, size_t limit) {
    ASSAY_TRY(out.file, MappedFile::open(path));
    const bool gzip = path.ends_with(".gz"), zstd = path.ends_with(".zst");
    if (!gzip && !zstd) return out.file.bytes();
    ASSAY_TRY(std::string plain, gzip ? unpackGzip(out.file.bytes(), path, limit) : unpackZstd(out.file.bytes(), path, limit));
    out.owned.push_back(std::move(plain));
    return std::string_view(out.owned.back());
}

}  // namespace assay::data
