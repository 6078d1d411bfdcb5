#pragma once
#include "assay/dist/collective.h"

namespace assay::dist {

Result<std::unique_ptr<Collective>> makeSingle(const GroupOptions& options);
Result<std::unique_ptr<Collective>> makeGloo(const GroupOptions& options);
Result<std::unique_ptr<Collective>> makeNccl(const GroupOptions& options);

}  // namespace assay::dist
