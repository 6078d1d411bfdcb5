#pragma once
// Parquet, Arrow and saved Hugging Face datasets as formats of import/ (row_reader.h).
#include "columnar/columnar.h"
#include "import/row_reader.h"

namespace assay::data {

bool isParquet(const FileHead& head);
bool isArrow(const FileHead& head);
bool isHfDataset(const FileHead& head);  // a folder, or a pattern of shards
Result<RowReaderPtr> openParquetRows(const RowRequest& request, const FileHead& head);
Result<RowReaderPtr> openArrowRows(const RowRequest& request, const FileHead& head);
Result<RowReaderPtr> openHfRows(const RowRequest& request, const FileHead& head);
Result<std::vector<std::string>> hfFiles(const std::string& path);

// The files behind a path that one of the formats takes, ready to be opened with columnarPlugin().
Result<ColumnarSource> columnarSource(const std::string& path, const std::string& format);

}  // namespace assay::data
