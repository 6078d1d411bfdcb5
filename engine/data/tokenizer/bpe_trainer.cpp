#include "tokenizer/bpe_trainer.h"

#include <algorithm>
#include <array>
#include <queue>
#include <unordered_map>

#include "tokenizer/byte_level.h"
#include "tokenizer/json_writer.h"
#include "tokenizer/splitter.h"
#include "tokenizer/unicode.h"

namespace assay::data {
namespace {

constexpr int64_t kMaxTrainedVocab = 1'000'000;

uint64_t pairKey(int32_t a, int32_t b) { return static_cast<uint64_t>(static_cast<uint32_t>(a)) << 32 | static_cast<uint32_t>(b); }
int32_t leftOf(uint64_t key) { return static_cast<int32_t>(key >> 32); }
int32_t rightOf(uint64_t key) { return static_cast<int32_t>(key & UINT32_MAX); }

struct Word {
    std::vector<int32_t> symbols;
    int64_t count = 0;
};
struct PairInfo {
    int64_t count = 0;
    std::vector<uint32_t> words;  // where it occurs; may name a word twice or one it has left
};
struct Candidate {
    int64_t count;
    uint64_t pair;
    bool operator<(const Candidate& o) const { return count != o.count ? count < o.count : pair > o.pair; }
};

class Trainer {
public:
    Trainer() {
        add("<|endoftext|>");
        std::vector<std::pair<char32_t, int>> alphabet;
        for (int b = 0; b < 256; ++b) alphabet.emplace_back(codePointAt(byteChar(static_cast<unsigned char>(b)), 0).value, b);
        std::sort(alphabet.begin(), alphabet.end());
        for (const auto& [character, byte] : alphabet) byteIds_[byte] = add(std::string(byteChar(static_cast<unsigned char>(byte))));
    }

