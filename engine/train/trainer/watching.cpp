// What the trainer tells RunWatch, and what it says of it.
#include <assay/torch.h>
#include <sys/statvfs.h>

#include "assay/train/trainer.h"

namespace assay::train {

void Trainer::watch(const StepReport& step, double stepSeconds, double waited) {
    StepFigures f;
    f.step = state_.step;
    f.loss = step.loss;
    f.gradientNorm = step.overflow ? std::numeric_limits<double>::quiet_NaN() : step.gradientNorm;
    f.rate = static_cast<double>(step.tokens) / std::max(stepSeconds, 1e-9);
    f.stepSeconds = stepSeconds;
    f.waitSeconds = waited;
    // A save under way holds copies and pages of its own.
    const bool quiet = !writer_->busy();
    if (quiet && input_.meter) f.tensorBytes = static_cast<double>(input_.meter->liveBytes());
    if (quiet) f.rssBytes = static_cast<double>(nn::residentBytes());
    if (quiet && input_.deviceBytes) f.deviceBytes = static_cast<double>(input_.deviceBytes().live);
    for (const Incident& incident : watch_.observe(f)) tell(incident);
    state_.warnings = watch_.counts();
}

// One record for the run's page, one line for its log.
void Trainer::tell(const Incident& incident) {
    // Loss, norm and rate are those of all ranks; what a rank sees of its own memory and data is worth a line.
    const bool shared = incident.kind.ends_with("_spike") || incident.kind == "throughput_drop" || incident.kind == "disk_low";
    if (input_.group->rank() != 0) {
        if (!shared) input_.events->log("warning", "rank " + std::to_string(input_.group->rank()) + ": " + incident.text + "; " + incident.hint);
        return;
    }
    input_.events->record("warning", {{"kind", incident.kind}, {"step", incident.step}, {"text", incident.text}, {"hint", incident.hint}});
    input_.events->log("warning", incident.text + "; " + incident.hint);
}

Result<void> Trainer::writeSamples() {
    if (!sampler_) return {};
    input_.events->record("phase", {{"name", "generating"}});
    ASSAY_TRY(const auto samples, sampler_->write(*input_.model, head_, input_.spec.precision, input_.stop));
    for (const Sample& sample : samples) input_.events->record("sample", {{"step", state_.step}, {"prompt", sample.prompt}, {"text", sample.text}});
    input_.events->record("phase", {{"name", "training"}});
    return {};
}

// A checkpoint takes about the bytes of its tensors.
void Trainer::watchDisk() {
    struct statvfs disk {};
    if (::statvfs(input_.checkpointFolder.c_str(), &disk) != 0) return;
    double needed = 0;
    for (const nn::Parameter& p : input_.model->parameters()) needed += static_cast<double>(p.value.nbytes());
    for (const StateTensor* s : stateTensors()) needed += static_cast<double>(s->value.nbytes());
    if (const auto low = watch_.beforeSave(state_.step, needed, static_cast<double>(disk.f_bavail) * static_cast<double>(disk.f_frsize))) tell(*low);
    state_.warnings = watch_.counts();
}

}  // namespace assay::train
