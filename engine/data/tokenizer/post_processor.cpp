#include "tokenizer/post_processor.h"

namespace assay::data {
namespace {

Result<int32_t> idOf(const Json& value) {
    if (!value.is_number_integer() || value.get<int64_t>() < 0 || value.get<int64_t>() > INT32_MAX)
        return fail(ErrorCode::kInvalidFile, "tokenizer.json: post_processor holds a token id that is no id");
    return static_cast<int32_t>(value.get<int64_t>());
}

// {"single": [{"SpecialToken": {"id": "[CLS]"}}, {"Sequence": {"id": "A"}}, …], "special_tokens": {"[CLS]": {"ids": [101]}}}
Result<void> addTemplate(const Json& json, PostProcessor& out) {
    if (!json.contains("single") || !json["single"].is_array())
        return fail(ErrorCode::kInvalidFile, "tokenizer.json: TemplateProcessing has no template for single sequences");
    bool seen = false;
    std::vector<int32_t> before, after;
    for (const Json& piece : json["single"]) {
        if (piece.contains("Sequence")) {
            if (seen) return fail(ErrorCode::kUnsupported, "tokenizer.json: a template that repeats the sequence");
            seen = true;
            continue;
        }
        const std::string name = piece.contains("SpecialToken") ? jsonStringOr(piece["SpecialToken"], "id", "") : "";
        const Json* tokens = json.contains("special_tokens") && json["special_tokens"].contains(name) ? &json["special_tokens"][name] : nullptr;
        if (!tokens || !tokens->contains("ids") || !(*tokens)["ids"].is_array())
            return fail(ErrorCode::kInvalidFile, "tokenizer.json: the template names the special token \"" + name + "\" but gives no ids for it");
        for (const Json& value : (*tokens)["ids"]) {
            ASSAY_TRY(const int32_t id, idOf(value));
            (seen ? after : before).push_back(id);
        }
    }
    // A later processor works on the result of an earlier one: its tokens lie further outside.
    out.before.insert(out.before.begin(), before.begin(), before.end());
    out.after.insert(out.after.end(), after.begin(), after.end());
    return {};
}

void trim(const Json& json, PostProcessor& out) {
    if (!jsonBoolOr(json, "trim_offsets", true)) return;
    out.trimOffsets = true;
    out.prefixSpace = jsonBoolOr(json, "add_prefix_space", true);
}

Result<void> addPair(const Json& json, PostProcessor& out) {  // RobertaProcessing, BertProcessing
    for (const char* key : {"cls", "sep"})
        if (!json.contains(key) || !json[key].is_array() || json[key].size() != 2)
            return fail(ErrorCode::kInvalidFile, std::string("tokenizer.json: post_processor needs \"") + key + "\": [token, id]");
    ASSAY_TRY(const int32_t cls, idOf(json["cls"][1]));
    ASSAY_TRY(const int32_t sep, idOf(json["sep"][1]));
    out.before.insert(out.before.begin(), cls);
    out.after.push_back(sep);
    if (jsonStringOr(json, "type", "") == "RobertaProcessing") trim(json, out);
    return {};
}

Result<void> add(const Json& json, PostProcessor& out, int depth) {
    if (json.is_null()) return {};
    const std::string type = jsonStringOr(json, "type", "");
    if (type == "TemplateProcessing") return addTemplate(json, out);
    if (type == "RobertaProcessing" || type == "BertProcessing") return addPair(json, out);
    if (type == "ByteLevel") {
        trim(json, out);
        return {};
    }
    if (type == "Sequence" && depth < 8 && json.contains("processors") && json["processors"].is_array()) {
        for (const Json& item : json["processors"]) ASSAY_TRY_VOID(add(item, out, depth + 1));
        return {};
    }
    return fail(ErrorCode::kUnsupported, "tokenizer.json: post_processor \"" + type + "\" is not supported");
}

}  // namespace

Result<PostProcessor> makePostProcessor(const Json& json) {
    PostProcessor out;
    ASSAY_TRY_VOID(add(json, out, 0));
    return out;
}

}  // namespace assay::data
