#pragma once
// The filter and sort language of run lists (PROTOCOL.md). Parsed once, evaluated in memory; nothing of the text ever
// reaches SQL.

#include <assay/store/types.h>

#include <memory>

namespace assay::store {

struct KeyColumns;

class Filter {
public:
    // kBadUsage with the character position (1-based) and what was expected.
    static Result<Filter> parse(std::string_view text);
    Filter();
    Filter(Filter&&) noexcept;
    Filter& operator=(Filter&&) noexcept;
    ~Filter();
    const std::vector<std::string>& keys() const;  // each once, as written
    // `columns`: one for each of `keys`. An empty filter matches everything.
    bool matches(const std::vector<KeyColumns>& columns, size_t slot) const;

private:
    struct Node;
    friend class FilterParser;
    std::unique_ptr<Node> root_;
    std::vector<std::string> keys_;
};

struct SortKey {
    std::string key;  // empty: creation order
    bool descending = false;
};
Result<SortKey> parseSort(std::string_view text);  // "key", "-key", "key asc", "key desc"

}  // namespace assay::store
