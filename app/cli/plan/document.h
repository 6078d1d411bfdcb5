#pragma once
// `assay plan` and the tool `plan`: what an experiment will need on this machine, or on hardware of the catalogue.
#include <assay/config/spec.h>

#include "context.h"

namespace assay::cli {

struct PlanRequest {
    config::Spec spec;
    std::string hardware;  // empty: as the file says
    int64_t gpus = 0;
    bool search = false;   // adds "candidates"
    std::string before;    // a run: only what older ones took counts as known
};
Result<Json> planDocument(const GlobalOptions& options, const PlanRequest& request);
std::string planText(const Json& document, int width);

}  // namespace assay::cli
