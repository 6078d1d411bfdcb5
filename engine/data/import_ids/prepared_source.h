#pragma once
#include "prepare/prepared.h"

namespace assay::data {

// A prepared folder named as the data of an experiment: taken as it is when it fits what the experiment asks for (one source, its
// own held-out part, the same sequence length and tokenizer), else kBadUsage. Null: the path is no prepared folder.
Result<std::shared_ptr<const PreparedFolder>> preparedSource(const config::DataSpec& spec, const PrepareOptions& options);

}  // namespace assay::data
