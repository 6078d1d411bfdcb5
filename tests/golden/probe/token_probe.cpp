// Encodes many texts in one process for the tests that compare with the reference implementations (live_test.py).
//   token_probe encode TOKENIZER FLAGS    ids, offsets in characters, decoded text; FLAGS: s added tokens, p control tokens
//   token_probe detail TOKENIZER FLAGS    JSON of encodeDetailed; FLAGS also t, P: the file's truncation and padding; 2: pairs
//   token_probe normalize JSON            the text that a normalizer makes
//   token_probe pieces JSON               the pieces that a pre-tokenizer makes, each with a NUL behind it
//   token_probe export TOKENIZER          the tokenizer.json that it writes, in one piece without a length
//   token_probe wordpiece SIZE            the tokenizer.json of a vocabulary learned from the texts, without a length
//   token_probe decode TOKENIZER FLAGS    JSON lists of ids → text; FLAGS: k leave control tokens out
// Input: texts, each u32 length and bytes. Output: for each u32 length and payload; what cannot be done begins with "!".
#include <assay/core/json.h>
#include <assay/data/tokenizer.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>

#include "tokenizer/normalizer.h"
#include "tokenizer/pre_tokenizer.h"
#include "tokenizer/wordpiece_trainer.h"

namespace assay::data {
namespace {

using Answer = std::function<std::string(const std::string& text, const std::string& second)>;

void put(std::string& out, uint32_t v) { out.append(reinterpret_cast<const char*>(&v), sizeof v); }

bool read(std::string& text) {
    uint32_t size = 0;
    if (std::fread(&size, sizeof size, 1, stdin) != 1) return false;
    text.resize(size);
    return size == 0 || std::fread(text.data(), size, 1, stdin) == 1;
}

int answerAll(const Answer& answer, bool pairs) {
    std::string text, second, out;
    while (read(text) && (!pairs || read(second))) {
        std::string payload;
        try {
            payload = answer(text, second);
        } catch (const EncodeError& e) {
            payload = "!" + e.error.message;
        }
        put(out, static_cast<uint32_t>(payload.size()));
        out += payload;
        if (out.size() > 1 << 20) {
            std::fwrite(out.data(), out.size(), 1, stdout);
            out.clear();
        }
    }
    std::fwrite(out.data(), out.size(), 1, stdout);
    return std::fflush(stdout) == 0 ? 0 : 1;
}

std::string encodeOne(const Tokenizer& t, const std::string& text, const std::string& flags) {
    const bool add = flags.find('s') != flags.npos, parse = flags.find('p') != flags.npos;
    auto exact = t.encodeDetailed(text, {.addSpecial = add, .parseSpecial = parse, .characterOffsets = true});
    if (!exact) return "!" + exact.error().message;
    Encoding fast;
    t.encode(text, {.addSpecial = add, .parseSpecial = parse}, fast);
    if (fast.ids != exact->ids) return "!the way that only gives ids gives other ids";
    Encoding bytes;
    t.encode(text, {.addSpecial = add, .parseSpecial = parse, .offsets = true}, bytes);
    if (bytes.ids != exact->ids || bytes.offsets.size() != bytes.ids.size()) return "!the way with byte offsets gives other ids";
    std::string out;
    put(out, static_cast<uint32_t>(fast.ids.size()));
    for (const int32_t id : fast.ids) put(out, static_cast<uint32_t>(id));
    for (const auto& [begin, end] : exact->offsets) {
        put(out, begin);
        put(out, end);
    }
    return out + t.decode(fast.ids);
}

Json detailJson(const DetailedEncoding& e) {
    Json overflow = Json::array();
    for (const DetailedEncoding& o : e.overflow) overflow.push_back(detailJson(o));
    return Json{{"ids", e.ids}, {"types", e.typeIds}, {"offsets", e.offsets}, {"words", e.words}, {"special", e.special}, {"attention", e.attention}, {"overflow", overflow}};
}

std::string detailOne(const Tokenizer& t, const std::string& text, const std::string& second, const std::string& flags) {
    const auto has = [&](char c) { return flags.find(c) != flags.npos; };
    DetailOptions options{.addSpecial = has('s'), .parseSpecial = has('p'), .characterOffsets = true};
    if (has('t')) options.truncation = t.fileTruncation();
    if (has('P')) options.padding = t.filePadding();
    const std::string_view pair = second;
    auto e = t.encodeDetailed(text, options, has('2') ? &pair : nullptr);
    return e ? dumpJson(detailJson(*e)) : "!" + e.error().message;
}

int failed(const Error& error) {
    std::cerr << error.text() << "\n";
    return 1;
}

int run(const std::string& mode, const std::string& what, const std::string& flags) {
    if (mode == "normalize" || mode == "pieces") {
        auto json = parseJson(what, "argument");
        if (!json) return failed(json.error());
        if (mode == "normalize") {
            auto normalizer = makeNormalizer(*json);
            if (!normalizer) return failed(normalizer.error());
            return answerAll([&](const std::string& text, const std::string&) {
                Text plain = Text::of(text, 0, false), tracked = Text::of(text, 0, true);
                (*normalizer)->apply(plain);
                (*normalizer)->apply(tracked);
                if (plain.bytes != tracked.bytes || tracked.begin.size() != tracked.bytes.size()) return std::string("!tracking changes the text");
                return plain.bytes;
            }, false);
        }
        auto plan = makePreTokenizer(*json);
        if (!plan) return failed(plan.error());
        if (plan->endsInByteLevel) plan->steps.push_back(byteLevelMapping());
        return answerAll([&](const std::string& text, const std::string&) {
            Pieces pieces;
            pieces.text = Text::of(text, 0, true);
            pieces.spans.push_back({0, static_cast<uint32_t>(text.size())});
            for (const auto& step : plan->steps) step->apply(pieces);
            std::string out;
            for (const Span& s : pieces.spans)
                if (s.end > s.begin) out.append(pieces.text.bytes, s.begin, s.end - s.begin).push_back('\0');
            return out;
        }, false);
    }
    if (mode == "wordpiece") {
        std::vector<std::string> texts;
        for (std::string text; read(text);) texts.push_back(text);
        auto json = trainWordPiece({texts.begin(), texts.end()}, std::atoll(what.c_str()));
        if (!json) return failed(json.error());
        std::cout << *json;
        return 0;
    }
    auto tokenizer = loadTokenizer(what);
    if (!tokenizer) return failed(tokenizer.error());
    const Tokenizer& t = **tokenizer;
    if (mode == "encode") return answerAll([&](const std::string& text, const std::string&) { return encodeOne(t, text, flags); }, false);
    if (mode == "detail") return answerAll([&](const std::string& text, const std::string& second) { return detailOne(t, text, second, flags); }, flags.find('2') != flags.npos);
    if (mode == "export") {
        auto json = t.toTokenizerJson();
        if (!json) return failed(json.error());
        std::cout << *json;
        return 0;
    }
    if (mode == "decode")
        return answerAll([&](const std::string& text, const std::string&) {
            auto ids = parseJson(text, "ids");
            return ids ? t.decode(ids->get<std::vector<int32_t>>(), flags.find('k') != flags.npos) : "!" + ids.error().message;
        }, false);
    std::cerr << "no such mode: " << mode << "\n";
    return 2;
}

}  // namespace
}  // namespace assay::data

int main(int count, char** arguments) {
    if (count < 3) {
        std::cerr << "usage: token_probe encode|detail|normalize|pieces|decode|export|wordpiece WHAT [FLAGS]\n";
        return 2;
    }
    return assay::data::run(arguments[1], arguments[2], count > 3 ? arguments[3] : "");
}
