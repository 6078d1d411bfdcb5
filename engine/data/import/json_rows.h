#pragma once
// JSON rows one at a time; simdjson keeps one parser for all of them.
#include <simdjson.h>

#include <optional>

#include "import/documents.h"

namespace assay::data {

constexpr size_t kJsonRowDepth = 64;

class JsonRowReader {
public:
    JsonRowReader(const config::DataSource& source, Documents& out);
    Result<void> prepare();
    void line(std::string_view bytes, int64_t number);                  // a line of JSONL
    void object(simdjson::dom::element value, int64_t line);            // an element of an array
    // The row just read, until the next one; nothing when it was no object.
    const std::optional<simdjson::dom::object>& last() const { return last_; }

private:
    const config::DataSource& source_;
    Documents& out_;
    simdjson::dom::parser parser_;
    std::optional<simdjson::dom::object> last_;
    std::string text_;
};

}  // namespace assay::data
