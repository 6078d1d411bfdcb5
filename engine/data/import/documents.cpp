#include "import/documents.h"

#include <assay/core/paths.h>

#include <algorithm>
#include <filesystem>

#include "tokenizer/unicode.h"

namespace assay::data {
namespace {
namespace fs = std::filesystem;

std::string lowerExtension(const fs::path& path) {
    std::string e = path.extension().string();
    std::transform(e.begin(), e.end(), e.begin(), [](unsigned char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
    return e;
}

tl::unexpected<Error> columnar(const std::string& path, const std::string& format) {
    return fail(ErrorCode::kUnsupported, path + ": this build does not read " + format,
                "convert it to JSONL first, for example in Python: datasets.load_dataset(…).to_json(\"data.jsonl\") or pandas.read_parquet(…).to_json(\"data.jsonl\", orient=\"records\", lines=True)");
}

}  // namespace

void Documents::drop(const char* reason, int64_t row, int64_t line, const std::string& hint, bool isDropped) {
    for (RowProblem& p : problems)
        if (p.reason == reason) {
            ++p.count;
            return;
        }
    problems.push_back({reason, row, line, 1, isDropped, hint});
}

std::map<std::string, int64_t> Documents::dropped() const {
    std::map<std::string, int64_t> out;
    for (const RowProblem& p : problems)
        if (p.dropped) out[p.reason] += p.count;
    return out;
}

void acceptRow(std::string_view text, int64_t row, int64_t line, Documents& out) {
    if (text.find_first_not_of(" \t\r\n\v\f") == text.npos) return out.drop("empty", row, line, "rows without text are left out");
    if (text.size() > kMaxDocumentBytes) return out.drop("too_long", row, line, "documents end at 256 MiB: split the file, or set data.document to line or paragraph");
    if (firstInvalidUtf8(text) != text.npos) return out.drop("not_utf8", row, line, "convert the file to UTF-8, for example with iconv");
    if (text.find('\0') != text.npos) out.drop("nul_byte", row, line, "the text holds NUL characters; they are kept", false);
    out.texts.push_back(text);
    out.lines.push_back(line);
}

Result<std::string> detectFormat(const std::string& path, const std::string& declared, std::string_view bytes) {
    fs::path name(path);
    if (const std::string e = lowerExtension(name); e == ".gz" || e == ".zst") name = name.stem();
    const std::string e = lowerExtension(name);
    if (declared == "parquet" || declared == "arrow" || declared == "hf") return columnar(path, declared == "hf" ? "saved Hugging Face datasets" : declared + " files");
    if (declared == "auto" || declared.empty() || declared == "text") {
        if (bytes.starts_with("PAR1")) return columnar(path, "parquet files");
        if (bytes.starts_with("ARROW1") || (e == ".arrow" && bytes.starts_with("\xFF\xFF\xFF\xFF"))) return columnar(path, "arrow files");
        if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF"))
            return fail(ErrorCode::kInvalidFile, path + " is UTF-16 text", "convert it: iconv -f UTF-16 -t UTF-8 IN > OUT");
    }
    if (declared == "text" || declared == "csv") return declared;
    const size_t first = bytes.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    const char start = first == bytes.npos ? '\0' : bytes[first];
    if (declared == "jsonl" || declared == "json") return std::string(start == '[' ? "json" : "jsonl");
    if (declared != "auto" && !declared.empty())
        return fail(ErrorCode::kBadUsage, "data format \"" + declared + "\" is unknown", "formats are auto, text, jsonl, csv, parquet, arrow, hf");
    if (e == ".jsonl" || e == ".ndjson" || e == ".json") return std::string(start == '[' ? "json" : "jsonl");
    if (e == ".csv" || e == ".tsv") return std::string("csv");
    if (e == ".parquet" || e == ".arrow") return columnar(path, e.substr(1) + " files");
    return std::string("text");
}

Result<std::string> sourcePath(const config::DataSource& source) {
    ASSAY_TRY(std::string path, resolveAsset(source.path));
    if (path.starts_with("blob:")) return fail(ErrorCode::kNotFound, path + " was not resolved to a file");
    std::error_code ec;
    if (fs::is_directory(path, ec)) {
        if (source.format == "hf" || fs::exists(fs::path(path) / "dataset_info.json", ec) || fs::exists(fs::path(path) / "dataset_dict.json", ec))
            return columnar(path, "saved Hugging Face datasets");
        return fail(ErrorCode::kInvalidFile, path + " is a folder, not a data file", "name one file");
    }
    return path;
}

Result<std::unique_ptr<Documents>> readDocuments(const config::DataSource& source, config::Document document, std::stop_token stop) {
    ASSAY_TRY(const std::string path, sourcePath(source));
    auto out = std::make_unique<Documents>();
    ASSAY_TRY(std::string_view bytes, sourceBytes(path, *out));
    if (bytes.empty()) return fail(ErrorCode::kInvalidFile, path + " is empty", "name a file with at least one row");
    ASSAY_TRY(out->format, detectFormat(path, source.format, bytes));
    if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
    if (out->format == "text") {
        readText(bytes, document, *out);
    } else if (out->format == "csv") {
        const bool tabs = path.find(".tsv") != path.npos;
        ASSAY_TRY_VOID(readCsv(bytes, tabs ? '\t' : '\0', source, *out));
    } else {
        ASSAY_TRY_VOID(readJsonRows(bytes, out->format == "json", source, *out, stop));
    }
    if (stop.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
    return out;
}

}  // namespace assay::data