    Result<void> countWords(const std::vector<std::string_view>& documents, const std::stop_token& stop) {
        ASSAY_TRY(const SplitterPtr splitter, makeRegexSplitter(kGpt2Pattern));
        std::unordered_map<std::string_view, int64_t> counts;
        std::vector<std::string_view> order;  // of first appearance: what follows depends on the text alone
        std::vector<Span> spans;
        for (const std::string_view document : documents) {
            if (stop.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
            spans.clear();
            splitter->matches(document, 0, static_cast<uint32_t>(document.size()), spans);
            for (const Span& s : spans) {
                const std::string_view word = document.substr(s.begin, s.end - s.begin);
                if (++counts[word] == 1) order.push_back(word);
            }
        }
        words_.reserve(order.size());
        for (const std::string_view text : order) {
            Word w;
            w.count = counts[text];
            for (char c : text) w.symbols.push_back(byteIds_[static_cast<unsigned char>(c)]);
            words_.push_back(std::move(w));
        }
        for (uint32_t w = 0; w < words_.size(); ++w) {
            const auto& s = words_[w].symbols;
            for (size_t i = 0; i + 1 < s.size(); ++i) change(pairKey(s[i], s[i + 1]), words_[w].count, w);
        }
        for (const auto& [pair, info] : pairs_) queue_.push({info.count, pair});
        return {};
    }

    Result<void> learn(int64_t vocab, ProgressMeter& meter, const std::stop_token& stop) {
        while (static_cast<int64_t>(tokens_.size()) < vocab && !queue_.empty()) {
            const Candidate top = queue_.top();
            queue_.pop();
            PairInfo& info = pairs_[top.pair];
            if (info.count != top.count) {  // counts only fall for queued pairs of old symbols: queue the true value
                if (info.count > 1) queue_.push({info.count, top.pair});
                continue;
            }
            if (top.count < 2) break;
            if ((merges_.size() & 63) == 0) {
                if (stop.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
                meter.update(static_cast<double>(tokens_.size()));
            }
            merge(top.pair);
        }
        meter.finish();
        return {};
    }

    std::string json() const {
        TokenizerJson out;
        const Json byteLevel{{"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", true}, {"use_regex", true}};
        out.preTokenizer = out.decoder = byteLevel;
        out.added.push_back(Json{{"id", 0}, {"content", tokens_[0]}, {"single_word", false}, {"lstrip", false}, {"rstrip", false}, {"normalized", false}, {"special", true}});
        for (size_t id = 0; id < tokens_.size(); ++id) out.tokens.emplace_back(tokens_[id], static_cast<int64_t>(id));
        for (const uint64_t pair : merges_)
            out.merges.emplace_back(tokens_[static_cast<size_t>(leftOf(pair))], tokens_[static_cast<size_t>(rightOf(pair))]);
        return writeTokenizerJson(out);
    }

private:
    int32_t add(std::string text) {
        const auto id = static_cast<int32_t>(tokens_.size());
        ids_.emplace(text, id);
        tokens_.push_back(std::move(text));
        return id;
    }
    void change(uint64_t pair, int64_t by, uint32_t word) {
        PairInfo& info = pairs_[pair];
        info.count += by;
        if (by > 0 && (info.words.empty() || info.words.back() != word)) info.words.push_back(word);
    }

    void merge(uint64_t pair) {
        const int32_t left = leftOf(pair), right = rightOf(pair);
        const std::string text = tokens_[static_cast<size_t>(left)] + tokens_[static_cast<size_t>(right)];
        const auto found = ids_.find(text);  // two pairs can make the same token
        const int32_t fresh = found == ids_.end() ? add(text) : found->second;
        merges_.push_back(pair);
        std::vector<uint32_t> where = std::move(pairs_[pair].words);
        std::sort(where.begin(), where.end());
        where.erase(std::unique(where.begin(), where.end()), where.end());
        std::vector<uint64_t> grown;
        for (const uint32_t w : where) {
            Word& word = words_[w];
            auto& s = word.symbols;
            size_t out = 0;
            for (size_t i = 0; i < s.size();) {
                if (i + 1 < s.size() && s[i] == left && s[i + 1] == right) {
                    // Left neighbour as already rewritten, right neighbour as it still stands.
                    if (out > 0) {
                        change(pairKey(s[out - 1], left), -word.count, w);
                        grown.push_back(pairKey(s[out - 1], fresh));
                        change(grown.back(), word.count, w);
                    }
                    if (i + 2 < s.size()) {
                        change(pairKey(right, s[i + 2]), -word.count, w);
                        grown.push_back(pairKey(fresh, s[i + 2]));
                        change(grown.back(), word.count, w);
                    }
                    s[out++] = fresh;
                    i += 2;
                } else {
                    s[out++] = s[i++];
                }
            }
            s.resize(out);
        }
        pairs_[pair].count = 0;
        pairs_[pair].words.clear();
        std::sort(grown.begin(), grown.end());
        grown.erase(std::unique(grown.begin(), grown.end()), grown.end());
        for (const uint64_t p : grown)
            if (const int64_t count = pairs_[p].count; count > 0) queue_.push({count, p});
    }

    std::vector<std::string> tokens_;
    std::unordered_map<std::string, int32_t> ids_;
    std::array<int32_t, 256> byteIds_{};
    std::vector<Word> words_;
    std::unordered_map<uint64_t, PairInfo> pairs_;
    std::priority_queue<Candidate> queue_;
    std::vector<uint64_t> merges_;
};

}  // namespace

Result<std::string> trainBpe(const std::vector<std::string_view>& documents, int64_t vocab, const ProgressSink& progress, std::stop_token stop) {
    if (vocab < kMinTrainedVocab || vocab > kMaxTrainedVocab)
        return fail(ErrorCode::kBadUsage, "a BPE vocabulary of " + std::to_string(vocab) + " tokens cannot be trained",
                    "set data.tokenizer.vocab between " + std::to_string(kMinTrainedVocab) + " and " + std::to_string(kMaxTrainedVocab));
    Trainer trainer;
    ProgressMeter meter(progress, "train tokenizer", "tokens", static_cast<double>(vocab));
    ASSAY_TRY_VOID(trainer.countWords(documents, stop));
    ASSAY_TRY_VOID(trainer.learn(vocab, meter, stop));
    return trainer.json();
}

}  // namespace assay::data
