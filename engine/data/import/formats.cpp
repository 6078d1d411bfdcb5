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
bool isText(const FileHead& head) { return !head.folder || isTextFolder(head.path); }
Result<RowReaderPtr> openTextOrFolder(const RowRequest& request, const FileHead& head) { return head.folder ? openTextFolder(request) : openText(request, head); }

Result<RowReaderPtr> openJson(const RowRequest& request, const FileHead& head) { return hasArray(head) ? openJsonArray(request, head) : openJsonLines(request, head); }

Result<std::vector<std::string>> onlyThis(const std::string& path) { return std::vector<std::string>{path}; }
Result<std::vector<std::string>> textFiles(const std::string& path) {
    std::error_code ec;
    return fs::is_directory(path, ec) ? textFilesBelow(path) : onlyThis(path);
}

}  // namespace

const std::vector<RowFormat>& rowFormats() {
    static const std::vector<RowFormat> kFormats{
        {"parquet", isParquet, openParquetRows, hfFiles},
        {"arrow", isArrow, openArrowRows, hfFiles},
        {"hf", isHfDataset, openHfRows, hfFiles},
        {"jsonl", isJson, openJson, nullptr},
        {"csv", isCsv, openCsv, nullptr},
        {"text", isText, openTextOrFolder, textFiles},
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

namespace {

// Files that people take for data, or name by mistake. With data.train.format they are read as they are asked to be.
const char* otherKind(std::string_view bytes) {
    using namespace std::string_view_literals;
    static constexpr std::pair<std::string_view, const char*> kStarts[] = {
        {"GGUF", "a model in GGUF format"}, {"%PDF-", "a PDF document"}, {"PK\x03\x04", "a zip archive (or an Office document, which is one)"}, {"\x89PNG", "a picture"}, {"\xFF\xD8\xFF", "a picture"},
        {"\x7F" "ELF", "a program"}, {"SQLite format 3\0"sv, "an SQLite database"}, {"\xD0\xCF\x11\xE0", "an old Office document"}, {"7z\xBC\xAF", "a 7z archive"}, {"\xFD" "7zXZ", "packed with xz"}, {"BZh9", "packed with bzip2"},
        {"Rar!", "a rar archive"}, {"\x80\x02}"sv, "a Python pickle"}, {"\x93NUMPY", "a NumPy array"}};
    for (const auto& [start, what] : kStarts)
        if (bytes.starts_with(start)) return what;
    // safetensors: the length of a JSON object, then the object.
    if (bytes.size() > 10 && bytes[8] == '{' && bytes[9] == '"' && bytes.substr(3, 5) == std::string_view("\0\0\0\0\0", 5)) return "a file of weights (safetensors)";
    return nullptr;
}

}  // namespace

Result<const RowFormat*> formatOf(const RowRequest& request, const FileHead& head) {
    const bool automatic = request.format.empty() || request.format == "auto";
    std::string names = "auto";
    if (const char* other = automatic && !head.folder ? otherKind(head.text) : nullptr)
        return fail(ErrorCode::kInvalidFile, head.path + " is " + other + ", not a data file", "data is text, JSONL, CSV, Parquet or Arrow, also packed as .gz or .zst; to read this one all the same, set its format (format: text)");
    for (const RowFormat& format : rowFormats()) {
        if (automatic ? format.recognise(head) : request.format == format.name || (request.format == "json" && std::string_view(format.name) == "jsonl")) return &format;
        names += std::string(", ") + format.name;
    }
    if (!automatic) return fail(ErrorCode::kBadUsage, "data format \"" + request.format + "\" is unknown", "formats are " + names);
    std::error_code ec;
    if (fs::is_empty(head.path, ec)) return fail(ErrorCode::kInvalidFile, head.path + " is an empty folder", "there are no data files in it");
    return fail(ErrorCode::kInvalidFile, head.path + " is a folder without data files",
                "name one file, a folder with text files (.txt, .text, .md or .rst, also packed as .gz or .zst), or a folder that Hugging Face datasets saved");
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
