#include "prepare/tokenize.h"

#include <algorithm>
#include <atomic>
#include <thread>

namespace assay::data {
namespace {
constexpr size_t kChunkBytes = 256 << 10;
struct Chunk {
    size_t first, last;  // documents
    std::vector<int32_t> ids;
    std::vector<uint64_t> lengths;
};
}  // namespace

Result<TokenizedDocuments> tokenizeDocuments(const Tokenizer& tokenizer, const std::vector<std::string_view>& texts, const std::vector<int64_t>& lines,
                                             int threads, ProgressMeter& meter, double doneBefore, const std::stop_token& stop) {
    std::vector<Chunk> chunks;
    for (size_t first = 0; first < texts.size();) {
        size_t last = first, bytes = 0;
        while (last < texts.size() && bytes < kChunkBytes) bytes += texts[last++].size();
        chunks.push_back({first, last, {}, {}});
        first = last;
    }
    std::atomic<size_t> next{0};
    std::atomic<int64_t> bytesDone{0};
    auto work = [&](bool reports) {
        Encoding encoding;
        for (size_t c; !stop.stop_requested() && (c = next++) < chunks.size();) {
            Chunk& chunk = chunks[c];
            encoding.ids.clear();
            int64_t bytes = 0;
            for (size_t d = chunk.first; d < chunk.last; ++d) {
                const size_t before = encoding.ids.size();
                if (tokenizer.addsBos()) encoding.ids.push_back(tokenizer.bosId());
                tokenizer.encode(texts[d], {}, encoding);
                if (tokenizer.eosId() >= 0) encoding.ids.push_back(tokenizer.eosId());
                chunk.lengths.push_back(encoding.ids.size() - before);
                bytes += static_cast<int64_t>(texts[d].size());
            }
            chunk.ids = encoding.ids;
            bytesDone += bytes;
            if (reports) meter.update(doneBefore + static_cast<double>(bytesDone));
        }
    };
    {
        const int wanted = threads > 0 ? threads : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
        const int helpers = static_cast<int>(std::min<size_t>(static_cast<size_t>(wanted), std::max<size_t>(chunks.size(), 1))) - 1;
        std::vector<std::jthread> pool;
        for (int i = 0; i < helpers; ++i) pool.emplace_back(work, false);
        work(true);
    }
    if (stop.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
    TokenizedDocuments out;
    size_t total = 0;
    for (const Chunk& c : chunks) total += c.ids.size();
    out.ids.reserve(total);
    out.offsets.reserve(texts.size() + 1);
    for (Chunk& c : chunks) {
        out.ids.insert(out.ids.end(), c.ids.begin(), c.ids.end());
        for (const uint64_t n : c.lengths) out.offsets.push_back(out.offsets.back() + n);
        c = {};
    }
    out.lines = lines;
    return out;
}

}  // namespace assay::data
