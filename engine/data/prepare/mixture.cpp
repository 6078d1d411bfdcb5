#include "prepare/mixture.h"

#include <assay/core/random.h>

#include <cmath>

namespace assay::data {

Mixture::Mixture(const std::string& folder, std::vector<double> weights) {
    for (const double weight : weights) {
        sources_.emplace_back(folder);
        sources_.back().weight = weight;
    }
}

Result<void> Mixture::add(size_t source, const int32_t* ids, const uint8_t* mask, size_t n, int64_t line) {
    Source& s = sources_[source];
    if (mask && !s.masked) {
        s.masked = true;
        ASSAY_TRY_VOID(s.mask.resize(s.ids.size()));
        for (size_t i = 0; i < s.ids.size(); ++i) s.mask[i] = 1;
    }
    ASSAY_TRY_VOID(s.ids.append(ids, n));
    if (mask) {
        ASSAY_TRY_VOID(s.mask.append(mask, n));
    } else if (s.masked) {
        const std::vector<uint8_t> all(n, 1);
        ASSAY_TRY_VOID(s.mask.append(all.data(), n));
    }
    ASSAY_TRY_VOID(s.ends.push(s.ids.size()));
    return s.lines.push(line);
}

Result<void> Mixture::put(Source& s, size_t d, PartWriter& out, Share& share) {
    const uint64_t begin = d == 0 ? 0 : s.ends[d - 1], end = s.ends[d];
    share.tokens += static_cast<int64_t>(end - begin);
    ++share.documentsOut;
    return out.add(s.ids.data() + begin, s.masked ? s.mask.data() + begin : nullptr, end - begin, s.lines[d]);
}

Result<std::vector<Mixture::Share>> Mixture::emit(PartWriter& out, const std::function<bool()>& stopped) {
    double weights = 0;
    int64_t epoch = 0;
    for (const Source& s : sources_) {
        if (s.ends.size() == 0) continue;
        weights += s.weight;
        epoch += static_cast<int64_t>(s.ids.size());
    }
    std::vector<Share> shares(sources_.size());
    for (size_t i = 0; i < sources_.size(); ++i) {
        Source& s = sources_[i];
        Share& share = shares[i];
        share.documents = static_cast<int64_t>(s.ends.size());
        share.tokensIn = static_cast<int64_t>(s.ids.size());
        if (share.documents == 0) continue;
        const auto quota = static_cast<int64_t>(std::llround(static_cast<double>(epoch) * s.weight / weights));
        const int64_t passes = quota / share.tokensIn;
        for (int64_t pass = 0; pass < passes; ++pass)
            for (size_t d = 0; d < s.ends.size(); ++d) {
                if ((d & 1023) == 0 && stopped()) return fail(ErrorCode::kCancelled, "cancelled");
                ASSAY_TRY_VOID(put(s, d, out, share));
            }
        const Permutation order(s.ends.size(), mixBits(i, s.ends.size()));
        int64_t part = 0;
        for (size_t k = 0; k < s.ends.size(); ++k) {
            if ((k & 1023) == 0 && stopped()) return fail(ErrorCode::kCancelled, "cancelled");
            const size_t d = order(k);
            const auto n = static_cast<int64_t>(s.ends[d] - (d == 0 ? 0 : s.ends[d - 1]));
            if (share.tokens + (n + 1) / 2 > quota) break;
            ASSAY_TRY_VOID(put(s, d, out, share));
            ++part;
        }
        share.leftOut = passes == 0 ? share.documents - part : 0;
    }
    return shares;
}

}  // namespace assay::data
