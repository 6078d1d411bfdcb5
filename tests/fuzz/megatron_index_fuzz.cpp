// The index of a Megatron dataset: what it accepts can be read, whatever the .bin holds.
#include <cstdint>
#include <string>

#include "export/megatron.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace assay;
    // The first byte splits the input into .idx and .bin.
    if (size == 0) return 0;
    const std::string_view all(reinterpret_cast<const char*>(data) + 1, size - 1);
    const size_t cut = all.size() * data[0] / 255;
    const std::string bin(all.substr(cut));  // of its own, so that reading behind it is seen
    const std::string idx(all.substr(0, cut));
    const auto index = data::MegatronIndex::parse(idx, bin.size(), "fuzz");
    if (!index) return 0;
    std::vector<int32_t> ids;
    for (int64_t d = 0; d < index->documents(); ++d)
        for (int64_t s = index->firstSequence(d); s < index->firstSequence(d + 1); ++s) {
            ids.clear();
            (void)index->read(bin, s, ids);
        }
    return 0;
}
