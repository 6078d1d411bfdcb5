// JSONL and JSON arrays of objects. simdjson reads one row at a time, so that one bad row costs one row.
#include "import/json_rows.h"

#include <algorithm>

#include "tokenizer/unicode.h"

namespace assay::data {
namespace {
namespace dom = simdjson::dom;

constexpr size_t kLongestRow = kMaxDocumentBytes, kRowsForColumns = 100;

std::string_view column(const config::DataSource& source, std::string_view role) {
    for (const auto& [r, name] : source.columns)
        if (r == role) return name;
    return {};
}

// Text of a message's content: a string, or a list of parts of which the text ones count.
bool messageText(dom::element content, std::string& out) {
    std::string_view s;
    if (!content.get(s)) {
        out += s;
        return true;
    }
    dom::array parts;
    if (content.get(parts)) return content.is_null();
    for (dom::element part : parts) {
        std::string_view text;
        if (!part["text"].get(text)) out += text;
    }
    return true;
}

// Names of speakers in the shapes that people exchange: messages, ShareGPT.
bool knownRole(std::string_view role) {
    static constexpr std::string_view kKnown[] = {"system", "user", "assistant", "tool", "function", "developer", "human", "gpt", "observation", "function_call", "model", "ipython"};
    return std::find(std::begin(kKnown), std::end(kKnown), role) != std::end(kKnown);
}

enum class Row { kText, kMissing, kWrongType };

// The text of a row: the mapped columns, or the first shape that fits.
Row textOf(const dom::object& row, const config::DataSource& source, std::string& out, std::string& unknownRole) {
    auto take = [&](std::string_view name) -> Row {
        dom::element value;
        if (row[name].get(value)) return Row::kMissing;
        std::string_view s;
        if (value.get(s)) return value.is_null() ? Row::kMissing : Row::kWrongType;
        out += s;
        return Row::kText;
    };
    out.clear();
    if (const auto name = column(source, "text"); !name.empty()) return take(name);
    const auto prompt = column(source, "prompt"), completion = column(source, "completion");
    if (!prompt.empty() || !completion.empty()) {
        if (!prompt.empty())
            if (const Row r = take(prompt); r != Row::kText) return r;
        return completion.empty() ? Row::kText : take(completion);
    }
    for (const char* name : {"text", "content"})
        if (const Row r = take(name); r != Row::kMissing) return r;
    if (const Row r = take("prompt"); r != Row::kMissing) return r == Row::kText ? take("completion") : r;
    dom::array messages;
    if (!row["messages"].get(messages) || !row["conversations"].get(messages)) {
        for (dom::element message : messages) {
            dom::element content;
            if (message["content"].get(content) && message["value"].get(content)) return Row::kMissing;
            std::string_view role;
            if (unknownRole.empty() && (!message["role"].get(role) || !message["from"].get(role)) && !knownRole(role)) unknownRole = role.substr(0, 100);
            if (!out.empty()) out += '\n';
            if (!messageText(content, out)) return Row::kWrongType;
        }
        return Row::kText;
    }
    return Row::kMissing;
}

}  // namespace

JsonRowReader::JsonRowReader(const config::DataSource& source, Documents& out) : source_(source), out_(out), parser_(kLongestRow + 1) {}

void JsonRowReader::object(dom::element value, int64_t line) {
    last_.reset();
    ++out_.rows;
    const int64_t row = out_.rows;
    dom::object o;
    if (value.get(o)) return out_.drop("not_an_object", row, line, "each row must be a JSON object");
    last_ = o;
    if (static_cast<size_t>(row) <= kRowsForColumns)
        for (auto [key, unused] : o)
            if (std::find(out_.columns.begin(), out_.columns.end(), key) == out_.columns.end() && out_.columns.size() < 256) out_.columns.emplace_back(key);
    std::string role;
    switch (textOf(o, source_, text_, role)) {
        case Row::kMissing: return out_.drop("missing_column", row, line, "map the text column with data.train.columns: {text: NAME}");
        case Row::kWrongType: return out_.drop("not_text", row, line, "the text column must hold strings");
        case Row::kText: break;
    }
    if (!role.empty()) out_.drop("unknown_role", row, line, "the role \"" + role + "\" is none that chat templates know; the text is kept", false);
    out_.owned.push_back(text_);
    const size_t before = out_.texts.size();
    acceptRow(out_.owned.back(), row, line, out_);
    if (out_.texts.size() == before) out_.owned.pop_back();
}

void JsonRowReader::line(std::string_view bytes, int64_t number) {
    last_.reset();
    dom::element value;
    if (bytes.size() > kLongestRow) {
        ++out_.rows;
        return out_.drop("too_long", out_.rows, number, "rows end at 256 MiB");
    }
    if (parser_.parse(bytes.data(), bytes.size(), true).get(value)) {
        ++out_.rows;
        if (firstInvalidUtf8(bytes) != bytes.npos) return out_.drop("not_utf8", out_.rows, number, "convert the file to UTF-8, for example with iconv");
        return out_.drop("bad_json", out_.rows, number, "each line must be one complete JSON object; lone surrogates such as \\ud83d are no characters");
    }
    object(value, number);
}

Result<void> JsonRowReader::prepare() {
    if (parser_.allocate(1 << 20, kJsonRowDepth)) return fail(ErrorCode::kOutOfMemory, "not enough memory to read JSON rows");
    return {};
}

Result<void> readJsonRows(std::string_view bytes, bool array, const config::DataSource& source, Documents& out, const std::stop_token& stop) {
    JsonRowReader reader(source, out);
    ASSAY_TRY_VOID(reader.prepare());
    if (array) {
        dom::parser parser;
        if (parser.allocate(bytes.size(), kJsonRowDepth)) return fail(ErrorCode::kOutOfMemory, "not enough memory to read the JSON array");
        dom::array rows;
        if (const auto error = parser.parse(bytes.data(), bytes.size(), true).get(rows))
            return fail(ErrorCode::kInvalidFile, source.path + ": " + simdjson::error_message(error), "the file must be one JSON array of objects, or JSONL");
        for (dom::element row : rows) reader.object(row, 0);
        return {};
    }
    int64_t number = 0;
    for (size_t at = 0; at < bytes.size();) {
        size_t end = bytes.find('\n', at);
        if (end == bytes.npos) end = bytes.size();
        std::string_view line = bytes.substr(at, end - at);
        at = end + 1;
        ++number;
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (line.find_first_not_of(" \t") == line.npos) continue;  // blank lines are no rows
        reader.line(line, number);
        if ((number & 1023) == 0 && stop.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
    }
    return {};
}

}  // namespace assay::data
