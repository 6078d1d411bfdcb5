#pragma once
#include <string_view>

namespace assay::plan {

std::string_view catalogueText();  // resources/catalogue/hardware.json

}  // namespace assay::plan
