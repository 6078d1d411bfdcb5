#pragma once
// Live progress on stderr: one line per active stage, redrawn in place. Draws nothing where there is no terminal.

#include <assay/core/progress.h>

#include <optional>
#include <string>
#include <vector>

#include "text/terminal.h"

namespace assay::cli {

struct StageProgress {
    std::string id, name;  // run and what is shown for it
    std::string phase, unit;
    double done = 0, total = 0;       // total 0: unknown
    std::optional<double> rate, etaSeconds, loss;
};
StageProgress stageOf(std::string name, const Progress& progress);  // of work in this process

// "train  ━━━━━━────  62 %  186/300 steps  2.1 steps/s  loss 3.412  ETA 1:04", at most `columns` wide: the bar shrinks
// first, then parts go from the right.
std::string progressLine(const StageProgress& stage, int nameWidth, int columns, bool color);

class ProgressView {
public:
    ProgressView(Terminal terminal, bool quiet) : terminal_(terminal), active_(terminal.terminal && !quiet) {}
    ~ProgressView() { clear(); }
    bool active() const { return active_; }
    void draw(const std::vector<StageProgress>& stages);
    void clear();
    void message(const std::string& text);  // a line that stays, above the bars

private:
    Terminal terminal_;
    bool active_;
    size_t lines_ = 0;
};

}  // namespace assay::cli
