// Which format a file is in, and who reads it.
#include <assay/core/durable.h>

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "columnar/columnar_rows.h"
#include "columnar/dataset_folder.h"
#include "import/block_rows.h"
#include "import/json_array.h"

namespace assay::data {
namespace {
namespace fs = std::filesystem;

constexpr size_t kHead = size_t{64} << 10;
constexpr std::string_view kJsonSpace = " \t\r\n";

std::string extensionOf(const fs::path& path) {
    std::string e = path.extension().string();
    std::transform(e.begin(), e.end(), e.begin(), [](unsigned char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
    return e;
}

bool isJsonName(const FileHead& head) { return head.extension == ".jsonl" || head.extension == ".ndjson" || head.extension == ".json"; }

// Whether the rows of a JSON file are elements of one array, and not its lines.
bool hasArray(const FileHead& head) {
    std::string_view text = head.text;
    const size_t begin = text.find_first_not_of(kJsonSpace);
    if (begin == text.npos) return false;
    text.remove_prefix(begin);
    if (text[0] == '[') return true;
    if (text[0] != '{' || head.extension == ".jsonl" || head.extension == ".ndjson") return false;
    // {"data": [ … in one object: when its first line is no whole row, or when the rows are all it holds.
    const size_t end = jsonValueEnd(text), line = text.find('\n');
    if (end != text.npos && line != text.npos && line < end && line > 1) {
        // the first object spans lines
    } else if (end != text.npos) {
        const size_t after = text.find_first_not_of(kJsonSpace, end);
        if (after != text.npos) return false;  // more than one row
    }
    for (size_t at = 1; at < text.size();) {
        at = text.find_first_not_of(std::string(kJsonSpace) + ",", at);
        if (at == text.npos || text[at] != '"') return false;
        const size_t keyEnd = jsonValueEnd(text.substr(at));
        if (keyEnd == text.npos) return false;
        const std::string_view key = text.substr(at + 1, keyEnd - 2);
        size_t value = text.find_first_not_of(kJsonSpace, at + keyEnd);
        if (value == text.npos || text[value] != ':') return false;
        value = text.find_first_not_of(kJsonSpace, value + 1);
        if (value == text.npos) return false;
        if (holdsRows(key) && text[value] == '[') {
            const size_t first = text.find_first_not_of(kJsonSpace, value + 1);
            return first != text.npos && (text[first] == '{' || text[first] == ']');
        }
        const size_t n = jsonValueEnd(text.substr(value));
        if (n == text.npos || n == 0) return false;
        at = value + n;
    }
    return false;
}

bool isJson(const FileHead& head) { return !head.folder && isJsonName(head); }
bool isCsv(const FileHead& head) { return !head.folder && (head.extension == ".csv" || head.extension == ".tsv"); }
bool isText(const FileHead& head) { return !head.folder; }

Result<RowReaderPtr> openJson(const RowRequest& request, const FileHead& head) { return hasArray(head) ? openJsonArray(request, head) : openJsonLines(request, head); }

Result<std::vector<std::string>> onlyThis(const std::string& path) { return std::vector<std::string>{path}; }

}  // namespace

const std::vector<RowFormat>& rowFormats() {
    static const std::vector<RowFormat> kFormats{
        {"parquet", isParquet, openParquetRows, hfFiles},
        {"arrow", isArrow, openArrowRows, hfFiles},
        {"hf", isHfDataset, openHfRows, hfFiles},
        {"jsonl", isJson, openJson, nullptr},
        {"csv", isCsv, openCsv, nullptr},
        {"text", isText, openText, nullptr},
    };
    return kFormats;
}

Result<FileHead> readHead(const std::string& path) {
    FileHead out;
    out.path = path;
    struct stat st {};
    const bool pattern = isPattern(path);  // shards of one dataset: a folder in all but name
    if (!pattern && ::stat(path.c_str(), &st) != 0) return fail(systemError("cannot open", path, errno));
    if (pattern || S_ISDIR(st.st_mode)) {
        out.folder = true;
        return out;
    }
    if (!S_ISREG(st.st_mode)) return fail(ErrorCode::kInvalidFile, path + " is not a regular file", "name a file");
    if (st.st_size == 0) return fail(ErrorCode::kInvalidFile, path + " is empty", "name a file with at least one row");
    fs::path name(path);
    if (const std::string e = extensionOf(name); e == ".gz" || e == ".zst") name = name.stem();
    out.extension = extensionOf(name);
    ASSAY_TRY(OpenedBytes bytes, openBytes(path));
    out.packed = !bytes.packing.empty();
    out.text.resize(kHead);
    ASSAY_TRY(const size_t got, bytes.stream->read(out.text.data(), kHead));
    out.text.resize(got);
    if (!out.packed && bytes.encoding == "UTF-8") {
        out.raw = out.text;
    } else {
        ASSAY_TRY(out.raw, readStart(path, kHead));
    }
    if (got == 0) return fail(ErrorCode::kInvalidFile, path + " is empty", "name a file with at least one row");
    return out;
}

Result<const RowFormat*> formatOf(const RowRequest& request, const FileHead& head) {
    const bool automatic = request.format.empty() || request.format == "auto";
    std::string names = "auto";
    for (const RowFormat& format : rowFormats()) {
        if (automatic ? format.recognise(head) : request.format == format.name || (request.format == "json" && std::string_view(format.name) == "jsonl")) return &format;
        names += std::string(", ") + format.name;
    }
    if (!automatic) return fail(ErrorCode::kBadUsage, "data format \"" + request.format + "\" is unknown", "formats are " + names);
    std::error_code ec;
    if (fs::is_empty(head.path, ec)) return fail(ErrorCode::kInvalidFile, head.path + " is an empty folder", "there are no data files in it");
    return fail(ErrorCode::kInvalidFile, head.path + " is a folder, not a data file", "name one file, or a folder that Hugging Face datasets saved");
}

Result<RowReaderPtr> openRows(const RowRequest& request) {
    ASSAY_TRY(const FileHead head, readHead(request.path));
    ASSAY_TRY(const RowFormat* format, formatOf(request, head));
    return format->open(request, head);
}

Result<std::vector<std::string>> filesOfSource(const std::string& path, const std::string& format) {
    ASSAY_TRY(const FileHead head, readHead(path));
    RowRequest request;
    request.format = format;
    ASSAY_TRY(const RowFormat* found, formatOf(request, head));
    return found->files ? found->files(path) : onlyThis(path);
}

}  // namespace assay::data
