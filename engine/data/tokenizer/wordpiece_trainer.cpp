#include "tokenizer/wordpiece_trainer.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "tokenizer/json_writer.h"
#include "tokenizer/merge_learner.h"
#include "tokenizer/normalizer.h"
#include "tokenizer/pre_tokenizer.h"
#include "tokenizer/unicode.h"

namespace assay::data {
namespace {

constexpr int64_t kMaxTrainedWordPiece = 1'000'000, kMaxAlphabet = 1000;
constexpr size_t kMaxWordCharacters = 100;  // longer ones are unknown whatever the vocabulary
constexpr std::string_view kContinues = "##";
constexpr const char* kWordPieceSpecial[] = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"};

Json bertNormalizer() { return Json{{"type", "BertNormalizer"}, {"clean_text", true}, {"handle_chinese_chars", true}, {"strip_accents", nullptr}, {"lowercase", true}}; }

class WordPieceLearner {
public:
    WordPieceLearner() {
        for (const char* token : kWordPieceSpecial) add(token);
    }

    Result<void> countWords(const std::vector<std::string_view>& documents, const std::stop_token& stop) {
        ASSAY_TRY(const NormalizerPtr normalizer, makeNormalizer(bertNormalizer()));
        ASSAY_TRY(const PreTokenizerPlan plan, makePreTokenizer(Json{{"type", "BertPreTokenizer"}}));
        for (const std::string_view document : documents) {
            if (stop.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
            if (document.size() >= UINT32_MAX) return fail(ErrorCode::kUnsupported, "a text of 4 GiB or more", "cut it into documents");
            Pieces pieces;
            pieces.text = Text::of(document, 0, false);
            normalizer->apply(pieces.text);
            pieces.spans.push_back({0, static_cast<uint32_t>(pieces.text.bytes.size())});
            for (const auto& step : plan.steps) step->apply(pieces);
            for (const Span& s : pieces.spans)
                if (s.end > s.begin) ++words_[pieces.text.bytes.substr(s.begin, s.end - s.begin)];
        }
        return {};
    }

    void chooseCharacters(int64_t vocab) {
        std::map<std::string, int64_t> counts;
        for (const auto& [word, count] : words_)
            for (size_t i = 0; i < word.size(); i += codePointAt(word, i).bytes) counts[word.substr(i, codePointAt(word, i).bytes)] += count;
        std::vector<std::pair<std::string, int64_t>> kept(counts.begin(), counts.end());
        std::stable_sort(kept.begin(), kept.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
        kept.resize(std::min(kept.size(), static_cast<size_t>(std::min(kMaxAlphabet, vocab / 4))));
        std::sort(kept.begin(), kept.end());
        for (const auto& [character, count] : kept) add(character);
        for (const auto& [character, count] : kept) inside_[character] = -1;
        // Only what does occur within words has a token there.
        for (const auto& [word, count] : words_)
            for (size_t i = codePointAt(word, 0).bytes; i < word.size(); i += codePointAt(word, i).bytes)
                if (const auto found = inside_.find(word.substr(i, codePointAt(word, i).bytes)); found != inside_.end()) found->second = 0;
        for (auto& [character, id] : inside_)
            if (id == 0) id = add(std::string(kContinues) + character);
    }

    Result<void> learn(int64_t vocab, ProgressMeter& meter, const std::stop_token& stop) {
        MergeLearner learner;
        for (const auto& [word, count] : words_) {
            std::vector<int32_t> symbols;
            size_t characters = 0;
            for (size_t i = 0; i < word.size(); ++characters) {
                const std::string character = word.substr(i, codePointAt(word, i).bytes);
                const auto within = inside_.find(character);
                if (within != inside_.end()) symbols.push_back(i == 0 ? ids_.at(character) : within->second);
                i += character.size();
            }
            if (characters <= kMaxWordCharacters) learner.addWord(std::move(symbols), count);
        }
        const auto more = [&] { return static_cast<int64_t>(tokens_.size()) < vocab; };
        uint64_t merges = 0;
        ASSAY_TRY_VOID(learner.learn(more, [&](int32_t left, int32_t right) {
            if ((merges++ & 63) == 0) meter.update(static_cast<double>(tokens_.size()));
            std::string_view rest = tokens_[static_cast<size_t>(right)];
            if (rest.starts_with(kContinues)) rest.remove_prefix(kContinues.size());
            const std::string text = tokens_[static_cast<size_t>(left)] + std::string(rest);
            const auto found = ids_.find(text);
            return found == ids_.end() ? add(text) : found->second;
        }, stop));
        meter.finish();
        return {};
    }

    std::string json() const {
        TokenizerJson out;
        out.model = TokenizerJson::Model::kWordPiece;
        out.normalizer = bertNormalizer();
        out.preTokenizer = Json{{"type", "BertPreTokenizer"}};
        out.decoder = Json{{"type", "WordPiece"}, {"prefix", kContinues}, {"cleanup", true}};
        out.unknown = "[UNK]";
        Json special = Json::object();
        for (size_t id = 0; id < std::size(kWordPieceSpecial); ++id)
            out.added.push_back(Json{{"id", id}, {"content", tokens_[id]}, {"single_word", false}, {"lstrip", false}, {"rstrip", false}, {"normalized", false}, {"special", true}});
        const auto token = [&](const char* name, int type) {
            special[name] = Json{{"id", name}, {"ids", Json::array({ids_.at(name)})}, {"tokens", Json::array({name})}};
            return Json{{"SpecialToken", Json{{"id", name}, {"type_id", type}}}};
        };
        const auto text = [](const char* name, int type) { return Json{{"Sequence", Json{{"id", name}, {"type_id", type}}}}; };
        const Json single = Json::array({token("[CLS]", 0), text("A", 0), token("[SEP]", 0)});
        const Json pair = Json::array({token("[CLS]", 0), text("A", 0), token("[SEP]", 0), text("B", 1), token("[SEP]", 1)});
        out.postProcessor = Json{{"type", "TemplateProcessing"}, {"single", single}, {"pair", pair}, {"special_tokens", special}};
        for (size_t id = 0; id < tokens_.size(); ++id) out.tokens.emplace_back(tokens_[id], static_cast<int64_t>(id));
        return writeTokenizerJson(out);
    }

private:
    int32_t add(std::string text) {
        const auto id = static_cast<int32_t>(tokens_.size());
        ids_.emplace(text, id);
        tokens_.push_back(std::move(text));
        return id;
    }

    std::map<std::string, int64_t> words_;    // in order, so that what follows depends on the text alone
    std::map<std::string, int32_t> inside_;   // characters that have a token → the one within words, -1: none
    std::vector<std::string> tokens_;
    std::unordered_map<std::string, int32_t> ids_;
};

}  // namespace

Result<std::string> trainWordPiece(const std::vector<std::string_view>& documents, int64_t vocab, const ProgressSink& progress, std::stop_token stop) {
    if (vocab < kMinTrainedWordPiece || vocab > kMaxTrainedWordPiece)
        return fail(ErrorCode::kBadUsage, "a WordPiece vocabulary of " + std::to_string(vocab) + " tokens cannot be trained",
                    "set data.tokenizer.vocab between " + std::to_string(kMinTrainedWordPiece) + " and " + std::to_string(kMaxTrainedWordPiece));
    WordPieceLearner learner;
    ProgressMeter meter(progress, "train tokenizer", "tokens", static_cast<double>(vocab));
    ASSAY_TRY_VOID(learner.countWords(documents, stop));
    learner.chooseCharacters(vocab);
    ASSAY_TRY_VOID(learner.learn(vocab, meter, stop));
    return learner.json();
}

}  // namespace assay::data
