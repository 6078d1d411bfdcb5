#include "inspect/data_file.h"

#include <sys/stat.h>

#include <algorithm>

#include "import/csv_reader.h"
#include "inspect/mapping.h"

namespace assay::data {
namespace dom = simdjson::dom;
namespace {

constexpr int64_t kRowsForMapping = 100;
constexpr size_t kMaxColumns = 256, kMaxTextCell = 64 << 10, kKeepIndexAbove = 8 << 20;

std::string cellText(const dom::element& value) {
    std::string_view text;
    if (!value.get(text)) return std::string(text);
    return value.is_null() ? std::string() : simdjson::minify(value);
}

}  // namespace

// One row after the other through the readers of import/, so that what is shown is what is trained on.
class RowsFile::Reader {
public:
    Reader(const RowsFile& file, bool cells) : file_(file), cells_(cells), json_(file.source_, scratch_) { scratch_.columns = file.columns_; }
    Result<void> prepare() { return json_.prepare(); }

    const DataRow& read(std::string_view raw, int64_t row, int64_t line) {
        begin(row);
        if (file_.shape_.format == "jsonl") {
            json_.line(raw, line);
            if (cells_) jsonCells();
        } else if (file_.shape_.format == "csv") {
            csv(raw, line);
        } else {
            ++scratch_.rows;
            acceptRow(raw, row, line, scratch_);
            if (cells_) out_.cells.emplace_back("text", raw.substr(0, kMaxTextCell));
        }
        return end(row, line);
    }
    const DataRow& read(const dom::element& element, int64_t row) {
        begin(row);
        json_.object(element, 0);
        if (cells_) jsonCells();
        return end(row, 0);
    }

private:
    void begin(int64_t row) {
        scratch_.texts.clear();
        scratch_.lines.clear();
        scratch_.owned.clear();
        scratch_.problems.clear();
        scratch_.rows = row - 1;
        out_.cells.clear();
    }
    const DataRow& end(int64_t row, int64_t line) {
        out_.row = row;
        out_.line = line;
        out_.usable = !scratch_.texts.empty();
        out_.odd = out_.usable && !scratch_.problems.empty();
        out_.reason.clear();
        out_.hint.clear();
        // The reason that costs the row, else what is odd about it.
        for (const RowProblem& p : scratch_.problems)
            if (out_.reason.empty() || p.dropped) {
                out_.reason = p.reason;
                out_.hint = p.hint;
            }
        out_.text.clear();
        if (out_.usable) out_.text.assign(scratch_.texts[0]);
        return out_;
    }
    void csv(std::string_view raw, int64_t line) {
        CsvReader reader(raw, file_.shape_.separator, 0, line);
        int64_t at = 0;
        if (!reader.row(fields_, at)) return;
        if (file_.textColumns_.empty()) {
            ++scratch_.rows;
            scratch_.drop("missing_column", scratch_.rows, line, "map the text column with data.train.columns: {text: NAME}");
        } else {
            acceptCsvRow(fields_, line, file_.textColumns_, scratch_);
        }
        for (size_t i = 0; cells_ && i < std::min(fields_.size(), kMaxColumns); ++i)
            out_.cells.emplace_back(i < file_.columns_.size() ? file_.columns_[i] : "#" + std::to_string(i + 1), fields_[i]);
    }
    void jsonCells() {
        if (!json_.last()) return;
        for (auto [key, value] : *json_.last()) {
            if (out_.cells.size() >= kMaxColumns) break;
            out_.cells.emplace_back(key, cellText(value));
        }
    }

