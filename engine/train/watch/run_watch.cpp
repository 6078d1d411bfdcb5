#include <cstdarg>
#include <cstdio>

#include "assay/train/watch.h"

namespace assay::train {
namespace {

[[gnu::format(printf, 1, 2)]] std::string words(const char* format, ...) {
    char text[400];
    va_list values;
    va_start(values, format);
    std::vsnprintf(text, sizeof text, format, values);
    va_end(values);
    return text;
}

std::string bytesText(double bytes) {
    if (bytes < 1e6) return words("%.0f kB", bytes / 1e3);
    return bytes < 1e9 ? words("%.1f MB", bytes / 1e6) : words("%.2f GB", bytes / 1e9);
}

// The loss of a model changes little from step to step: half as much again is a jump.
SpikeMonitor::Options lossOptions() {
    SpikeMonitor::Options options;
    options.ratio = 1.5;
    return options;
}
// Resident memory holds caches of the allocator and pages of files: it moves by itself.
LeakDetector::Options residentOptions() {
    LeakDetector::Options options;
    options.floorBytes = 16 << 20;
    return options;
}

}  // namespace

RunWatch::RunWatch() : loss_(lossOptions()), resident_(residentOptions()) {}

Incident& RunWatch::add(std::vector<Incident>& out, const char* kind, int64_t step) {
    ++counts_[kind];
    Incident& incident = out.emplace_back();
    incident.kind = kind;
    incident.step = step;
    return incident;
}

void RunWatch::grow(std::vector<Incident>& out, LeakDetector& detector, const char* what, const char* hint, int64_t step, double bytes) {
    if (!detector.observe(step, bytes)) return;
    Incident& found = add(out, "memory_growth", step);
    found.text = words("%s by %s in 1,000 steps and holds %s at step %lld", what, bytesText(*detector.growth()).c_str(), bytesText(bytes).c_str(), static_cast<long long>(step));
    found.hint = hint;
}

std::vector<Incident> RunWatch::observe(const StepFigures& f) {
    std::vector<Incident> out;
    const auto step = static_cast<long long>(f.step);
    if (norm_.observe(f.gradientNorm)) {
        Incident& found = add(out, "grad_norm_spike", f.step);
        found.text = words("the gradient norm jumped to %.4g at step %lld; it was %.4g before", f.gradientNorm, step, norm_.median());
        found.hint = "look at the loss after it; if it does not come back, lower train.optimizer.lr, add warm-up steps or set train.clip_norm";
    }
    if (loss_.observe(f.loss)) {
        Incident& found = add(out, "loss_spike", f.step);
        found.text = words("the loss jumped to %.4g at step %lld; it was %.4g before", f.loss, step, loss_.median());
        found.hint = "one bad batch passes by itself; if it stays, lower train.optimizer.lr and go on from a checkpoint before it";
    }
    if (throughput_.observe(f.rate)) {
        Incident& found = add(out, "throughput_drop", f.step);
        found.text = words("the speed fell to %.0f tokens/s at step %lld; %.0f is usual in this run", throughput_.recent(), step, throughput_.usual());
        found.hint = "see what else runs on the machine, whether it swaps, and whether it is too hot";
    }
    if (starvation_.observe(f.waitSeconds, f.stepSeconds)) {
        Incident& found = add(out, "data_starvation", f.step);
        found.text = words("%.0f %% of the time is spent waiting for data at step %lld", 100 * starvation_.share(), step);
        found.hint = "raise data.workers, or put the prepared data on a faster disk";
    }
    grow(out, tensors_, "memory of tensors grows", "a fault of the program when nothing in the run changes: stop and resume the run, and report it", f.step, f.tensorBytes);
    grow(out, resident_, "memory of the process grows", "stop and resume the run before the machine is out of memory; if it grows again, report it", f.step, f.rssBytes);
    grow(out, device_, "memory on the device grows", "stop and resume the run before the device is out of memory; if it grows again, report it", f.step, f.deviceBytes);
    return out;
}

std::optional<Incident> RunWatch::beforeSave(int64_t step, double needed, double free) {
    if (!(needed >= 0) || !(free >= 0)) return {};
    const bool low = free < 2 * needed;  // this one fits perhaps, the next does not
    const bool begins = low && !diskLow_;
    diskLow_ = low;
    if (!begins) return {};
    std::vector<Incident> out;
    Incident& found = add(out, "disk_low", step);
    found.text = words("the disk is nearly full: %s are free, and a checkpoint takes %s", bytesText(free).c_str(), bytesText(needed).c_str());
    found.hint = "free space in the store, or set train.checkpoint.keep to a smaller number: a save that does not fit ends the run";
    return found;
}

std::map<std::string, double> RunWatch::summary() const {
    std::map<std::string, double> out;
    double all = 0;
    for (const auto& [kind, count] : counts_) {
        out["warnings/" + kind] = static_cast<double>(count);
        all += static_cast<double>(count);
    }
    out["warnings"] = all;
    if (const auto growth = tensors_.growth()) out["memory/tensor_growth_bytes"] = *growth;
    if (const auto growth = resident_.growth()) out["memory/rss_growth_bytes"] = *growth;
    if (const auto growth = device_.growth()) out["memory/gpu_growth_bytes"] = *growth;
    return out;
}

}  // namespace assay::train
