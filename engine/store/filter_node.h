#pragma once
#include "assay/store/filter.h"
#include "run_index.h"

namespace assay::store {

struct Filter::Node {
    enum class Kind { kAnd, kOr, kNot, kCompare } kind = Kind::kCompare;
    enum class Op { kEqual, kNotEqual, kLess, kAtMost, kMore, kAtLeast, kContains } op = Op::kEqual;
    std::unique_ptr<Node> left, right;
    std::ptrdiff_t key = 0;  // place in Filter::keys
    std::string text;
    bool isNumber = false, isNull = false;
    double number = 0;

    bool matches(const std::vector<KeyColumns>& columns, size_t slot) const;
    bool compare(const Cell& cell) const;  // not a list

private:
    bool ordered(int order) const;
};

}  // namespace assay::store
