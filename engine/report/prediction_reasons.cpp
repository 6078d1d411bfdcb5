// Why a run took other amounts than were predicted: from what the run and its plan recorded, the nearest cause first.
#include <assay/report/present.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "collect.h"
#include "mark.h"
#include "prediction_parts.h"

namespace assay::report {
namespace {

constexpr const char* kStaticNames[] = {L("the weights"), L("the gradients"), L("the optimizer's state")};

class Reasons {
public:
    Reasons(const Json& run, const Json& plan, const std::vector<Prediction>& rows) : run_(run), plan_(plan), rows_(rows), training_(trainingOf(run)) {}

    Warning of(const Prediction& row) const {
        const std::string_view key = row.key;
        return key == "static" ? ofStatic() : key == "peak" ? ofPeak(row) : key == "step" ? ofStep() : key == "time" ? ofTime(row) : ofMoney();
    }

private:
    static Warning say(const char* form, std::vector<std::string> arguments = {}) { return {form, std::move(arguments), {}}; }
    static std::string bytes(double value) { return shown(*findMetric("bytes.peak"), value); }
    const Prediction* beyond(std::string_view key) const {
        for (const Prediction& row : rows_)
            if (row.key == key && row.beyond()) return &row;
        return nullptr;
    }
    std::optional<double> trained(const char* key) const { return training_ ? figureIn(*training_, "summary", key) : std::nullopt; }

    Warning ofStatic() const {
        const Json* memory = trainMemoryIn(plan_, run_);
        size_t largest = 0;
        double most = -1, planned = 0, measured = 0;
        for (size_t i = 0; memory && i < std::size(kStaticParts); ++i) {
            const auto a = numberIn(*memory, kStaticParts[i][0]), b = trained(kStaticParts[i][1]);
            if (!a || !b || std::abs(*b - *a) <= most) continue;
            most = std::abs(*b - *a);
            largest = i;
            planned = *a;
            measured = *b;
        }
        return say(L("Most of it is {}: {} instead of {}. The model or the optimizer is not the one that was planned with."), {kStaticNames[largest], bytes(measured), bytes(planned)});
    }

    Warning ofPeak(const Prediction& row) const {
        if (beyond("static")) return say(L("It follows from the weights, gradients and optimizer, which differ too."));
        // Of several stages: where it was expected, and where it came.
        const Json* memory = member(plan_, "memory");
        const std::string stage = memory ? jsonStringOr(*memory, "stage", "") : "", expected = kindOfStage(stage);
        std::string at;
        double most = 0;
        if (training_)
            eachBelow(run_, [&](const Json& child) {
                const std::string kind = jsonStringOr(child, "kind", "");
                if (const auto peak = figureIn(child, "summary", "system/tensor_bytes_peak"); peak && *peak > most && kind != "pipeline") {
                    most = *peak;
                    at = kind;
                }
            });
        if (!at.empty() && !expected.empty() && at != expected) return say(L("The peak came in {} and not, as predicted, in {}."), {stageWord(at), stageWord(expected)});
        const auto fixed = plannedStatic(plan_, run_);
        if (fixed && training_)
            return say(L("Activations and temporary tensors took {} instead of {}: how many positions carry a label, and whether a save was under way, is not known beforehand."),
                       {bytes(*row.measured - *fixed), bytes(*row.predicted - *fixed)});
        return say(L("Nothing that the run recorded explains it."));
    }

