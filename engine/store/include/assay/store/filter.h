#pragma once
// The filter and sort language of run lists (PROTOCOL.md). Parsed once, evaluated in memory; nothing of the text ever
// reaches SQL.

#include <assay/store/types.h>

#include <memory>

namespace assay::store {

// The value of a key: a column of the row, "tag", a summary metric, a spec path or the unambiguous end of one. Null: absent.
Json runValue(const RunRow& row, std::string_view key);
bool isColumn(std::string_view key);

class Filter {
public:
    // kBadUsage with the character position (1-based) and what was expected.
    static Result<Filter> parse(std::string_view text);
    Filter();
    Filter(Filter&&) noexcept;
    Filter& operator=(Filter&&) noexcept;
    ~Filter();
    bool matches(const RunRow& row) const;  // an empty filter matches everything
    bool needsSpec() const;                 // some key is not a column

private:
    struct Node;
    friend class FilterParser;
    std::unique_ptr<Node> root_;
};

struct SortKey {
    std::string key;  // empty: creation order
    bool descending = false;
};
Result<SortKey> parseSort(std::string_view text);  // "key", "-key", "key asc", "key desc"
void sortRuns(std::vector<RunRow>& rows, const SortKey& key);  // stable; rows without the key come last

}  // namespace assay::store
