// One JSON array of objects, or an object that holds it under "data", "rows" or the like. Elements are cut out by their
// brackets and read one by one, so that a large file needs no more memory than its largest row.
#include <algorithm>

#include "import/block_rows.h"
#include "import/json_array.h"
#include "import/json_cells.h"

namespace assay::data {

size_t jsonValueEnd(std::string_view bytes) {
    bool string = false;
    size_t depth = 0;
    for (size_t i = 0; i < bytes.size(); ++i) {
        const char c = bytes[i];
        if (string) {
            if (c == '\\') {
                ++i;
            } else if (c == '"') {
                string = false;
                if (depth == 0) return i + 1;
            }
            continue;
        }
        switch (c) {
            case '"': string = true; break;
            case '{':
            case '[': ++depth; break;
            case '}':
            case ']':
                if (depth == 0) return i;
                if (--depth == 0) return i + 1;
                break;
            case ',':
            case ' ':
            case '\t':
            case '\n':
            case '\r':
                if (depth == 0 && i > 0) return i;
                break;
            default: break;
        }
    }
    return bytes.npos;
}

bool holdsRows(std::string_view key) {
    static constexpr std::string_view kNames[] = {"data", "rows", "examples", "instances", "records", "items"};
    return std::find(std::begin(kNames), std::end(kNames), key) != std::end(kNames);
}

namespace {

constexpr std::string_view kBlank = " \t\r\n";

class JsonArray final : public BlockRows {
public:
    JsonArray(const RowRequest& request, OpenedBytes bytes) : BlockRows(request, std::move(bytes)), cells_(request.project) {}
    Result<void> prepare() { return cells_.prepare(); }
    const std::string& format() const override {
        static const std::string kName = "json";
        return kName;
    }
    std::vector<std::pair<std::string, std::string>> details() const override {
        auto out = BlockRows::details();
        if (!key_.empty()) out.emplace_back("rows_under", key_);
        if (cells_.full()) out.emplace_back("columns", "only the first " + std::to_string(kMaxColumns));
        return out;
    }

protected:
    Result<Cut> cut(std::string_view bytes, bool last, size_t& used, RowBatch& out) override {
        const size_t begin = bytes.find_first_not_of(kBlank);
        if (begin == bytes.npos || begin > 0) {
            used = std::min(begin, bytes.size());
            line_ += countLines(bytes.substr(0, used));
            if (begin == bytes.npos && last && state_ != State::kDone) return early();
            return Cut::kNone;
        }
        switch (state_) {
            case State::kStart: return start(bytes, used);
            case State::kKey: return key(bytes, last, used);
            case State::kFirst:
            case State::kElement: return element(bytes, last, used, out);
            case State::kComma: return comma(bytes, used);
            case State::kDone: break;
        }
        if (!key_.empty()) return Cut::kEnd;  // what else the object holds is no rows
        return wrong("something follows the array");
    }
    size_t resume(std::string_view bytes) const override { return bytes.npos; }
    void onSeek() override { state_ = State::kElement; }
    Result<void> atEnd() const override {
        if (state_ != State::kDone) return early();
        return {};
    }

private:
    enum class State { kStart, kKey, kFirst, kElement, kComma, kDone };

    tl::unexpected<Error> wrong(const std::string& why) const {
        return fail(ErrorCode::kInvalidFile, path() + ": " + why + " at line " + std::to_string(line_) + ", byte " + std::to_string(offset()), "the file must be one JSON array of objects, or JSONL");
    }
    tl::unexpected<Error> early() const {
        return fail(ErrorCode::kInvalidFile, path() + ": the JSON array ends too early, at line " + std::to_string(line_) + ", byte " + std::to_string(offset()), "the file is damaged or cut off: fetch it again");
    }
    Result<Cut> start(std::string_view bytes, size_t& used) {
        if (bytes[0] != '[' && bytes[0] != '{') return wrong("no JSON array begins");
        state_ = bytes[0] == '[' ? State::kFirst : State::kKey;
        used = 1;
        return Cut::kNone;
    }
    // A key of the object around the array: it opens the rows, or its value is passed over.
    Result<Cut> key(std::string_view bytes, bool last, size_t& used) {
        if (bytes[0] == '}') return wrong("the object holds no array named data or rows");
        if (bytes[0] == ',') {
            used = 1;
            return Cut::kNone;
        }
        const auto more = [&]() -> Result<Cut> {
            if (last) return early();
            if (bytes.size() >= kMaxRowBytes) return wrong("a value of more than 256 MiB begins");
            return Cut::kMore;
        };
        if (bytes[0] != '"') return wrong("a key is expected");
        const size_t end = jsonValueEnd(bytes);
        if (end == bytes.npos) return more();
        const size_t colon = bytes.find_first_not_of(kBlank, end);
        if (colon == bytes.npos) return more();
        if (bytes[colon] != ':') return wrong("a colon is expected");
        const size_t value = bytes.find_first_not_of(kBlank, colon + 1);
        if (value == bytes.npos) return more();
        const std::string_view name = bytes.substr(1, end - 2);
        if (bytes[value] == '[' && holdsRows(name)) {
            key_ = name;
            state_ = State::kFirst;
            used = value + 1;
        } else {
            const size_t n = jsonValueEnd(bytes.substr(value));
            if (n == bytes.npos) return more();
            if (n == 0) return wrong("a value is expected");
            used = value + n;
        }
        line_ += countLines(bytes.substr(0, used));
        return Cut::kNone;
    }
    Result<Cut> element(std::string_view bytes, bool last, size_t& used, RowBatch& out) {
        if (bytes[0] == ']' && state_ == State::kFirst) {
            used = 1;
            state_ = State::kDone;
            return Cut::kNone;
        }
        const size_t end = jsonValueEnd(bytes);
        if (end == bytes.npos) {
            if (last) return early();
            if (bytes.size() >= kMaxRowBytes) return wrong("an element of more than 256 MiB begins");
            return Cut::kMore;
        }
        if (end == 0) return wrong("an element is expected");
        used = end;
        cells_.add(bytes.substr(0, end), row_, line_, out);
        columns_ = cells_.columns();
        line_ += countLines(bytes.substr(0, end));
        state_ = State::kComma;
        return Cut::kRow;
    }
    Result<Cut> comma(std::string_view bytes, size_t& used) {
        if (bytes[0] != ',' && bytes[0] != ']') return wrong("a comma is expected");
        state_ = bytes[0] == ',' ? State::kElement : State::kDone;
        used = 1;
        return Cut::kNone;
    }

    State state_ = State::kStart;
    std::string key_;
    JsonCells cells_;
};

}  // namespace

Result<RowReaderPtr> openJsonArray(const RowRequest& request, const FileHead&) {
    ASSAY_TRY(OpenedBytes bytes, openBytes(request.path));
    auto out = std::make_unique<JsonArray>(request, std::move(bytes));
    ASSAY_TRY_VOID(out->prepare());
    return out;
}

}  // namespace assay::data
