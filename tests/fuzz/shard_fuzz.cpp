// A shard file with any content: refused, or every row of it lies inside.
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "prepare/shard.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace assay::data;
    std::vector<uint64_t> aligned(size / 8 + 1);  // as a mapped file is
    std::memcpy(aligned.data(), data, size);
    const auto shard = Shard::open({reinterpret_cast<const char*>(aligned.data()), size}, "shard");
    if (!shard) return 0;
    int64_t sum = 0;
    for (uint64_t row = 0; row < shard->sequences(); ++row) {
        uint64_t token = shard->firstToken(row);
        for (uint64_t s = shard->firstSegment(row); s < shard->firstSegment(row + 1); ++s) {
            for (uint32_t i = 0; i < shard->length(s); ++i, ++token) sum += shard->id(token) + shard->learned(token);
            sum += shard->tail(s);
        }
    }
    return sum == INT64_MIN;
}
