#pragma once
// The rows of a prepared folder as other programs want them.
#include <span>
#include <vector>

#include "prepare/prepared.h"

namespace assay::data {

struct UnpackedRow {
    std::vector<int32_t> ids;
    std::vector<int32_t> labels;     // as transformers count them: labels[i] is ids[i] when the position before predicts it, else -100
    std::vector<int32_t> positions;  // from 0 in each segment
    std::vector<int32_t> lengths;    // of the segments
    std::vector<int32_t> next;       // per segment: what its last position predicts, -100: nothing
};
void unpackRow(const PreparedFolder& data, bool evaluation, int64_t sequence, UnpackedRow& out);

// The documents behind the rows, in their order: the stretches of one that was cut at the end of a row are joined again
// where packing keeps them in a row (none, concat). `visit` gets a document stretch by stretch.
class DocumentWalk {
public:
    explicit DocumentWalk(const PreparedFolder& data);
    // visit(ids, begins): a stretch, and whether a document begins with it. Stops at the first error.
    template <class Visit>
    Result<void> each(bool evaluation, Visit&& visit) const {
        std::vector<int32_t> ids;
        int32_t expected = kNotScored;  // the id that a cut document goes on with
        for (int64_t s = 0; s < data_.sequences(evaluation); ++s) {
            const auto row = data_.row(evaluation, s);
            const Shard& shard = *row.shard;
            uint64_t token = shard.firstToken(row.index);
            for (uint64_t g = shard.firstSegment(row.index); g < shard.firstSegment(row.index + 1); ++g) {
                ids.clear();
                for (uint32_t i = 0; i < shard.length(g); ++i) ids.push_back(shard.id(token++));
                if (ids.empty()) continue;
                ASSAY_TRY_VOID(visit(std::span<const int32_t>(ids), !(ordered_ && expected != kNotScored && expected == ids.front())));
                expected = shard.tail(g);
            }
        }
        return {};
    }
    bool ordered() const { return ordered_; }

private:
    const PreparedFolder& data_;
    bool ordered_;
};

}  // namespace assay::data
