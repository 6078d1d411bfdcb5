// Rows of users: JSONL, a JSON array, CSV and text. Every row is a document or a counted problem.
#include <cstdint>
#include <string_view>

#include "import/documents.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace assay;
    if (size == 0) return 0;
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    data::Documents out;
    config::DataSource source;
    switch (data[0] % 5) {
        case 0: (void)data::readJsonRows(bytes, false, source, out, {}); break;
        case 1: (void)data::readJsonRows(bytes, true, source, out, {}); break;
        case 2: (void)data::readCsv(bytes, '\0', source, out); break;
        case 3: data::readText(bytes, config::Document::kLine, out); break;
        case 4: data::readText(bytes, config::Document::kParagraph, out); break;
    }
    return 0;
}
