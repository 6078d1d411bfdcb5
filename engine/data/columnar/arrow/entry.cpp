// The one name that libassay_arrow.so exports.
#include <arrow/config.h>
#include <arrow/util/config.h>
#include <arrow/util/utf8.h>

#include "id_writer.h"
#include "status.h"
#include "table_file.h"

namespace {
using namespace assay;
using namespace assay::data;

Result<std::unique_ptr<ColumnarFile>> openTable(const ColumnarSource& source) {
    return guarded(source.files.empty() ? std::string() : source.files[0], [&] { return TableFile::open(source); });
}

constexpr ColumnarPlugin kPlugin{kColumnarVersion, ARROW_VERSION_STRING, openTable, createIdWriter};
}  // namespace

extern "C" __attribute__((visibility("default"))) const assay::data::ColumnarPlugin* assayColumnarPlugin() {
    arrow::util::InitializeUTF8();  // tables of the check for UTF-8, which Arrow leaves to its callers
    return &kPlugin;
}
