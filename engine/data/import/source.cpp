#include "import/source.h"

#include <assay/core/paths.h>

#include <algorithm>

namespace assay::data {
namespace {

constexpr int64_t kRowsToLookAt = 500;

std::string lowerCase(std::string text) {
    for (char& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
    return text;
}

bool looksLikeNumber(std::string_view text) { return text.find_first_not_of("0123456789.eE+-") == text.npos; }

}  // namespace

Mapping guessMapping(const std::vector<ColumnSample>& columns, bool csv) {
    const auto has = [&](std::string_view name) { return std::any_of(columns.begin(), columns.end(), [&](const ColumnSample& c) { return c.name == name; }); };
    const auto named = [](std::string_view column) { return "a column named " + std::string(column); };
    const auto make = [](Shape shape, RoleColumns roles, bool isDefault, std::string reason) {
        Mapping m;
        m.shape = shape;
        m.roles = std::move(roles);
        m.isDefault = isDefault;
        m.reason = std::move(reason);
        return m;
    };
    const auto with = [&](RoleColumns roles, std::initializer_list<const char*> optional) {
        for (const char* name : optional)
            if (has(name)) roles.emplace_back(name, name);
        return roles;
    };
    // What the names show row by row (RowMapper) comes first, in the same order.
    for (const char* name : {"messages", "conversations", "conversation"})
        if (!csv && has(name)) return make(Shape::kMessages, with({{"messages", name}}, {"tools", "system"}), true, named(name));
    if (has("chosen") && has("rejected")) return make(Shape::kPreference, with({{"chosen", "chosen"}, {"rejected", "rejected"}}, {"prompt"}), true, "columns named chosen and rejected");
    for (const char* label : {"label", "labels"})
        for (const char* completion : {"completion", "response"})
            if (has("prompt") && has(completion) && has(label))
                return make(Shape::kKto, {{"prompt", "prompt"}, {"completion", completion}, {"label", label}}, true, std::string("columns named prompt, ") + completion + " and " + label);
    for (const char* output : {"output", "response"})
        if (has("instruction") && has(output))
            return make(Shape::kAlpaca, with({{"instruction", "instruction"}, {"output", output}}, {"input", "system"}), true, std::string("columns named instruction and ") + output);
    for (const char* name : {"text", "content"})
        if (has(name)) {
            for (const char* label : {"label", "labels"})
                if (has(label)) return make(Shape::kClassification, {{"text", name}, {"label", label}}, true, std::string("columns named ") + name + " and " + label);
            return make(Shape::kText, {{"text", name}}, true, named(name));
        }
    for (const char* completion : {"completion", "response"})
        if (has("prompt") && has(completion)) return make(Shape::kPrompt, {{"prompt", "prompt"}, {"completion", completion}}, true, std::string("columns named prompt and ") + completion);

    static constexpr std::pair<const char*, const char*> kPairs[] = {{"question", "answer"}, {"query", "response"}, {"query", "answer"}, {"input", "output"}, {"question", "response"}, {"source", "target"}};
    for (const auto& [prompt, completion] : kPairs)
        if (has(prompt) && has(completion)) return make(Shape::kPrompt, {{"prompt", prompt}, {"completion", completion}}, false, std::string("columns named ") + prompt + " and " + completion);
    std::vector<const ColumnSample*> texts;
    for (const ColumnSample& c : columns)
        if (c.texts > 0) texts.push_back(&c);
    const auto text = [&](const std::string& name, std::string reason) { return make(Shape::kText, {{"text", name}}, false, std::move(reason)); };
    for (const char* name : {"text", "content", "body", "verse", "document", "passage", "paragraph", "sentence", "article", "story", "abstract", "review", "comment", "description", "message"})
        for (const ColumnSample* c : texts)
            if (lowerCase(c->name) == name) return text(c->name, named(c->name));
    if (columns.size() == 1 && (csv || texts.size() == 1)) return text(columns[0].name, "the only column");
    if (texts.size() == 1) return text(texts[0]->name, "the only column with text");
    const auto mean = [](const ColumnSample* c) { return static_cast<double>(c->bytes) / static_cast<double>(c->texts); };
    const auto longest = std::max_element(texts.begin(), texts.end(), [&](const auto* a, const auto* b) { return mean(a) < mean(b); });
    if (longest != texts.end()) return text((*longest)->name, "the column with the longest texts");
    return {};
}

Result<std::string> sourcePath(const config::DataSource& source) {
    ASSAY_TRY(std::string path, resolveAsset(source.path));
    if (path.starts_with("blob:")) return fail(ErrorCode::kNotFound, path + " was not resolved to a file");
    return path;
}

Result<OpenedSource> openSource(const config::DataSource& source, config::Document document) {
    OpenedSource out;
    out.source = source;
    ASSAY_TRY(out.source.path, sourcePath(source));
    out.request.path = out.source.path;
    out.request.format = source.format;
    out.request.document = document;
    ASSAY_TRY(RowReaderPtr reader, openRows(out.request));
    out.format = reader->format();
    out.bytes = reader->bytesTotal();
    const bool csv = out.format == "csv";
    std::vector<ColumnSample> samples;
    std::array<int64_t, kShapes> shapes{};
    Mapping byName;
    byName.isDefault = true;
    RowMapper mapper(byName);
    RowBatch batch;
    RowParts parts;
    int64_t rows = 0;
    while (rows < kRowsToLookAt && out.format != "text") {
        ASSAY_TRY(const bool more, reader->next(batch));
        if (!more) break;
        samples.resize(std::max(samples.size(), batch.columns().size()));
        for (size_t c = 0; c < batch.columns().size(); ++c) samples[c].name = batch.columns()[c];
        for (size_t r = 0; r < batch.size() && rows < kRowsToLookAt; ++r, ++rows) {
            mapper.read(batch, r, parts);
            if (const RowBatch::Fault* fault = batch.fault(r); fault && out.faults++ == 0) {
                const RowBatch::Row& at = batch.row(r);
                out.firstFault = fault->reason + (at.line > 0 ? " (line " + std::to_string(at.line) + ")" : " (row " + std::to_string(at.number) + ")") + ": " + fault->hint;
            }
            ++shapes[static_cast<size_t>(parts.shape)];
            for (size_t c = 0; c < samples.size(); ++c) {
                const Cell cell = batch.cell(r, c);
                // Numbers, lists and objects are no texts; a string that looks like one is not worth the difference.
                if (cell.kind != Cell::Kind::kString || cell.text.empty() || (!csv && looksLikeNumber(cell.text))) continue;
                ++samples[c].texts;
                samples[c].bytes += cell.text.size();
            }
        }
    }
    out.rows = rows;
    out.columns = *reader->columns();
    out.details = reader->details();
    if (out.format == "text") {
        out.mapping.shape = Shape::kText;
        out.mapping.isDefault = true;
        return out;
    }
    if (csv && samples.empty())
        for (const std::string& name : out.columns) samples.push_back({name, 0, 0});
    // Columns of a schema are complete; keys of JSON rows may come later.
    const bool complete = out.format != "jsonl" && out.format != "json";
    if (!source.columns.empty()) {
        ASSAY_TRY(out.mapping, givenMapping(source.columns, out.columns, complete, out.source.path));
        out.given = true;
    } else {
        out.mapping = guessMapping(samples, csv);
        if (out.mapping.isDefault) {
            for (size_t s = 1; s < kShapes; ++s)
                if (shapes[s] > 0) out.mapping.shapes.emplace_back(static_cast<Shape>(s), shapes[s]);
            std::stable_sort(out.mapping.shapes.begin(), out.mapping.shapes.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
            if (!out.mapping.shapes.empty() && out.mapping.shape != out.mapping.shapes[0].first) {
                out.mapping.shape = out.mapping.shapes[0].first;
                out.mapping.roles = defaultRoles(out.mapping.shape, out.columns);
                out.mapping.reason = std::string("most rows are of the shape ") + shapeName(out.mapping.shape);
            }
        }
    }
    out.request.project = columnsOf(out.mapping);
    return out;
}

Result<void> requireMapping(const OpenedSource& s) {
    if (s.format != "text" && s.rows == 0) return fail(ErrorCode::kInvalidFile, s.source.path + " holds no rows", "name a file with at least one row");
    if (s.rows > 0 && s.faults == s.rows)
        return fail(ErrorCode::kInvalidFile, s.source.path + (s.rows == 1 ? ": its first row cannot be read" : ": none of its first " + std::to_string(s.rows) + " rows can be read"), "the first is " + s.firstFault);
    const auto isThere = [&](const auto& role) { return std::find(s.columns.begin(), s.columns.end(), role.second) != s.columns.end(); };
    if (s.given && s.rows > 0 && !s.columns.empty() && !s.mapping.roles.empty() && std::none_of(s.mapping.roles.begin(), s.mapping.roles.end(), isThere)) {
        std::string has;
        for (size_t i = 0; i < s.columns.size() && i < 8; ++i) has += (i > 0 ? ", " : "") + s.columns[i];
        return fail(ErrorCode::kBadUsage, s.source.path + " has no column \"" + s.mapping.roles.front().second + "\" in its first rows", "its columns are " + has + (s.columns.size() > 8 ? " and others" : "") + "; correct the columns of this file in the data section");
    }
    if (s.given || s.mapping.isDefault) return {};
    if (s.columns.size() == 1 && !s.mapping.roles.empty()) return {};
    std::string all, suggestion;
    for (size_t i = 0; i < std::min<size_t>(s.columns.size(), 20); ++i) all += (i ? ", " : "") + s.columns[i];
    for (const auto& [role, column] : s.mapping.roles) suggestion += (suggestion.empty() ? "" : ", ") + role + ": " + column;
    return fail(ErrorCode::kInvalidFile, s.source.path + " does not show by its columns what its rows mean" + (all.empty() ? "" : ": they are " + all),
                "say it with columns: {" + (suggestion.empty() ? "text: NAME" : suggestion) + "} beside the path");
}

}  // namespace assay::data