    const RowsFile& file_;
    bool cells_;
    Documents scratch_;
    JsonRowReader json_;
    std::vector<std::string> fields_;
    DataRow out_;
};

Result<std::shared_ptr<const RowsFile>> RowsFile::openFile(const config::DataSource& source, config::Document document, const std::string& cacheFolder) {
    auto out = std::make_shared<RowsFile>();
    out->source_ = source;
    out->cacheFolder_ = cacheFolder;
    out->shape_.document = document;
    ASSAY_TRY(out->path_, sourcePath(source));
    out->source_.path = out->path_;
    struct stat st {};
    if (::stat(out->path_.c_str(), &st) == 0) {
        out->fileBytes_ = st.st_size;
        out->modifiedNs_ = st.st_mtim.tv_sec * int64_t{1'000'000'000} + st.st_mtim.tv_nsec;
    }
    ASSAY_TRY(out->bytes_, sourceBytes(out->path_, out->holder_, kMaxUnpackedForRows));
    if (out->bytes_.empty()) return fail(ErrorCode::kInvalidFile, out->path_ + " is empty", "name a file with at least one row");
    ASSAY_TRY(out->shape_.format, detectFormat(out->path_, source.format, out->bytes_));
    if (out->bytes_.starts_with("\xEF\xBB\xBF")) out->bytes_.remove_prefix(3);
    if (out->shape_.format == "csv") {
        out->shape_.separator = out->path_.find(".tsv") != std::string::npos ? '\t' : guessSeparator(out->bytes_);
        CsvReader header(out->bytes_, out->shape_.separator);
        int64_t line = 0;
        header.row(out->columns_, line);
        out->shape_.oneColumn = out->columns_.size() == 1;
        out->first_ = {header.at(), header.line()};
    } else if (out->shape_.format == "json") {
        ASSAY_TRY_VOID(out->openArray());
    }
    ASSAY_TRY_VOID(out->chooseMapping());
    return std::shared_ptr<const RowsFile>(std::move(out));
}

Result<void> RowsFile::openArray() {
    if (bytes_.size() > kMaxArrayForRows)
        return fail(ErrorCode::kUnsupported, path_ + " is a JSON array of more than 256 MiB", "convert it to JSONL, one object a line");
    arrayParser_ = std::make_unique<dom::parser>();
    if (arrayParser_->allocate(bytes_.size(), kJsonRowDepth)) return fail(ErrorCode::kOutOfMemory, "not enough memory to read the JSON array");
    dom::array rows;
    if (const auto error = arrayParser_->parse(bytes_.data(), bytes_.size(), true).get(rows))
        return fail(ErrorCode::kInvalidFile, path_ + ": " + simdjson::error_message(error), "the file must be one JSON array of objects, or JSONL");
    array_ = rows;
    index_.rows = static_cast<int64_t>(std::distance(rows.begin(), rows.end()));
    return {};
}

// Names and kinds of the columns from the first rows; the mapping from those, unless it is given.
Result<void> RowsFile::chooseMapping() {
    if (shape_.format == "text") {
        columns_ = {"text"};
        return {};
    }
    const bool csv = shape_.format == "csv";
    std::vector<ColumnSample> samples;
    for (const std::string& name : columns_) samples.push_back({name, 0, 0});
    ASSAY_TRY_VOID(walk(1, true, nullptr, [&](const DataRow& row) {
        for (const auto& [name, text] : row.cells) {
            auto found = std::find_if(samples.begin(), samples.end(), [&](const ColumnSample& c) { return c.name == name; });
            if (found == samples.end()) {
                if (csv || samples.size() >= kMaxColumns) continue;
                found = samples.insert(samples.end(), {name, 0, 0});
            }
            // Numbers, lists and objects of JSON are no texts; a string that looks like one is not worth the difference.
            const bool isText = csv || text.empty() || (text[0] != '{' && text[0] != '[' && text.find_first_not_of("0123456789.eE+-") != text.npos && text != "true" && text != "false");
            if (text.empty() || !isText) continue;
            ++found->texts;
            found->bytes += text.size();
        }
        return row.row < kRowsForMapping;
    }, {}));
    if (!csv) {
        columns_.clear();
        for (const ColumnSample& c : samples) columns_.push_back(c.name);
    }
    if (source_.columns.empty()) {
        Mapping guess = guessMapping(samples, csv);
        mapping_ = guess.roles;
        mappingReason_ = std::move(guess.reason);
        if (!guess.isDefault) source_.columns = std::move(guess.roles);
    } else {
        mapping_ = source_.columns;
    }
    if (csv && !mapping_.empty()) {
        ASSAY_TRY(textColumns_, csvTextColumns(columns_, source_));
    }
    return {};
}

const RowIndex& RowsFile::index() const {
    std::call_once(indexed_, [&] {
        if (array_) return;
        const bool kept = holder_.owned.empty() && bytes_.size() >= kKeepIndexAbove;  // unpacked files are unpacked again anyway
        const std::string key = kept ? indexKey(path_, fileBytes_, modifiedNs_, shape_, first_.offset) : "";
        if (kept && readIndex(cacheFolder_, key, bytes_.size(), index_)) return;
        index_ = buildIndex(bytes_, shape_, first_);
        if (kept) writeIndex(cacheFolder_, key, index_);
    });
    return index_;
}

int64_t RowsFile::rows() const { return index().rows; }

Result<void> RowsFile::walkArray(int64_t first, bool cells, const Visit& visit, const std::stop_token& stop) const {
    Reader reader(*this, cells);
    ASSAY_TRY_VOID(reader.prepare());
    int64_t row = 0;
    for (dom::element element : *array_) {
        if (++row < first) continue;
        if (!visit(reader.read(element, row))) return {};
        if ((row & 1023) == 0 && stop.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
    }
    return {};
}

Result<void> RowsFile::walk(int64_t first, bool cells, const Wanted* wanted, const Visit& visit, const std::stop_token& stop) const {
    if (array_) return walkArray(first, cells, visit, stop);
    RowPlace from = first_;
    int64_t row = 0;
    if (first > 1) {
        const auto mark = static_cast<size_t>((first - 1) / kIndexStride);
        if (mark >= index().marks.size()) return {};
        from = index().marks[mark];
        row = static_cast<int64_t>(mark) * kIndexStride;
    }
    Reader reader(*this, cells);
    ASSAY_TRY_VOID(reader.prepare());
    RowScanner scanner(bytes_, shape_, from);
    RowPlace place;
    std::string_view raw;
    while (scanner.next(place, raw)) {
        ++row;
        if ((row & 1023) == 0 && stop.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
        if (row < first || (wanted && !(*wanted)(raw))) continue;
        if (!visit(reader.read(raw, row, place.line))) return {};
    }
    return {};
}

Result<void> RowsFile::visit(int64_t first, bool cells, const Visit& visit, const std::stop_token& stop) const {
    return walk(std::max<int64_t>(first, 1), cells, nullptr, visit, stop);
}

Result<void> RowsFile::visitMatching(const std::string& filter, const Visit& visit, const std::stop_token& stop) const {
    // A row without escapes that does not hold the bytes need not be parsed.
    const char escape = shape_.format == "jsonl" ? '\\' : shape_.format == "csv" ? '"' : '\0';
    const bool plain = filter.find(escape) == filter.npos && filter.find('"') == filter.npos;
    const Wanted wanted = [&](std::string_view raw) { return !plain || raw.find(filter) != raw.npos || (escape != '\0' && raw.find(escape) != raw.npos); };
    const Visit matching = [&](const DataRow& row) {
        bool found = row.text.find(filter) != row.text.npos;
        for (size_t i = 0; !found && i < row.cells.size(); ++i) found = row.cells[i].second.find(filter) != std::string::npos;
        return found ? visit(row) : true;
    };
    return walk(1, true, &wanted, matching, stop);
}

Result<DataFilePtr> DataFile::open(const config::DataSource& source, config::Document document, const std::string& cacheFolder) {
    ASSAY_TRY(auto file, RowsFile::openFile(source, document, cacheFolder));
    return DataFilePtr(std::move(file));
}

Result<TextSample> sampleTexts(const DataFile& file, bool spread, const std::stop_token& stop) {
    const auto& rows = static_cast<const RowsFile&>(file);
    TextSample out;
    if (rows.plainBytes() <= kSampleAboveBytes) {
        ASSAY_TRY(out.storage, readDocuments(file.source(), rows.document(), stop));
        out.texts = out.storage->texts;
        out.lines = out.storage->lines;
        out.rowsUsed = out.storage->rows;
        return out;
    }
    out.sampled = true;
    out.storage = std::make_unique<Documents>();
    int64_t bytes = 0;
    const auto take = [&](const DataRow& row) {
        ++out.rowsUsed;
        if (!row.usable) return;
        out.storage->owned.push_back(row.text);
        out.texts.push_back(out.storage->owned.back());
        out.lines.push_back(row.line);
        bytes += static_cast<int64_t>(row.text.size());
    };
    // Blocks of one index stride; as many as should fill the sample, at even distances.
    const int64_t blocks = (file.rows() + kIndexStride - 1) / kIndexStride;
    const int64_t wanted = spread ? std::max<int64_t>(1, std::min(blocks, static_cast<int64_t>(static_cast<double>(kSampleBytes) / static_cast<double>(rows.plainBytes()) * static_cast<double>(blocks)))) : blocks;
    for (int64_t i = 0; i < wanted && bytes < kSampleBytes; ++i) {
        const int64_t first = i * blocks / wanted * kIndexStride + 1;
        ASSAY_TRY_VOID(file.visit(first, false, [&](const DataRow& row) {
            take(row);
            return row.row < first + kIndexStride - 1 && bytes < 2 * kSampleBytes;
        }, stop));
    }
    return out;
}

}  // namespace assay::data
