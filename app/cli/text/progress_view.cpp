#include "text/progress_view.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "context.h"
#include "text/format.h"

namespace assay::cli {
namespace {

constexpr int kWidestBar = 30, kLeastBar = 8;

std::string repeated(std::string_view text, int count) {
    std::string out;
    for (int i = 0; i < count; ++i) out += text;
    return out;
}

std::string amount(double value, const std::string& unit) {
    return unit == "bytes" ? formatBytes(value) : formatInteger(std::llround(value));
}

std::string rateText(double rate, const std::string& unit) {
    if (unit == "bytes") return formatBytes(rate) + "/s";
    return formatNumber(rate) + " " + safeText(unit) + "/s";
}

}  // namespace

StageProgress stageOf(std::string name, const Progress& progress) {
    StageProgress stage;
    stage.name = std::move(name);
    stage.unit = progress.unit;
    stage.done = progress.done;
    stage.total = progress.total;
    stage.rate = progress.rate;
    stage.etaSeconds = progress.etaSeconds;
    return stage;
}

std::string progressLine(const StageProgress& stage, int nameWidth, int columns, bool color) {
    const double share = stage.total > 0 ? std::clamp(stage.done / stage.total, 0.0, 1.0) : 0;
    std::vector<std::string> parts;
    if (stage.total > 0) parts.push_back(fmt::format("{:3.0f} %", std::floor(100 * share)));
    else if (!stage.phase.empty()) parts.push_back(safeText(stage.phase));
    if (stage.total > 0 || stage.done > 0) {
        std::string count = amount(stage.done, stage.unit);
        if (stage.total > 0) count += "/" + amount(stage.total, stage.unit);
        if (stage.unit != "bytes" && !stage.unit.empty()) count += " " + safeText(stage.unit);
        parts.push_back(count);
    }
    if (stage.rate && std::isfinite(*stage.rate) && *stage.rate > 0) parts.push_back(rateText(*stage.rate, stage.unit));
    if (stage.loss) parts.push_back("loss " + formatNumber(*stage.loss));
    if (stage.etaSeconds && std::isfinite(*stage.etaSeconds) && *stage.etaSeconds >= 0) parts.push_back("ETA " + formatSeconds(*stage.etaSeconds));

    std::string name = cutToWidth(safeText(stage.name), nameWidth);
    name += std::string(static_cast<size_t>(std::max(0, nameWidth - displayWidth(name))), ' ');
    const auto widthOfParts = [&] {
        int sum = 0;
        for (const std::string& part : parts) sum += 2 + displayWidth(part);
        return sum;
    };
    while (parts.size() > 1 && nameWidth + widthOfParts() > columns) parts.pop_back();
    const int room = columns - nameWidth - widthOfParts() - 2;
    std::string line = name;
    if (stage.total > 0 && room >= kLeastBar) {
        const int bar = std::min(room, kWidestBar), full = static_cast<int>(std::floor(share * bar));
        const char* const on = color ? "\x1b[36m" : "";
        const char* const off = color ? "\x1b[0m" : "";
        line += "  " + std::string(on) + repeated("━", full) + off + repeated("─", bar - full);
    }
    for (const std::string& part : parts) line += "  " + part;
    return displayWidth(line) > columns && !color ? cutToWidth(line, columns) : line;
}

void ProgressView::draw(const std::vector<StageProgress>& stages) {
    if (!active_) return;
    int nameWidth = 0;
    for (const StageProgress& stage : stages) nameWidth = std::max(nameWidth, displayWidth(safeText(stage.name)));
    nameWidth = std::min(nameWidth, 24);
    // One write per frame: half a frame is never seen. \x1b[K clears what an earlier, longer line left.
    std::string frame;
    if (lines_ > 0) frame += fmt::format("\x1b[{}A\r", lines_);
    for (const StageProgress& stage : stages) frame += progressLine(stage, nameWidth, terminal_.columns - 1, terminal_.color) + "\x1b[K\n";
    frame += "\x1b[J";
    lines_ = stages.size();
    writeAll(STDERR_FILENO, frame);
}

void ProgressView::clear() {
    if (lines_ == 0) return;
    writeAll(STDERR_FILENO, fmt::format("\x1b[{}A\r\x1b[J", lines_));
    lines_ = 0;
}

void ProgressView::message(const std::string& text) {
    clear();
    writeAll(STDERR_FILENO, "assay: " + safeText(text) + "\n");
}

}  // namespace assay::cli
