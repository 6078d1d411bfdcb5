#include "export/unpack_row.h"

namespace assay::data {

void unpackRow(const PreparedFolder& data, bool evaluation, int64_t sequence, UnpackedRow& out) {
    for (auto* column : {&out.ids, &out.labels, &out.positions, &out.lengths, &out.next}) column->clear();
    const auto row = data.row(evaluation, sequence);
    const Shard& shard = *row.shard;
    uint64_t token = shard.firstToken(row.index);
    for (uint64_t g = shard.firstSegment(row.index); g < shard.firstSegment(row.index + 1); ++g) {
        const uint32_t length = shard.length(g);
        for (uint32_t i = 0; i < length; ++i, ++token) {
            const int32_t id = shard.id(token);
            out.ids.push_back(id);
            out.labels.push_back(i > 0 && shard.learned(token) ? id : kNotScored);
            out.positions.push_back(static_cast<int32_t>(i));
        }
        out.lengths.push_back(static_cast<int32_t>(length));
        out.next.push_back(shard.tail(g));
    }
}

DocumentWalk::DocumentWalk(const PreparedFolder& data) : data_(data) {
    const std::string packing = jsonStringOr(data.manifest(), "packing", "");
    ordered_ = packing == "none" || packing == "concat";
}

}  // namespace assay::data
