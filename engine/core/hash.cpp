#include "assay/core/hash.h"

#include <openssl/evp.h>
#include <xxhash.h>

#include "assay/core/durable.h"

namespace assay {

struct Sha256::State {
    EVP_MD_CTX* context = EVP_MD_CTX_new();
    ~State() { EVP_MD_CTX_free(context); }
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
    ASSAY_CHECK(state_->context && EVP_DigestInit_ex(state_->context, EVP_sha256(), nullptr) == 1, "SHA-256 is not available");
}
Sha256::~Sha256() = default;
void Sha256::update(std::string_view bytes) { EVP_DigestUpdate(state_->context, bytes.data(), bytes.size()); }
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
    ASSAY_TRY(MappedFile file, MappedFile::open(path));
    return sha256Hex(file.bytes());
}

uint64_t xxh3(std::string_view bytes, uint64_t seed) { return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed); }

}  // namespace assay
