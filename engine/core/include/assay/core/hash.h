#pragma once
#include <assay/core/error.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace assay {

// SHA-256 in lower-case hex (FIPS 180-4, OpenSSL): content keys, manifests, reports.
std::string sha256Hex(std::string_view bytes);
Result<std::string> sha256HexOfFile(const std::string& path);

class Sha256 {
public:
    Sha256();
    ~Sha256();
    void update(std::string_view bytes);
    std::string finishHex();

private:
    struct State;
    std::unique_ptr<State> state_;
};

// XXH3 64-bit: cache shards, deduplication, hash splits. Stable across versions and machines.
uint64_t xxh3(std::string_view bytes, uint64_t seed = 0);

}  // namespace assay
