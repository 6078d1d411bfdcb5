#include "import/unpack.h"

#include <zlib.h>
#include <zstd.h>

#include <vector>

namespace assay::data {
namespace {

constexpr size_t kIn = size_t{256} << 10;

class Unpacker : public ByteStream {
public:
    Unpacker(ByteStreamPtr packed, std::string path) : packed_(std::move(packed)), path_(std::move(path)), in_(kIn) {}
    Result<size_t> read(char* out, size_t room) override {
        size_t got = 0;
        while (got < room && !done_) {
            ASSAY_TRY(const size_t n, step(out + got, room - got));
            got += n;
            total_ += n;
            if (total_ > kBombBytes && total_ / kBombRatio > static_cast<uint64_t>(position()))
                return fail(ErrorCode::kInvalidFile, path_ + " unpacks to more than " + std::to_string(kBombRatio) + " times its size", "if that is meant, unpack it and name the plain file");
        }
        return got;
    }
    int64_t position() const override { return packed_->position() - static_cast<int64_t>(left_); }
    virtual bool ready() const = 0;

protected:
    virtual Result<size_t> step(char* out, size_t room) = 0;
    Result<void> refill() {
        ASSAY_TRY(left_, packed_->read(in_.data(), in_.size()));
        next_ = in_.data();
        ended_ = left_ < in_.size();
        return {};
    }
    tl::unexpected<Error> broken(const std::string& why) const {
        return fail(ErrorCode::kInvalidFile, path_ + ": " + why + " at byte " + std::to_string(position()), "the file is damaged or cut off: fetch it again");
    }

    ByteStreamPtr packed_;
    std::string path_;
    std::vector<char> in_;
    const char* next_ = nullptr;
    size_t left_ = 0;       // of in_
    bool ended_ = false;    // the file has no more
    bool done_ = false;
    uint64_t total_ = 0;
};

class Gzip final : public Unpacker {
public:
    Gzip(ByteStreamPtr packed, const std::string& path) : Unpacker(std::move(packed), path) { ready_ = inflateInit2(&z_, 15 + 16) == Z_OK; }
    ~Gzip() override {
        if (ready_) inflateEnd(&z_);
    }
    Gzip(const Gzip&) = delete;
    Gzip& operator=(const Gzip&) = delete;
    bool ready() const override { return ready_; }

protected:
    Result<size_t> step(char* out, size_t room) override {
        if (left_ == 0 && !ended_) ASSAY_TRY_VOID(refill());
        if (between_) {  // members follow each other; zeros are the padding of tape archives
            while (left_ > 0 && *next_ == '\0') {
                ++next_;
                --left_;
            }
            if (left_ == 0) {
                done_ = ended_;
                return size_t{0};
            }
            between_ = false;
            if (inflateReset(&z_) != Z_OK) return fail(ErrorCode::kOutOfMemory, "not enough memory to unpack " + path_);
        }
        if (left_ == 0) return broken("the gzip data end too early");
        z_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(next_));
        z_.avail_in = static_cast<uInt>(left_);
        z_.next_out = reinterpret_cast<Bytef*>(out);
        z_.avail_out = static_cast<uInt>(std::min(room, size_t{1} << 30));
        const uInt had = z_.avail_out;
        const int rc = inflate(&z_, Z_NO_FLUSH);
        next_ = reinterpret_cast<const char*>(z_.next_in);
        left_ = z_.avail_in;
        if (rc == Z_STREAM_END) {
            between_ = true;
        } else if (rc != Z_OK && rc != Z_BUF_ERROR) {
            return broken("the gzip data are wrong");
        }
        return size_t{had - z_.avail_out};
    }

private:
    z_stream z_{};
    bool ready_ = false, between_ = false;
};

class Zstd final : public Unpacker {
public:
    Zstd(ByteStreamPtr packed, const std::string& path) : Unpacker(std::move(packed), path), context_(ZSTD_createDCtx(), &ZSTD_freeDCtx) {
        if (context_) ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, 30);  // --long=30
    }
    bool ready() const override { return context_ != nullptr; }

protected:
    Result<size_t> step(char* out, size_t room) override {
        if (left_ == 0 && !ended_) ASSAY_TRY_VOID(refill());
        ZSTD_inBuffer input{next_, left_, 0};
        ZSTD_outBuffer output{out, room, 0};
        if (left_ == 0 && rest_ == 0) {
            done_ = true;
            return size_t{0};
        }
        const size_t before = rest_;
        rest_ = ZSTD_decompressStream(context_.get(), &output, &input);
        next_ += input.pos;
        left_ -= input.pos;
        if (ZSTD_isError(rest_)) return broken(std::string("zstd: ") + ZSTD_getErrorName(rest_));
        if (input.pos == 0 && output.pos == 0 && left_ == 0 && ended_ && rest_ != 0 && before != 0) return broken("the zstd data end too early");
        return output.pos;
    }

private:
    std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context_;
    size_t rest_ = 0;
};

}  // namespace

ByteStreamPtr unpackGzip(ByteStreamPtr packed, const std::string& path) { return std::make_unique<Gzip>(std::move(packed), path); }
ByteStreamPtr unpackZstd(ByteStreamPtr packed, const std::string& path) { return std::make_unique<Zstd>(std::move(packed), path); }

Result<void> checkUnpacker(const ByteStream& stream) {
    if (!static_cast<const Unpacker&>(stream).ready()) return fail(ErrorCode::kOutOfMemory, "not enough memory to unpack a file");
    return {};
}

}  // namespace assay::data
