#include "tokenizer/json_writer.h"

namespace assay::data {
namespace {
void appendString(std::string& out, std::string_view s) { out += dumpJson(Json(s)); }
const char* truth(bool b) { return b ? "true" : "false"; }
}  // namespace

std::string writeTokenizerJson(const TokenizerJson& t) {
    std::string out;
    out.reserve(t.tokens.size() * 32 + t.merges.size() * 24 + 4096);
    out += "{\n  \"version\": \"1.0\",\n  \"truncation\": null,\n  \"padding\": null,\n  \"added_tokens\": " + dumpJson(t.added);
    out += ",\n  \"normalizer\": " + dumpJson(t.normalizer) + ",\n  \"pre_tokenizer\": " + dumpJson(t.preTokenizer);
    out += ",\n  \"post_processor\": " + dumpJson(t.postProcessor) + ",\n  \"decoder\": " + dumpJson(t.decoder);
    const bool bpe = t.model == TokenizerJson::Model::kBpe;
    out += std::string(",\n  \"model\": {\n    \"type\": ") + (bpe ? "\"BPE\",\n    \"dropout\": null" : "\"WordPiece\"") + ",\n    \"unk_token\": ";
    out += t.unknown.empty() ? "null" : dumpJson(Json(t.unknown));
    if (bpe) {
        out += ",\n    \"continuing_subword_prefix\": null,\n    \"end_of_word_suffix\": " + (t.endSuffix.empty() ? "null" : dumpJson(Json(t.endSuffix)));
        out += std::string(",\n    \"fuse_unk\": ") + truth(t.fuseUnknown);
        out += std::string(",\n    \"byte_fallback\": ") + truth(t.byteFallback) + ",\n    \"ignore_merges\": " + truth(t.ignoreMerges);
    } else {
        out += ",\n    \"continuing_subword_prefix\": " + dumpJson(Json(t.continuingPrefix)) + ",\n    \"max_input_chars_per_word\": " + std::to_string(t.maxWordCharacters);
    }
    out += ",\n    \"vocab\": {";
    const char* separator = "\n      ";
    for (const auto& [token, id] : t.tokens) {
        out += separator;
        appendString(out, token);
        out += ": " + std::to_string(id);
        separator = ",\n      ";
    }
    if (!bpe) return out + "\n    }\n  }\n}\n";
    out += "\n    },\n    \"merges\": [";
    separator = "\n      [";
    for (const auto& [left, right] : t.merges) {
        out += separator;
        appendString(out, left);
        out += ", ";
        appendString(out, right);
        out += "]";
        separator = ",\n      [";
    }
    out += "\n    ]\n  }\n}\n";
    return out;
}

}  // namespace assay::data
