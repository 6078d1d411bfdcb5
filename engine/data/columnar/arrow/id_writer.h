#pragma once
#include "columnar/columnar.h"

namespace assay::data {

Result<std::unique_ptr<ColumnarWriter>> createIdWriter(const std::string& path, ColumnarFormat format, const std::vector<std::string>& columns);

}  // namespace assay::data
