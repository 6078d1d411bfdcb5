#include "runtime/keep_list.h"

#include <fmt/format.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

namespace assay::infer {
namespace {

struct CodeFree {
    void operator()(pcre2_code* code) const { pcre2_code_free(code); }
};
struct MatchFree {
    void operator()(pcre2_match_data* data) const { pcre2_match_data_free(data); }
};

struct Expression {
    std::string text;
    std::unique_ptr<pcre2_code, CodeFree> code;
    bool used = false;
};

bool finds(const Expression& expression, const std::string& name) {
    std::unique_ptr<pcre2_match_data, MatchFree> data(pcre2_match_data_create_from_pattern(expression.code.get(), nullptr));
    return pcre2_match(expression.code.get(), reinterpret_cast<PCRE2_SPTR>(name.data()), name.size(), 0, 0, data.get(), nullptr) >= 0;
}

}  // namespace

struct KeepList::State {
    std::vector<Expression> expressions;
};

KeepList::KeepList() : state_(std::make_unique<State>()) {}
KeepList::~KeepList() = default;
KeepList::KeepList(KeepList&&) noexcept = default;
KeepList& KeepList::operator=(KeepList&&) noexcept = default;

Result<KeepList> KeepList::compile(const std::vector<std::string>& expressions) {
    KeepList list;
    for (const auto& text : expressions) {
        int error = 0;
        PCRE2_SIZE offset = 0;
        std::unique_ptr<pcre2_code, CodeFree> code(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(),
                                                                 PCRE2_UTF, &error, &offset, nullptr));
        if (!code) {
            PCRE2_UCHAR message[256] = {};
            pcre2_get_error_message(error, message, sizeof message);
            return fail(ErrorCode::kBadUsage,
                        fmt::format("keep '{}': {} at character {}", text, reinterpret_cast<const char*>(message), offset + 1),
                        "Give a name such as lm_head or a regular expression (PCRE2).");
        }
        list.state_->expressions.push_back({text, std::move(code)});
    }
    return list;
}

bool KeepList::matches(const model::ParameterInfo& parameter, bool tied) {
    std::vector<std::string> names{parameter.name};
    if (parameter.role == model::Role::kEmbedding) names.emplace_back("embed_tokens");
    if (parameter.role == model::Role::kHead || (parameter.role == model::Role::kEmbedding && tied)) names.emplace_back("lm_head");
    bool any = false;
    for (auto& expression : state_->expressions)
        for (const auto& name : names)
            if (finds(expression, name)) any = expression.used = true;
    return any;
}

Result<void> KeepList::requireAllUsed() const {
    for (const auto& expression : state_->expressions)
        if (!expression.used)
            return fail(ErrorCode::kBadUsage, fmt::format("keep '{}' matches no weight of the model", expression.text),
                        "Names are those of Hugging Face, for example model.layers.0.mlp.down_proj.weight.");
    return {};
}

}  // namespace assay::infer
