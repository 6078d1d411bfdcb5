#include "assay/core/hash.h"

#include <openssl/evp.h>
#include <xxhash.h>

#include <cerrno>
#include <cstdio>
#include <vector>

namespace assay {

struct Sha256::State {
    EVP_MD_CTX* context = EVP_MD_CTX_new();
    ~State() { EVP_MD_CTX_free(context); }
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
    ASSAY_CHECK(state_->context && EVP_DigestInit_ex(state_->context, EVP_sha256(), nullptr) == 1,
                "SHA-256 is not available");
}
Sha256::~Sha256() = default;
void Sha256::update(std::string_view bytes) {
    EVP_DigestUpdate(state_->context, bytes.data(), bytes.size());
}
std::string Sha256::finishHex() {
    unsigned char digest[32];
    unsigned size = 0;
    EVP_DigestFinal_ex(state_->context, digest, &size);
    static constexpr char kHex[] = "0123456789abcdef";
    std::string out;
    for (unsigned char byte : digest) {
        out += kHex[byte >> 4];
        out += kHex[byte & 15];
    }
    return out;
}

std::string sha256Hex(std::string_view bytes) {
    Sha256 hash;
    hash.update(bytes);
    return hash.finishHex();
}

Result<std::string> sha256HexOfFile(const std::string& path) {
    // Read, not mapped: a file that someone shortens meanwhile must not end the process.
    struct Closer {
        void operator()(FILE* file) const { std::fclose(file); }
    };
    std::unique_ptr<FILE, Closer> file(std::fopen(path.c_str(), "rbe"));
    if (!file) return fail(systemError("cannot open", path, errno));
    Sha256 hash;
    std::vector<char> buffer(size_t{1} << 20);
    while (size_t n = std::fread(buffer.data(), 1, buffer.size(), file.get()))
        hash.update({buffer.data(), n});
    if (std::ferror(file.get())) return fail(systemError("cannot read", path, errno));
    return hash.finishHex();
}

uint64_t xxh3(std::string_view bytes, uint64_t seed) {
    return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

}  // namespace assay
