// Byte-level BPE behind a known split pattern.
#include <algorithm>
#include <iterator>
#include <string>

#include "tokenizer/bpe.h"
#include "tokenizer/fast_encoder.h"
#include "tokenizer/split_rules.h"
#include "tokenizer/splitter.h"

namespace assay::data {
namespace {

enum class Raw { kAlways, kWhenNfc, kNever };

template <class Rule>
class FastByteLevel : public FastEncoder {
public:
    FastByteLevel(const Bpe& model, Raw raw, bool prefixSpace) : model_(model), raw_(raw), prefixSpace_(prefixSpace) {}
    bool takesRaw(std::string_view text) const override { return raw_ == Raw::kAlways || (raw_ == Raw::kWhenNfc && surelyNfc(text)); }
    void encode(std::string_view text, std::vector<int32_t>& ids) const override {
        if (text.empty()) return;
        if (prefixSpace_ && text[0] != ' ') return encodePieces(" " + std::string(text), ids);
        encodePieces(text, ids);
    }

private:
    void encodePieces(std::string_view text, std::vector<int32_t>& ids) const {
        WordCache& cache = WordCache::ofThread(instance_);
        IdBuffer out(ids);
        forPieces<Rule>(text, 0, static_cast<uint32_t>(text.size()), [&](uint32_t i, uint32_t j) {
            if (j - i > WordCache::kShort) return longWord(text.substr(i, j - i), cache, out);
            const WordCache::Key key = WordCache::keyOf(text.data() + i, j - i, text.size() - i);
            if (!cache.find(key, out)) newWord(text.substr(i, j - i), key, cache, out);
        });
    }
    [[gnu::noinline]] void newWord(std::string_view word, const WordCache::Key& key, WordCache& cache, IdBuffer& out) const {
        std::vector<int32_t>& ids = out.flushed();
        const size_t before = ids.size();
        model_.encodeUncached(word, ids);
        cache.put(key, ids.data() + before, ids.size() - before);
    }
    [[gnu::noinline]] void longWord(std::string_view word, WordCache& cache, IdBuffer& out) const {
        if (word.size() > WordCache::kMaxWord) return model_.encodeUncached(word, out.flushed());
        const uint64_t hash = xxh3(word);
        if (cache.findLong(hash, word, out)) return;
        std::vector<int32_t>& ids = out.flushed();
        const size_t before = ids.size();
        model_.encodeUncached(word, ids);
        cache.putLong(hash, word, ids.data() + before, ids.size() - before);
    }

