#pragma once
#include <assay/model/config.h>

#include <memory>
#include <string>
#include <vector>

namespace assay::infer {

// Names or PCRE2 expressions of weights that stay in high precision. Besides its name, an embedding answers to
// "embed_tokens" and whatever serves as output head to "lm_head", so that one list works for tied and untied models of
// every family.
class KeepList {
public:
    static Result<KeepList> compile(const std::vector<std::string>& expressions);
    KeepList();
    ~KeepList();
    KeepList(KeepList&&) noexcept;
    KeepList& operator=(KeepList&&) noexcept;
    bool matches(const model::ParameterInfo& parameter, bool tied);
    Result<void> requireAllUsed() const;  // an expression that matched nothing is an error

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace assay::infer
