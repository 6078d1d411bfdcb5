#include "tokenizer/bpe_trainer.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "tokenizer/byte_level.h"
#include "tokenizer/json_writer.h"
#include "tokenizer/merge_learner.h"
#include "tokenizer/splitter.h"
#include "tokenizer/unicode.h"

namespace assay::data {
namespace {

constexpr int64_t kMaxTrainedVocab = 1'000'000;

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
        for (const std::string_view text : order) {
            std::vector<int32_t> symbols;
            for (char c : text) symbols.push_back(byteIds_[static_cast<unsigned char>(c)]);
            learner_.addWord(std::move(symbols), counts[text]);
        }
        return {};
    }

    Result<void> learn(int64_t vocab, ProgressMeter& meter, const std::stop_token& stop) {
        const auto more = [&] { return static_cast<int64_t>(tokens_.size()) < vocab; };
        ASSAY_TRY_VOID(learner_.learn(more, [&](int32_t left, int32_t right) {
            if ((merges_.size() & 63) == 0) meter.update(static_cast<double>(tokens_.size()));
            const std::string text = tokens_[static_cast<size_t>(left)] + tokens_[static_cast<size_t>(right)];
            merges_.emplace_back(left, right);
            const auto found = ids_.find(text);  // two pairs can make the same token
            return found == ids_.end() ? add(text) : found->second;
        }, stop));
        meter.finish();
        return {};
    }

    std::string json() const {
        TokenizerJson out;
        const Json byteLevel{{"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", true}, {"use_regex", true}};
        out.preTokenizer = out.decoder = byteLevel;
        out.added.push_back(Json{{"id", 0}, {"content", tokens_[0]}, {"single_word", false}, {"lstrip", false}, {"rstrip", false}, {"normalized", false}, {"special", true}});
        for (size_t id = 0; id < tokens_.size(); ++id) out.tokens.emplace_back(tokens_[id], static_cast<int64_t>(id));
        for (const auto& [left, right] : merges_) out.merges.emplace_back(tokens_[static_cast<size_t>(left)], tokens_[static_cast<size_t>(right)]);
        return writeTokenizerJson(out);
    }

private:
    int32_t add(std::string text) {
        const auto id = static_cast<int32_t>(tokens_.size());
        ids_.emplace(text, id);
        tokens_.push_back(std::move(text));
        return id;
    }
    std::vector<std::string> tokens_;
    std::unordered_map<std::string, int32_t> ids_;
    std::array<int32_t, 256> byteIds_{};
    MergeLearner learner_;
    std::vector<std::pair<int32_t, int32_t>> merges_;
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
