#include <algorithm>
#include <cmath>
#include <numeric>

#include "inspect/data_file.h"

namespace assay::data {
namespace {

// 0, 1, 2, 3, 4, 6, 8, 11, 16 …: whole numbers, two to an octave, as many as the lengths need.
std::vector<int64_t> edgesFor(int64_t shortest, int64_t longest) {
    std::vector<int64_t> edges{0};
    for (int k = 0; edges.back() <= longest; ++k) {
        const auto edge = static_cast<int64_t>(std::llround(std::exp2(k / 2.0)));
        if (edge > edges.back()) edges.push_back(edge);
    }
    const auto first = std::upper_bound(edges.begin(), edges.end(), shortest) - 1;
    edges.erase(edges.begin(), first);
    return edges;
}

}  // namespace

Result<LengthStatistics> measureLengths(const DataFile& file, const Tokenizer& tokenizer, int64_t sequenceLength, config::OverLength overLength,
                                        const std::stop_token& stop, const EncodeChoice& choice) {
    if (sequenceLength < 2 || sequenceLength > (1 << 24)) return fail(ErrorCode::kBadUsage, "sequence_length is out of range", "use 2 to 16777216");
    ASSAY_TRY(const DocumentSample sample, sampleDocuments(file, tokenizer, choice, true, stop));
    const TokenizedDocuments& docs = sample.documents;
    LengthStatistics out;
    out.rows = file.rows();
    out.sampled = sample.sampled;
    out.rowsUsed = static_cast<int64_t>(docs.size());
    std::vector<int64_t> lengths;
    lengths.reserve(docs.size());
    for (size_t d = 0; d < docs.size(); ++d) lengths.push_back(static_cast<int64_t>(docs.offsets[d + 1] - docs.offsets[d]));
    std::sort(lengths.begin(), lengths.end());
    out.tokens = std::accumulate(lengths.begin(), lengths.end(), int64_t{0});
    out.tokensEstimated = out.tokens;
    if (sample.sampled && sample.rows > 0)
        out.tokensEstimated = std::llround(static_cast<double>(out.tokens) * static_cast<double>(out.rows) / static_cast<double>(sample.rows));
    if (lengths.empty()) return out;
    out.shortest = lengths.front();
    out.longest = lengths.back();
    const size_t n = lengths.size();
    out.median = (static_cast<double>(lengths[(n - 1) / 2]) + static_cast<double>(lengths[n / 2])) / 2;
    out.overLengthRows = lengths.end() - std::upper_bound(lengths.begin(), lengths.end(), sequenceLength);
    out.edges = edgesFor(out.shortest, out.longest);
    out.counts.assign(out.edges.size() - 1, 0);
    for (const int64_t length : lengths) ++out.counts[static_cast<size_t>(std::upper_bound(out.edges.begin(), out.edges.end(), length) - out.edges.begin() - 1)];

    // "error" would stop at the first long row, which over_length_rows tells already.
    const auto policy = overLength == config::OverLength::kError ? config::OverLength::kSplit : overLength;
    const auto padding = [&](config::Packing packing, int64_t* loss) -> Result<double> {
        ASSAY_TRY(const PackResult packed, packDocuments(docs, {sequenceLength, policy, packing}));
        if (loss) *loss = packed.counts.lossTokens;
        const double room = static_cast<double>(packed.rows.size()) * static_cast<double>(sequenceLength);
        return room > 0 ? 1 - static_cast<double>(packed.counts.tokens) / room : 0;
    };
    ASSAY_TRY(out.paddingNone, padding(config::Packing::kNone, nullptr));
    ASSAY_TRY(out.paddingConcat, padding(config::Packing::kConcat, &out.lossTokens));
    ASSAY_TRY(out.paddingBestFit, padding(config::Packing::kBestFit, nullptr));
    return out;
}

}  // namespace assay::data