    Warning ofStep() const {
        const auto wait = trained("data/wait_seconds"), running = trained("train/running_seconds");
        if (wait && running && *running > 0 && *wait / *running > 0.1) return say(L("{} of the time was spent waiting for data."), {share(*wait / *running)});
        if (const auto drops = trained("warnings/throughput_drop"); drops && *drops > 0) return say(L("The speed fell while it ran: something else was at work, or the machine was too hot."));
        if (const Json* environment = training_ ? member(*training_, "environment") : nullptr) {
            const Json *load = member(*environment, "load"), *cpu = member(*environment, "cpu");
            const double cores = cpu ? numberIn(*cpu, "cores").value_or(0) : 0;
            if (load && load->is_array() && !load->empty() && (*load)[0].is_number() && cores > 0 && (*load)[0].get<double>() > 0.5 * cores)
                return say(L("Others were at work on the machine: the load was {} on {} cores when it began."), {figure((*load)[0].get<double>(), 2), exact(cores)});
        }
        // What the prediction started from.
        if (const Json* assumptions = member(plan_, "assumptions"); assumptions && assumptions->is_array())
            for (const Json& one : *assumptions) {
                if (!one.is_string()) continue;
                const std::string_view text = one.get_ref<const std::string&>();
                if (!text.starts_with("Step time")) continue;
                if (text.find("while others were at work") != text.npos) return say(L("The machine was busy with something else when its speed was measured for the prediction."));
                if (text.find("had the same shape") != text.npos) return say(L("It was predicted from an earlier run of the same shape, which ran under other conditions."));
                if (text.find("scaled by the FLOP") != text.npos) return say(L("It was predicted from an earlier run of another shape, by the operations alone."));
                if (text.find("matrix rate") != text.npos) return say(L("The machine had not been calibrated when it was predicted, so only the rates of products and of memory were known."));
            }
        return say(L("Nothing that the run recorded explains it: compare the load of the machine with that at its calibration."));
    }

    Warning ofTime(const Prediction& row) const {
        const auto steps = trained("train/steps"), total = trained("train/total_steps");
        if (steps && total && *steps < *total) return say(L("It ended after {} of {} steps."), {exact(*steps), exact(*total)});
        if (const Prediction* step = beyond("step"); step && (*step->error() > 0) == (*row.error() > 0)) return say(L("It follows from the time of a step."));
        if (const Json* resumed = member(run_, "resumed"); resumed && resumed->is_array() && !resumed->empty())
            return say(L("Starts after a stop: {}. Each loads the model and the data again."), {exact(static_cast<double>(resumed->size()))});
        // The stage that is furthest off.
        std::string worst;
        double most = 0, planned = 0, measured = 0;
        if (const Json* stages = member(plan_, "stages"); training_ && stages && stages->is_array())
            for (const Json& stage : *stages) {
                const std::string kind = jsonStringOr(stage, "kind", "");
                const auto each = numberIn(stage, "seconds");
                if (!each) continue;
                eachBelow(run_, [&](const Json& child) {
                    const auto took = numberIn(child, "running_seconds");
                    if (!took || jsonStringOr(child, "kind", "") != kind || std::abs(*took - *each) <= most) return;
                    most = std::abs(*took - *each);
                    worst = kind;
                    planned = *each;
                    measured = *took;
                });
            }
        if (!worst.empty()) return say(L("Most of it is {}: {} instead of {}."), {stageWord(worst), duration(measured), duration(planned)});
        const auto step = trained("train/step_seconds");
        if (step && steps && row.measured) return say(L("The steps took {}; the rest is the start, evaluation and saving."), {duration(*step * *steps)});
        return say(L("Nothing that the run recorded explains it."));
    }

    Warning ofMoney() const {
        if (beyond("time")) return say(L("It follows from the time."));
        return say(L("The time is as predicted: the price of an hour is not that of the prediction."));
    }

    std::string kindOfStage(const std::string& name) const {
        if (const Json* stages = member(plan_, "stages"); stages && stages->is_array())
            for (const Json& stage : *stages)
                if (!name.empty() && jsonStringOr(stage, "name", "") == name) return jsonStringOr(stage, "kind", "");
        return {};
    }
    static std::string stageWord(const std::string& kind) {
        constexpr std::pair<const char*, const char*> kWords[] = {{"prepare", L("preparing the data")}, {"train", L("training")},         {"evaluate", L("evaluating")},
                                                                  {"quantize", L("quantizing")},        {"benchmark", L("benchmarking")}, {"generate", L("generating")}};
        for (const auto& [name, word] : kWords)
            if (kind == name) return word;
        return kind;
    }
    static std::string share(double fraction) { return fmt::format("{:.0f} %", 100 * fraction); }

    const Json& run_;
    const Json& plan_;
    const std::vector<Prediction>& rows_;
    const Json* training_;
};

}  // namespace

Warning reasonOf(const Prediction& row, const Json& run, const Json& plan, const std::vector<Prediction>& rows) { return Reasons(run, plan, rows).of(row); }

}  // namespace assay::report
