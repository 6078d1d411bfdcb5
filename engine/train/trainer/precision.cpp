#include <assay/torch.h>

#include "assay/train/autocast.h"

namespace assay::train {

using Precision = config::PrecisionSpec::Kind;

std::optional<at::ScalarType> autocastType(const config::PrecisionSpec& precision) {
    if (precision.kind == Precision::kAmpBf16) return at::kBFloat16;
    if (precision.kind == Precision::kAmpFp16) return at::kHalf;
    return {};
}

at::ScalarType weightType(const config::PrecisionSpec& precision) { return precision.kind == Precision::kBf16 ? at::kBFloat16 : at::kFloat; }

}  // namespace assay::train
