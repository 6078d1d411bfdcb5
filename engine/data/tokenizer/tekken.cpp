#include <simdjson.h>

#include "tokenizer/base64.h"
#include "tokenizer/rank_vocabulary.h"

namespace assay::data {
namespace {

constexpr int64_t kMaxTekken = 2'000'000;
// What a tekken.json without "special_tokens" has (Mistral's files of 2024).
constexpr const char* kFirstSpecial[] = {"<unk>", "<s>", "</s>", "[INST]", "[/INST]", "[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]", "[TOOL_RESULTS]", "[/TOOL_RESULTS]", "[TOOL_CALLS]",
                                         "[IMG]", "<pad>", "[IMG_BREAK]", "[IMG_END]", "[PREFIX]", "[MIDDLE]", "[SUFFIX]", "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]", "[TOOL_CONTENT]"};

tl::unexpected<Error> badTekken(const std::string& what, const std::string& why) { return fail(ErrorCode::kInvalidFile, what + ": " + why, "use the tekken.json that belongs to the model"); }

}  // namespace

bool looksLikeTekken(std::string_view json) {
    const std::string_view head = json.substr(0, 64 << 10);
    return head.find("\"token_bytes\"") != head.npos || (head.find("\"default_num_special_tokens\"") != head.npos && head.find("\"pattern\"") != head.npos);
}

Result<TokenizerPtr> tokenizerFromTekken(const std::string& json, const std::string& what, const TokenizerExtras& extras) {
    simdjson::dom::parser parser;
    if (parser.allocate(json.size(), 64)) return fail(ErrorCode::kOutOfMemory, what + ": not enough memory to read it");
    simdjson::dom::element document;
    if (const auto error = parser.parse(json.data(), json.size(), true).get(document)) return badTekken(what, simdjson::error_message(error));
    simdjson::dom::object root, config;
    simdjson::dom::array vocab, special;
    std::string_view text;
    int64_t size = 0, reserved = 0;
    if (document.get(root) || root["config"].get(config) || root["vocab"].get(vocab)) return badTekken(what, "has no \"config\" and \"vocab\"");
    RankVocabulary v;
    if (config["pattern"].get(text)) return badTekken(what, "\"config\" has no \"pattern\"");
    v.pattern = text;
    if (config["default_vocab_size"].get(size) || config["default_num_special_tokens"].get(reserved) || reserved < 0 || size <= reserved || size > kMaxTekken)
        return badTekken(what, "\"config\" has no usable \"default_vocab_size\" and \"default_num_special_tokens\"");
    v.firstId = reserved;
    v.tokens.resize(static_cast<size_t>(size - reserved));
    for (simdjson::dom::element item : vocab) {
        int64_t rank = 0;
        if (item["rank"].get(rank) || rank < 0 || item["token_bytes"].get(text)) return badTekken(what, "an entry of \"vocab\" lacks \"rank\" or \"token_bytes\"");
        if (rank >= size - reserved) continue;  // the file holds more than the models use
        auto& token = v.tokens[static_cast<size_t>(rank)];
        if (!token.empty()) return badTekken(what, "rank " + std::to_string(rank) + " is there twice");
        ASSAY_TRY(token, fromBase64(text, "rank " + std::to_string(rank)));
    }
    for (size_t rank = 0; rank < v.tokens.size(); ++rank)
        if (v.tokens[rank].empty()) return badTekken(what, "rank " + std::to_string(rank) + " is missing");
    std::vector<std::string> names(static_cast<size_t>(reserved));
    if (!root["special_tokens"].get(special)) {
        for (simdjson::dom::element item : special) {
            int64_t rank = 0;
            if (item["rank"].get(rank) || rank < 0 || rank >= reserved || item["token_str"].get(text)) return badTekken(what, "an entry of \"special_tokens\" lacks \"rank\" or \"token_str\"");
            names[static_cast<size_t>(rank)] = text;
        }
    } else {
        for (size_t i = 0; i < std::size(kFirstSpecial) && i < names.size(); ++i) names[i] = kFirstSpecial[i];
    }
    for (size_t i = 0; i < names.size(); ++i) {
        if (names[i].empty()) names[i] = "<SPECIAL_" + std::to_string(i) + ">";
        v.special.emplace_back(names[i], static_cast<int64_t>(i));
        if (names[i] == "<s>") v.bos = names[i];
    }
    return tokenizerFromRanks(v, what, extras);
}

}  // namespace assay::data
