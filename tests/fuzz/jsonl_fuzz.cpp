// Rows of users: JSONL, JSON arrays, CSV and text, by blocks of a few bytes and whole. Every row is a document or a counted
// problem, and the rows are the same however the bytes fall into blocks.
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "import/source.h"

namespace {

using namespace assay;

// What the rows are, as one text.
std::string rowsOf(const std::string& path, config::Document document, size_t block) {
    data::RowRequest request;
    request.path = path;
    request.document = document;
    request.batchBytes = block;
    auto reader = data::openRows(request);
    if (!reader) return "!";
    data::Mapping byName;
    byName.isDefault = true;
    data::RowMapper mapper(byName);
    data::RowBatch batch;
    data::RowParts parts;
    std::string out;
    int64_t rows = 0;
    for (;;) {
        auto more = (*reader)->next(batch);
        if (!more) return out + "!";
        if (!*more) return out;
        for (size_t i = 0; i < batch.size(); ++i) {
            if (batch.row(i).number != ++rows) std::abort();
            mapper.read(batch, i, parts);
            out += std::to_string(batch.row(i).line) + parts.reason + "\x01" + (parts.usable() ? data::plainText(parts) : "") + "\x02";
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size == 0) return 0;
    static const std::string folder = [] {
        std::string name = (std::filesystem::temp_directory_path() / "assay-fuzz-XXXXXX").string();
        return std::string(::mkdtemp(name.data()));
    }();
    static constexpr const char* kNames[] = {"/a.jsonl", "/a.json", "/a.csv", "/a.txt", "/b.txt", "/a.tsv", "/a.jsonl.gz", "/a.txt.zst"};
    const size_t kind = data[0] % 8;
    const std::string path = folder + kNames[kind];
    std::ofstream(path, std::ios::binary) << std::string_view(reinterpret_cast<const char*>(data) + 1, size - 1);
    const auto document = kind == 4 ? config::Document::kParagraph : config::Document::kLine;
    const std::string whole = rowsOf(path, document, size_t{1} << 20);
    // A file that is broken as a whole is refused either way; how many rows came before differs with the blocks.
    const std::string pieces = rowsOf(path, document, 3);
    if (pieces != whole && !(pieces.ends_with('!') && whole.ends_with('!'))) std::abort();
    config::DataSource source;
    source.path = path;
    (void)data::openSource(source, document);
    return 0;
}
