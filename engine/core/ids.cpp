#include "assay/core/ids.h"

#include <sys/random.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <vector>

#include "assay/core/clock.h"
#include "assay/core/error.h"

namespace assay {
namespace {
constexpr char kAlphabet[] = "0123456789abcdefghjkmnpqrstvwxyz";
constexpr size_t kTimeDigits = 8, kRandomDigits = 5;
constexpr uint64_t kRandomRange = uint64_t{1} << (5 * kRandomDigits);
// 2025-01-01T00:00:00Z. 40 bits of milliseconds would have wrapped in 2004 when counted from 1970; so they
// last to 2059.
constexpr double kEpochSeconds = 1735689600.0;

void randomBytes(void* out, size_t size) {
    ASSAY_CHECK(getrandom(out, size, 0) == static_cast<ssize_t>(size), "getrandom failed");
}
}  // namespace

std::string newRunId() {
    uint32_t fresh = 0;
    randomBytes(&fresh, sizeof fresh);
    static std::mutex mutex;
    static uint64_t lastTime = 0, lastRandom = 0;  // of the previous id of this process
    uint64_t time = 0, random = 0;
    {
        std::lock_guard lock(mutex);
        time = static_cast<uint64_t>(std::max(0.0, wallSeconds() - kEpochSeconds) * 1000.0);
        random = fresh % kRandomRange;
        // Within a millisecond, or when the clock steps back, ids go on counting: they stay unique and
        // sorted.
        if (time <= lastTime) {
            random = (lastRandom + 1) % kRandomRange;
            time = lastTime + (random == 0);
        }
        lastTime = time;
        lastRandom = random;
    }
    std::string id(kTimeDigits + kRandomDigits, '0');
    for (size_t i = kTimeDigits; i-- > 0; time /= 32)
        id[i] = kAlphabet[time % 32];
    for (size_t i = id.size(); i-- > kTimeDigits; random /= 32)
        id[i] = kAlphabet[random % 32];
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
