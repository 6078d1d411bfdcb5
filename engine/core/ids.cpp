#include "assay/core/ids.h"

#include <sys/random.h>

#include <cstdint>
#include <vector>

#include "assay/core/clock.h"
#include "assay/core/error.h"

namespace assay {
namespace {
constexpr char kAlphabet[] = "0123456789abcdefghjkmnpqrstvwxyz";
constexpr size_t kTimeDigits = 8, kRandomDigits = 5;

void randomBytes(void* out, size_t size) {
    ASSAY_CHECK(getrandom(out, size, 0) == static_cast<ssize_t>(size), "getrandom failed");
}
}  // namespace

std::string newRunId() {
    auto milliseconds = static_cast<uint64_t>(wallSeconds() * 1000.0);
    uint32_t random = 0;
    randomBytes(&random, sizeof random);
    std::string id(kTimeDigits + kRandomDigits, '0');
    for (size_t i = kTimeDigits; i-- > 0; milliseconds /= 32) id[i] = kAlphabet[milliseconds % 32];
    for (size_t i = 0; i < kRandomDigits; ++i, random /= 32) id[kTimeDigits + i] = kAlphabet[random % 32];
    return id;
}

bool isRunId(std::string_view text) {
    return text.size() == kTimeDigits + kRandomDigits &&
           text.find_first_not_of(std::string_view(kAlphabet, 32)) == std::string_view::npos;
}

std::string randomHex(int bytes) {
    std::vector<unsigned char> raw(static_cast<size_t>(bytes));
    randomBytes(raw.data(), raw.size());
    std::string out;
    for (unsigned char byte : raw) {
        out += "0123456789abcdef"[byte >> 4];
        out += "0123456789abcdef"[byte & 15];
    }
    return out;
}

}  // namespace assay