    const Bpe& model_;
    Raw raw_;
    bool prefixSpace_;
    uint64_t instance_ = WordCache::newInstance();
};

// The steps of a pre-tokenizer, sequences laid flat. False: not of a readable form.
bool flatten(const Json& json, std::vector<const Json*>& out, int depth = 0) {
    if (!json.is_object() || depth > 8) return false;
    if (jsonStringOr(json, "type", "") != "Sequence") {
        out.push_back(&json);
        return true;
    }
    if (!json.contains("pretokenizers") || !json["pretokenizers"].is_array()) return false;
    for (const Json& item : json["pretokenizers"])
        if (!flatten(item, out, depth + 1)) return false;
    return true;
}

bool isType(const Json& step, const char* type) { return jsonStringOr(step, "type", "") == type; }

// The pattern of a Split that isolates its matches, empty for other steps.
std::string isolatedPattern(const Json& step) {
    if (!isType(step, "Split") || jsonStringOr(step, "behavior", "") != "Isolated" || jsonBoolOr(step, "invert", false)) return {};
    const Json pattern = step.contains("pattern") ? step["pattern"] : Json();
    return pattern.is_object() && pattern.contains("Regex") && pattern["Regex"].is_string() ? pattern["Regex"].get<std::string>() : std::string();
}

struct Shape {
    enum class Rule { kNone, kGpt2, kDigitsGpt2, kLlama3, kQwen2, kQwen35, kO200k, kTekken, kDeepSeek } rule = Rule::kNone;
    bool prefixSpace = false;
};

Shape shapeOf(const Json& preTokenizer) {
    using Rule = Shape::Rule;
    std::vector<const Json*> steps;
    if (!flatten(preTokenizer, steps) || steps.empty() || !isType(*steps.back(), "ByteLevel")) return {};
    const bool prefixSpace = jsonBoolOr(*steps.back(), "add_prefix_space", true), gpt2 = jsonBoolOr(*steps.back(), "use_regex", true);
    steps.pop_back();
    if (gpt2) {
        if (steps.empty()) return {Rule::kGpt2, prefixSpace};
        if (steps.size() == 1 && !prefixSpace && isType(*steps[0], "Digits") && jsonBoolOr(*steps[0], "individual_digits", false)) return {Rule::kDigitsGpt2};
        return {};
    }
    if (prefixSpace) return {};  // each piece would get one
    if (steps.size() == 3 && isolatedPattern(*steps[0]) == kDeepSeekNumbers && isolatedPattern(*steps[1]) == kDeepSeekCjk &&
        isolatedPattern(*steps[2]) == kDeepSeekInner)
        return {Rule::kDeepSeek};
    if (steps.size() != 1) return {};
    switch (knownPattern(isolatedPattern(*steps[0]))) {
        case KnownPattern::kGpt2: return {Rule::kGpt2};
        case KnownPattern::kLlama3: return {Rule::kLlama3};
        case KnownPattern::kQwen2: return {Rule::kQwen2};
        case KnownPattern::kQwen35: return {Rule::kQwen35};
        case KnownPattern::kO200k: return {Rule::kO200k};
        case KnownPattern::kTekken: return {Rule::kTekken};
        case KnownPattern::kDeepSeekInner:
        case KnownPattern::kNone: break;
    }
    return {};
}

Raw rawOf(const Json& normalizer) {
    if (normalizer.is_null()) return Raw::kAlways;
    const std::string type = jsonStringOr(normalizer, "type", "");
    if (type == "NFC") return Raw::kWhenNfc;
    if (type != "Sequence" || !normalizer.contains("normalizers") || !normalizer["normalizers"].is_array()) return Raw::kNever;
    Raw all = Raw::kAlways;
    for (const Json& item : normalizer["normalizers"]) {
        const Raw one = rawOf(item);
        if (one == Raw::kNever) return one;
        if (one == Raw::kWhenNfc) all = one;
    }
    return all;
}

template <class Rule>
std::unique_ptr<FastEncoder> encoderOf(const Bpe& model, const FastParts& parts, const Shape& shape) {
    return std::make_unique<FastByteLevel<Rule>>(model, rawOf(parts.normalizer), shape.prefixSpace);
}

}  // namespace

std::unique_ptr<FastEncoder> makeFastByteLevel(const FastParts& parts) {
    const auto* model = dynamic_cast<const Bpe*>(&parts.model);
    if (!model || !model->plainBytes()) return nullptr;
    const Shape shape = shapeOf(parts.preTokenizer);
    switch (shape.rule) {
        case Shape::Rule::kGpt2: return encoderOf<Gpt2Rule<false>>(*model, parts, shape);
        case Shape::Rule::kDigitsGpt2: return encoderOf<Gpt2Rule<true>>(*model, parts, shape);
        case Shape::Rule::kLlama3: return encoderOf<Llama3Rule<3>>(*model, parts, shape);
        case Shape::Rule::kQwen2: return encoderOf<Llama3Rule<1>>(*model, parts, shape);
        case Shape::Rule::kQwen35: return encoderOf<Llama3Rule<1, kLetter | kMark>>(*model, parts, shape);
        case Shape::Rule::kO200k: return encoderOf<O200kRule<3, true>>(*model, parts, shape);
        case Shape::Rule::kTekken: return encoderOf<O200kRule<1, false>>(*model, parts, shape);
        case Shape::Rule::kDeepSeek: return encoderOf<DeepSeekRule>(*model, parts, shape);
        case Shape::Rule::kNone: break;
    }
    return nullptr;
}

std::unique_ptr<FastEncoder> makeFastEncoder(const FastParts& parts) { return parts.wordPiece ? makeFastBert(parts) : makeFastByteLevel(parts); }

bool surelyNfc(std::string_view text) {
    struct Range {
        char32_t first, last;
    };
    // Assigned before Unicode 9, NFC_Quick_Check yes, combining class 0 and no second half of a composition, by blocks of the
    // usual scripts; tests compare with the normalizer.
    static constexpr Range kSafe[] = {{0xA0, 0x2FF},      {0x386, 0x386},    {0x388, 0x38A},    {0x38E, 0x3A1},   {0x3A3, 0x3FF},   {0x400, 0x482},
                                      {0x48A, 0x52F},     {0x531, 0x556},    {0x561, 0x587},    {0x5D0, 0x5EA},   {0x621, 0x63A},   {0x640, 0x64A},
                                      {0x660, 0x669},     {0x904, 0x939},    {0x93D, 0x94C},    {0x964, 0x96F},   {0xE01, 0xE30},   {0xE40, 0xE46},
                                      {0x10D0, 0x10FA},   {0x2010, 0x2027},  {0x2030, 0x205E},  {0x20A0, 0x20BE}, {0x2100, 0x2125}, {0x2127, 0x2129},
                                      {0x212C, 0x218B},   {0x2190, 0x2328},  {0x232B, 0x23FE},  {0x2400, 0x2426}, {0x2500, 0x2ADB}, {0x3000, 0x3029},
                                      {0x3041, 0x3096},   {0x309B, 0x30FF},  {0x3105, 0x312D},  {0x3220, 0x32FE}, {0x3400, 0x4DB5}, {0x4E00, 0x9FA5},
                                      {0xAC00, 0xD7A3},   {0xFE0F, 0xFE0F},  {0xFF01, 0xFFBE},  {0x1F300, 0x1F6D2}, {0x1F910, 0x1F91E}};
    const auto size = static_cast<uint32_t>(text.size());
    const Scan scan(text, size);
    const Range* last = kSafe;
    for (auto i = static_cast<uint32_t>(firstNonAscii(text)); i < size;) {
        uint32_t next;
        bool valid;
        const char32_t c = scan.at(i, next, valid);
        if (!valid) return false;
        if (c >= 0x80) {
            if (c < last->first || c > last->last) {  // a text keeps to few blocks
                last = std::lower_bound(std::begin(kSafe), std::end(kSafe), c, [](const Range& r, char32_t x) { return r.last < x; });
                if (last == std::end(kSafe) || c < last->first) return false;
            }
            i = next;
        } else {
            i = static_cast<uint32_t>(firstNonAscii(text, i));
        }
    }
    return true;
}

}  // namespace assay::data
