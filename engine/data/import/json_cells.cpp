#include "import/json_cells.h"

#include <algorithm>

#include "import/byte_stream.h"

namespace assay::data {
namespace dom = simdjson::dom;

Result<void> JsonCells::prepare() {
    if (parser_.allocate(1 << 20, kJsonRowDepth)) return fail(ErrorCode::kOutOfMemory, "not enough memory to read JSON rows");
    return {};
}

const RowBatch::Columns& JsonCells::columns() {
    if (!shared_ || shared_->size() != names_.size()) shared_ = std::make_shared<const std::vector<std::string>>(names_);
    return shared_;
}

int JsonCells::column(std::string_view key, size_t hint) {
    if (hint < names_.size() && names_[hint] == key) return static_cast<int>(hint);  // rows mostly look alike
    std::string name(key);
    if (const auto found = index_.find(name); found != index_.end()) return found->second;
    if (!project_.empty() && std::find(project_.begin(), project_.end(), key) == project_.end()) return -1;
    if (names_.size() >= kMaxColumns) {
        full_ = true;
        return -1;
    }
    const int at = static_cast<int>(names_.size());
    index_.emplace(name, at);
    names_.push_back(std::move(name));
    return at;
}

void JsonCells::add(std::string_view bytes, int64_t number, int64_t line, RowBatch& out) {
    dom::element value;
    if (const auto error = parser_.parse(bytes.data(), bytes.size(), false).get(value)) {
        if (!simdjson::validate_utf8(bytes.data(), bytes.size())) return out.addFault(number, line, "not_utf8", encodingHint(bytes));
        return out.addFault(number, line, "bad_json",
                            std::string("a row must be one complete JSON object (") + simdjson::error_message(error) + "); lone surrogates such as \\ud83d are no characters");
    }
    dom::object object;
    if (value.get(object)) return out.addFault(number, line, "not_an_object", "each row must be a JSON object");
    out.addRow(number, line);
    size_t hint = 0;
    for (auto [key, cell] : object) {
        const int at = column(key, hint);
        if (at < 0) continue;
        hint = static_cast<size_t>(at) + 1;
        Cell c;
        std::string_view text;
        if (cell.is_null()) {
            c.kind = Cell::Kind::kNull;
        } else if (!cell.get(text)) {
            c = {Cell::Kind::kString, out.copy(text)};
        } else {
            c = {Cell::Kind::kJson, out.copy(simdjson::minify(cell))};
        }
        out.setCell(static_cast<size_t>(at), c);
    }
}

}  // namespace assay::data
