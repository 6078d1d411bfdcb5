#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace assay::data {

// Rows that are not used, or odd, by reason.
struct RowProblem {
    std::string reason;  // "not_utf8", "bad_json", "missing_column", "empty", "nul_byte", "too_long", …
    int64_t row = 0, line = 0, count = 0;  // row and line of the first one, from 1
    bool dropped = true;                   // false: only worth telling
    std::string hint;                      // of the first one
};

class Problems {
public:
    void add(const std::string& reason, int64_t row, int64_t line, const std::string& hint, bool dropped = true) {
        for (RowProblem& p : list_)
            if (p.reason == reason && p.dropped == dropped) {
                ++p.count;
                if (row < p.row) {  // equal documents come in the order of their hashes
                    p.row = row;
                    p.line = line;
                    p.hint = hint;
                }
                return;
            }
        list_.push_back({reason, row, line, 1, dropped, hint});
    }
    // Those of rows that follow the ones counted here.
    void merge(const Problems& later) {
        for (const RowProblem& q : later.list_) {
            bool found = false;
            for (RowProblem& p : list_)
                if (p.reason == q.reason && p.dropped == q.dropped) {
                    p.count += q.count;
                    found = true;
                }
            if (!found) list_.push_back(q);
        }
    }
    const std::vector<RowProblem>& list() const { return list_; }
    std::map<std::string, int64_t> dropped() const {
        std::map<std::string, int64_t> out;
        for (const RowProblem& p : list_)
            if (p.dropped) out[p.reason] += p.count;
        return out;
    }

private:
    std::vector<RowProblem> list_;
};

}  // namespace assay::data
