#include "inspect/row_index.h"

#include <assay/core/durable.h>
#include <assay/core/hash.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

namespace assay::data {
namespace {
namespace fs = std::filesystem;

constexpr std::string_view kMagic = "ASSAYROW2\n";
constexpr size_t kMaxKept = 64;                        // index files
constexpr size_t kMaxIndexBytes = size_t{256} << 20;

std::string pathOf(const std::string& folder, const std::string& key) { return folder + "/rows/" + key + ".idx"; }

// Room for the next one: the oldest go first.
void removeOldest(const std::string& folder) {
    std::vector<std::pair<fs::file_time_type, fs::path>> files;
    std::error_code ec;
    for (fs::directory_iterator it(folder, ec), end; !ec && it != end; it.increment(ec)) {
        std::error_code gone;
        if (it->path().extension() == ".idx") files.emplace_back(fs::last_write_time(it->path(), gone), it->path());
    }
    std::sort(files.begin(), files.end());
    for (size_t i = 0; i + kMaxKept <= files.size(); ++i) fs::remove(files[i].second, ec);
}

}  // namespace

std::string indexKey(const std::string& path, int64_t size, int64_t modifiedNs, const std::string& format, config::Document document) {
    std::string text = path;
    for (const int64_t n : {size, modifiedNs, static_cast<int64_t>(document)}) text += '\0' + std::to_string(n);
    return sha256Hex(text + '\0' + format).substr(0, 32);
}

bool readIndex(const std::string& folder, const std::string& key, RowIndex& out) {
    if (folder.empty()) return false;
    auto read = readFile(pathOf(folder, key), kMaxIndexBytes);
    if (!read) return false;
    const std::string_view bytes = *read;
    const size_t head = kMagic.size() + 8 + 8;
    if (bytes.size() < head || !bytes.starts_with(kMagic)) return false;
    uint64_t hash = 0;
    RowIndex index;
    std::memcpy(&hash, bytes.data() + kMagic.size(), 8);
    std::memcpy(&index.rows, bytes.data() + kMagic.size() + 8, 8);
    if (xxh3(bytes.substr(kMagic.size() + 8)) != hash || index.rows < 0) return false;
    const size_t count = (bytes.size() - head) / sizeof(RowMark);
    if (head + count * sizeof(RowMark) != bytes.size()) return false;
    index.marks.resize(count);
    if (count > 0) std::memcpy(index.marks.data(), bytes.data() + head, count * sizeof(RowMark));
    int64_t before = 0;
    for (const RowMark& mark : index.marks) {
        if (mark.row <= before || mark.row > index.rows || mark.line < 0) return false;
        before = mark.row;
    }
    out = std::move(index);
    return true;
}

void writeIndex(const std::string& folder, const std::string& key, const RowIndex& index) {
    if (folder.empty() || index.marks.size() * sizeof(RowMark) > kMaxIndexBytes / 2) return;
    std::string body(8 + index.marks.size() * sizeof(RowMark), '\0');
    std::memcpy(body.data(), &index.rows, 8);
    if (!index.marks.empty()) std::memcpy(body.data() + 8, index.marks.data(), index.marks.size() * sizeof(RowMark));
    const uint64_t hash = xxh3(body);
    std::string bytes(kMagic);
    bytes.append(reinterpret_cast<const char*>(&hash), 8);
    bytes += body;
    if (!makeFolders(folder + "/rows", 0700)) return;
    removeOldest(folder + "/rows");
    (void)writeFileDurably(pathOf(folder, key), bytes, 0600);
}

}  // namespace assay::data
