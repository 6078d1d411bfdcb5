#include "runtime/rope.h"

#include <assay/model/rope.h>

#include <fmt/format.h>

#include <cmath>

namespace assay::infer {

Result<RopeTable> makeRopeTable(const model::ModelConfig& config, int64_t positions) {
    const auto& scaling = config.ropeScaling;
    if (scaling.kind == "dynamic" && positions > scaling.originalContext)
        return fail(ErrorCode::kUnsupported, fmt::format("dynamic rope scaling beyond {} positions re-rotates cached keys", scaling.originalContext),
                    "Use a shorter window, prompt or max_tokens.");
    const auto frequencies = model::ropeFrequencies(config, positions);
    RopeTable table;
    table.half = config.headDim / 2;
    table.cosines.resize(positions * table.half);
    table.sines.resize(positions * table.half);
    for (int64_t p = 0; p < positions; ++p)
        for (int64_t i = 0; i < table.half; ++i) {
            const float angle = float(p) * float(frequencies.inverse[i]);  // fp32, as the models were trained
            table.cosines[p * table.half + i] = float(std::cos(double(angle)) * frequencies.magnitude);
            table.sines[p * table.half + i] = float(std::sin(double(angle)) * frequencies.magnitude);
        }
    return table;
}

}  // namespace assay::infer
