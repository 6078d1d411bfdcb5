#include "tokenizer/post_processor.h"

#include <algorithm>

namespace assay::data {
namespace {

Result<int32_t> idOf(const Json& value) {
    if (!value.is_number_integer() || value.get<int64_t>() < 0 || value.get<int64_t>() > INT32_MAX)
        return fail(ErrorCode::kInvalidFile, "tokenizer.json: post_processor holds a token id that is no id");
    return static_cast<int32_t>(value.get<int64_t>());
}

// [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}, …]
Result<std::vector<PostStep::Piece>> readTemplate(const Json& json, const char* key) {
    if (!json.contains(key) || !json[key].is_array())
        return fail(ErrorCode::kInvalidFile, std::string("tokenizer.json: TemplateProcessing has no template \"") + key + "\"");
    std::vector<PostStep::Piece> out;
    for (const Json& item : json[key]) {
        PostStep::Piece piece;
        const bool text = item.contains("Sequence");
        if (!text && !item.contains("SpecialToken")) return fail(ErrorCode::kInvalidFile, "tokenizer.json: a piece of a template is neither SpecialToken nor Sequence");
        const Json& inner = item[text ? "Sequence" : "SpecialToken"];
        const std::string name = jsonStringOr(inner, "id", "");
        piece.typeId = static_cast<int32_t>(std::clamp<int64_t>(jsonIntegerOr(inner, "type_id", 0), 0, INT32_MAX));
        if (text) {
            if (name != "A" && name != "B") return fail(ErrorCode::kInvalidFile, "tokenizer.json: a template names the sequence \"" + name + "\"");
            piece.sequence = name == "B";
        } else {
            const Json* tokens = json.contains("special_tokens") && json["special_tokens"].contains(name) ? &json["special_tokens"][name] : nullptr;
            if (!tokens || !tokens->contains("ids") || !(*tokens)["ids"].is_array())
                return fail(ErrorCode::kInvalidFile, "tokenizer.json: the template names the special token \"" + name + "\" but gives no ids for it");
            for (const Json& value : (*tokens)["ids"]) {
                ASSAY_TRY(const int32_t id, idOf(value));
                piece.ids.push_back(id);
            }
        }
        out.push_back(std::move(piece));
        if (out.size() > 1000) return fail(ErrorCode::kInvalidFile, "tokenizer.json: a template has more than 1000 pieces");
    }
    return out;
}

Result<void> addTemplate(const Json& json, PostProcessor& out) {
    PostStep step;
    ASSAY_TRY(step.single, readTemplate(json, "single"));
    if (json.contains("pair")) {
        ASSAY_TRY(step.pair, readTemplate(json, "pair"));
    } else {
        step.pair = {{0, {}, 0}, {1, {}, 1}};
    }
    bool seen = false;
    std::vector<int32_t> before, after;
    for (const PostStep::Piece& piece : step.single) {
        if (piece.sequence == 1) return fail(ErrorCode::kInvalidFile, "tokenizer.json: the template for single texts names a second one");
        if (piece.sequence == 0 && std::exchange(seen, true)) out.simple = false;
        auto& side = seen ? after : before;
        side.insert(side.end(), piece.ids.begin(), piece.ids.end());
    }
    if (!seen) out.simple = false;
    // A later processor works on the result of an earlier one: its tokens lie further outside.
    out.before.insert(out.before.begin(), before.begin(), before.end());
    out.after.insert(out.after.end(), after.begin(), after.end());
    out.steps.push_back(std::move(step));
    return {};
}

Result<void> addEnds(const Json& json, PostProcessor& out, bool roberta) {
    PostStep step;
    step.kind = roberta ? PostStep::Kind::kRoberta : PostStep::Kind::kBert;
    for (const char* key : {"cls", "sep"})
        if (!json.contains(key) || !json[key].is_array() || json[key].size() != 2)
            return fail(ErrorCode::kInvalidFile, std::string("tokenizer.json: post_processor needs \"") + key + "\": [token, id]");
    ASSAY_TRY(step.cls, idOf(json["cls"][1]));
    ASSAY_TRY(step.sep, idOf(json["sep"][1]));
    step.trims = roberta && jsonBoolOr(json, "trim_offsets", true);
    step.prefixSpace = jsonBoolOr(json, "add_prefix_space", true);
    out.before.insert(out.before.begin(), step.cls);
    out.after.push_back(step.sep);
    out.steps.push_back(std::move(step));
    return {};
}

Result<void> addStep(const Json& json, PostProcessor& out, int depth) {
    if (json.is_null()) return {};
    const std::string type = jsonStringOr(json, "type", "");
    // By the members, as the reference reads them: a file with all four members is Roberta's whatever it calls itself.
    if (json.contains("cls") && json.contains("sep")) return addEnds(json, out, type == "RobertaProcessing" || (json.contains("trim_offsets") && json.contains("add_prefix_space")));
    if (type == "ByteLevel") {
        PostStep step;
        step.kind = PostStep::Kind::kByteLevel;
        step.trims = jsonBoolOr(json, "trim_offsets", true);
        step.prefixSpace = jsonBoolOr(json, "add_prefix_space", true);
        out.steps.push_back(std::move(step));
        return {};
    }
    if (type == "TemplateProcessing" || json.contains("single")) return addTemplate(json, out);
    if (type == "Sequence" && depth < 8 && json.contains("processors") && json["processors"].is_array()) {
        for (const Json& item : json["processors"]) ASSAY_TRY_VOID(addStep(item, out, depth + 1));
        return {};
    }
    return fail(ErrorCode::kUnsupported, "tokenizer.json: post_processor \"" + type + "\" is not known");
}

}  // namespace

bool PostProcessor::trims() const {
    return std::any_of(steps.begin(), steps.end(), [](const PostStep& s) { return s.trims; });
}

int64_t PostProcessor::added(bool pair) const {
    int64_t n = 0;
    for (const PostStep& s : steps) {
        if (s.kind == PostStep::Kind::kBert) n += pair ? 3 : 2;
        if (s.kind == PostStep::Kind::kRoberta) n += pair ? 4 : 2;
        for (const PostStep::Piece& piece : pair ? s.pair : s.single) n += static_cast<int64_t>(piece.ids.size());
    }
    return n;
}

Result<PostProcessor> makePostProcessor(const Json& json) {
    PostProcessor out;
    ASSAY_TRY_VOID(addStep(json, out, 0));
    return out;
}

}  // namespace assay::data
