#pragma once
// Undo for a text that is changed from several sides: each step is what one change took out and put in.

#include <string>
#include <vector>

namespace assay::presenters {

class TextHistory {
public:
    // Typing on joins the step before, until a word or a line ends or the place changes.
    void record(const std::string& before, const std::string& after, bool typed) {
        size_t prefix = 0, suffix = 0;
        const size_t least = std::min(before.size(), after.size());
        while (prefix < least && before[prefix] == after[prefix]) ++prefix;
        while (suffix < least - prefix && before[before.size() - 1 - suffix] == after[after.size() - 1 - suffix]) ++suffix;
        Step step{prefix, before.substr(prefix, before.size() - prefix - suffix), after.substr(prefix, after.size() - prefix - suffix), typed};
        steps_.resize(position_);
        if (typed && step.out.empty() && !steps_.empty()) {
            Step& last = steps_.back();
            const bool wordEnded = step.in.find_first_of(" \n") != std::string::npos;
            if (last.typed && last.out.empty() && last.at + last.in.size() == step.at && !wordEnded && last.in.size() < 200) {
                last.in += step.in;
                return;
            }
        }
        steps_.push_back(std::move(step));
        bytes_ += steps_.back().in.size() + steps_.back().out.size();
        while (steps_.size() > 1 && (steps_.size() > kMostSteps || bytes_ > kMostBytes)) {
            bytes_ -= std::min(bytes_, steps_.front().in.size() + steps_.front().out.size());
            steps_.erase(steps_.begin());
        }
        position_ = steps_.size();
    }
    bool canUndo() const { return position_ > 0; }
    bool canRedo() const { return position_ < steps_.size(); }
    std::string undo(std::string text) {
        const Step& step = steps_[--position_];
        return text.replace(step.at, step.in.size(), step.out);
    }
    std::string redo(std::string text) {
        const Step& step = steps_[position_++];
        return text.replace(step.at, step.out.size(), step.in);
    }

private:
    static constexpr size_t kMostSteps = 1000, kMostBytes = size_t{64} << 20;
    struct Step {
        size_t at;
        std::string out, in;
        bool typed;
    };
    std::vector<Step> steps_;
    size_t position_ = 0, bytes_ = 0;
};

}  // namespace assay::presenters
