// The checkpoint with the lowest held-out loss so far: a pointer file beside the checkpoints.
#include <assay/torch.h>

#include "assay/train/checkpoint.h"

#include <cmath>
#include <filesystem>

#include <assay/core/durable.h>

namespace assay::train {
namespace fs = std::filesystem;
namespace {

std::string pointerOf(const std::string& folder) { return folder + "/best.json"; }

}  // namespace

std::optional<BestCheckpoint> bestCheckpoint(const std::string& folder) {
    std::error_code ec;
    if (!fs::is_regular_file(pointerOf(folder), ec)) return {};
    auto json = readJsonFile(pointerOf(folder));
    if (!json || !json->is_object()) return {};  // damaged: the next evaluated checkpoint writes it anew
    const auto step = jsonIntegerOr(*json, "step", -1);
    const auto loss = jsonDoubleOr(*json, "eval_loss", std::nan(""));
    if (step < 0 || !std::isfinite(loss) || !fs::is_regular_file(folder + "/step-" + std::to_string(step) + "/manifest.json", ec)) return {};
    return BestCheckpoint{step, loss};
}

Result<bool> noteBest(const std::string& folder, const Snapshot& snapshot) {
    // The loss is that of these weights only when they were evaluated at this very step.
    const auto loss = snapshot.state.find("eval_loss");
    if (loss == snapshot.state.end() || jsonIntegerOr(snapshot.state, "eval_step", -1) != snapshot.step) return false;
    const double value = numberFromJson(*loss);
    if (!std::isfinite(value)) return false;
    if (const auto best = bestCheckpoint(folder); best && best->evalLoss <= value && best->step != snapshot.step) return false;
    ASSAY_TRY_VOID(writeFileDurably(pointerOf(folder), dumpJson(Json{{"step", snapshot.step}, {"eval_loss", value}}, 2) + "\n"));
    return true;
}

}  // namespace assay::train
