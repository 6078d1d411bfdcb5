#include "assay/plan/plan.h"

#include <assay/config/config.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "estimate.h"

namespace assay::plan {
namespace {

constexpr size_t kMostLayouts = 48;      // of --search
constexpr int64_t kMostTried = 1 << 20;
constexpr double kPowerShare = 0.8;  // of the TDP, under this kind of load
constexpr std::string_view kElsewhere[] = {"l4", "rtx4090", "l40s", "a100-80gb", "h100-sxm", "h200"};

Hardware thisMachine(const Input& input) {
    Hardware h;
    h.name = "here";
    h.label = fmt::format("this machine ({}, {} threads)", input.machine.cpuModel.empty() ? "CPU" : input.machine.cpuModel, input.machine.threads);
    h.memoryBytes = input.machine.memoryBytes;
    h.bandwidth = input.calibration.bytesPerS;
    if (!input.calibration.gemm.empty()) h.flops.emplace_back("fp32", input.calibration.gemm.back().flopsPerS);
    h.measured = true;
    return h;
}

// Training takes this machine's GPU unless the file says cpu; the catalogue knows it by its vendor's name.
const Hardware* gpuHere(const Input& input) {
    if (input.spec.device == "cpu" || !input.spec.train || input.machine.gpus.empty()) return nullptr;
    return findHardwareByModel(input.machine.gpus.front().name, input.machine.gpus.front().memoryBytes);
}

std::string hardwareName(const Input& input) { return input.hardware.empty() ? input.spec.cost.hardware : input.hardware; }
bool isHere(const Input& input) {
    const std::string name = hardwareName(input);
    return name.empty() || name == "auto" || name == "here";
}

void restOnCpu(Estimate& plan, Estimate cpu) {
    plan.total = {};
    for (size_t i = 0; i < plan.stages.size(); ++i) {
        Stage& stage = plan.stages[i];
        if (stage.kind != config::Kind::kTrain) stage = std::move(cpu.stages[i]);
        plan.total += {stage.seconds.value * static_cast<double>(stage.runs), stage.seconds.uncertainty};
    }
    if (std::any_of(plan.stages.begin(), plan.stages.end(), [](const Stage& s) { return s.kind != config::Kind::kTrain && s.kind != config::Kind::kPrepare; }))
        plan.notes.push_back("Training takes the GPU; evaluation, quantization and benchmarks compute on the CPU");
}

Result<Hardware> chosen(const Input& input) {
    const std::string name = hardwareName(input);
    if (isHere(input)) {
        if (const Hardware* gpu = gpuHere(input)) return *gpu;
        return thisMachine(input);
    }
    if (const Hardware* found = findHardware(name)) return *found;
    return fail(ErrorCode::kNotFound, fmt::format("hardware '{}' is not in the catalogue", name), "known: auto, " + hardwareNames());
}

// The runs that do work; seeds and equal members of a sweep counted together.
Result<std::vector<Leaf>> leavesOf(const Input& input) {
    config::Spec spec = input.spec;
    if (input.gpus > 0 && spec.train) {
        auto& t = *spec.train;
        if (t.globalBatch % input.gpus != 0)
            return fail(ErrorCode::kBadUsage, fmt::format("train.global_batch {} is not a multiple of {} ranks", t.globalBatch, input.gpus), "choose a divisor of global_batch");
        t.parallel.data = input.gpus;
        const int64_t share = t.globalBatch / input.gpus;
        if (t.microBatch == 0 || share % t.microBatch != 0) t.microBatch = t.microBatch == 0 ? share : std::min(t.microBatch, share);
        while (share % t.microBatch != 0) --t.microBatch;
    }
    const std::vector<config::PlannedRun> runs = config::expandSpec(spec);
    if (runs.empty()) return fail(ErrorCode::kInvalidFile, "the experiment has more than 10,000 runs");
    std::vector<bool> parent(runs.size());
    for (const auto& run : runs)
        if (run.parent >= 0) parent[static_cast<size_t>(run.parent)] = true;
    std::vector<Leaf> leaves;
    std::map<std::string, size_t> known;
    for (size_t i = 0; i < runs.size(); ++i) {
        if (parent[i]) continue;
        config::Spec same = runs[i].spec;
        same.name.clear();
        same.seed = 0;
        same.inputs = {};
        const auto [at, fresh] = known.emplace(dumpJson(config::specToJson(same)), leaves.size());
        if (!fresh) {
            ++leaves[at->second].runs;
            leaves[at->second].members.push_back(static_cast<int>(i));
            continue;
        }
        Leaf leaf;
        leaf.spec = runs[i].spec;
        leaf.members = {static_cast<int>(i)};
        leaf.heldOut = !leaf.spec.inputs.prepared.empty() && leaf.spec.data && leaf.spec.data->eval;
        if (leaf.spec.kind != config::Kind::kPrepare) {
            ASSAY_TRY(leaf.model, input.model(leaf.spec));
        }
        ASSAY_TRY_VOID(sizesWithin(leaf));
        leaf.data = input.data(leaf.spec, leaf.model);
        leaves.push_back(std::move(leaf));
    }
    return leaves;
}

std::optional<double> costOf(const Input& input, const Hardware& hardware, const Seconds& total, int64_t ranks, bool asked, std::optional<double> joules) {
    std::optional<double> perHour;
    if (asked && input.spec.cost.usdPerHour) perHour = *input.spec.cost.usdPerHour;
    else if (hardware.price) perHour = hardware.price->usdPerHour;
    if (!perHour) return {};
    double usd = *perHour * static_cast<double>(ranks) * total.value / 3600;
    // A rent holds the electricity; a machine of one's own does not.
    if (asked && input.spec.cost.usdPerKwh && joules) usd += *joules / 3.6e6 * *input.spec.cost.usdPerKwh;
    return usd;
}

// A price that is 20 % off, and hours of one's own machine that stands idle for the rest: METRICS.md. Electricity follows
// the work and not the price.
std::optional<Sensitivity> sensitivityOf(const Input& input, const Plan& plan, bool asked) {
    if (!plan.costUsd) return {};
    const double electricity = asked && input.spec.cost.usdPerKwh && plan.energyJoules ? *plan.energyJoules / 3.6e6 * *input.spec.cost.usdPerKwh : 0, price = *plan.costUsd - electricity;
    Sensitivity out;
    out.priceLow = 0.8 * price + electricity;
    out.priceHigh = 1.2 * price + electricity;
    for (const double share : {0.3, 0.6, 0.9}) out.utilisation.emplace_back(share, price / share + electricity);
    return out;
}

// The file's price is that of the hardware the file means.
bool filePriceHolds(const Input& input) { return input.hardware.empty() || input.hardware == input.spec.cost.hardware; }

void noteCost(const Input& input, Plan& plan) {
    auto& notes = plan.assumptions;
    const auto& cost = input.spec.cost;
    if (cost.usdPerHour && filePriceHolds(input)) notes.push_back(fmt::format("Price: {} USD an hour, from the file (cost.price)", *cost.usdPerHour));
    else if (plan.hardware.price) notes.push_back(fmt::format("Price: {} USD an hour, {} ({})", plan.hardware.price->usdPerHour, plan.hardware.price->source, plan.hardware.price->date));
    else notes.push_back("No cost: no price is known; set cost: {price: {usd_per_hour: …}}");
    if (plan.energyJoules) notes.push_back(fmt::format("Energy: {:.0f} % of the TDP of {:.0f} W over the whole time, an estimate", 100 * kPowerShare, *plan.hardware.tdpWatts));
    else notes.push_back("Energy is not known: this machine names no power, and none was measured");
    if (cost.usdPerKwh && !plan.energyJoules) notes.push_back("Electricity is not in the cost, since the energy is not known");
}

}  // namespace

Result<Plan> makePlan(const Input& input) {
    Plan plan;
    ASSAY_TRY(plan.hardware, chosen(input));
    ASSAY_TRY(const std::vector<Leaf> leaves, leavesOf(input));
    Estimate here = estimate(leaves, input, plan.hardware);
    // On this machine's GPU only training runs; the other stages take its CPU.
    const bool ownGpu = isHere(input) && !plan.hardware.measured;
    const Hardware processor = thisMachine(input);
    if (ownGpu) restOnCpu(here, estimate(leaves, input, processor));
    plan.stages = std::move(here.stages);
    plan.training = here.training;
    plan.total = here.total;
    plan.capacityBytes = plan.hardware.memoryBytes;
    const auto need = [](const Stage& s, bool process) { return static_cast<double>(s.memory.peak + (process ? s.memory.process : 0)); };
    for (size_t i = 1; i < plan.stages.size(); ++i)
        if (plan.stages[i].memory.peak > plan.stages[plan.peakStage].memory.peak) plan.peakStage = i;
    // All ranks of this machine share its memory; an accelerator holds one.
    const int64_t ranks = plan.training ? plan.training->ranks : 1;
    const bool cpu = plan.hardware.measured;
    double most = 0;
    for (const Stage& s : plan.stages) {
        const bool beside = ownGpu && s.kind != config::Kind::kTrain;  // measured against the machine's memory, told as a share of the GPU's
        const double share = beside ? static_cast<double>(plan.capacityBytes) / static_cast<double>(std::max<int64_t>(1, processor.memoryBytes)) : 1;
        most = std::max(most, share * need(s, cpu || beside) * static_cast<double>(cpu && s.kind == config::Kind::kTrain ? ranks : 1));
    }
    plan.fits = fitOf(most, static_cast<double>(plan.capacityBytes));
    if (plan.hardware.tdpWatts) plan.energyJoules = kPowerShare * *plan.hardware.tdpWatts * static_cast<double>(ranks) * plan.total.value;
    plan.costUsd = costOf(input, plan.hardware, plan.total, cpu ? 1 : ranks, filePriceHolds(input), plan.energyJoules);

    plan.sensitivity = sensitivityOf(input, plan, filePriceHolds(input));

    plan.assumptions = here.notes;
    for (const Leaf& leaf : leaves)
        for (const std::string& note : leaf.data.assumptions)
            if (std::find(plan.assumptions.begin(), plan.assumptions.end(), note) == plan.assumptions.end()) plan.assumptions.push_back(note);
    if (!cpu) plan.assumptions.push_back(fmt::format("{} was not measured: its times are estimates", plan.hardware.label));
    if (cpu && plan.training) plan.assumptions.push_back("Memory is counted in tensors, operation by operation; the program itself is added when it is compared with the machine");
    noteCost(input, plan);
    for (const std::string_view name : kElsewhere) {
        const Hardware* other = findHardware(name);
        if (!other || other->name == plan.hardware.name) continue;
        const Estimate there = estimate(leaves, input, *other);
        Elsewhere row{other, there.total, costOf(input, *other, there.total, ranks, false, {}), ""};
        double peak = 0;
        for (const Stage& s : there.stages) peak = std::max(peak, need(s, false));
        row.fits = fitOf(peak, static_cast<double>(other->memoryBytes));
        plan.elsewhere.push_back(std::move(row));
    }
    plan.assumptions.push_back("Times and costs on other hardware are estimates from vendors' figures and listed prices, not measured here");
    plan.warnings = warningsOf(leaves, input, plan);
    return plan;
}

Result<Json> searchLayouts(const Input& input) {
    Json rows = Json::array();
    if (!input.spec.train) return rows;
    const int64_t ranks = input.gpus > 0 ? input.gpus : std::max<int64_t>(1, input.spec.train->parallel.data), share = input.spec.train->globalBatch / ranks;
    std::vector<int64_t> divisors;
    for (int64_t d = 1; d <= share / d && divisors.size() < 4 * kMostLayouts && d < kMostTried; ++d) {
        if (share % d != 0) continue;
        divisors.push_back(d);
        if (d != share / d) divisors.push_back(share / d);
    }
    std::sort(divisors.begin(), divisors.end());
    if (divisors.size() > kMostLayouts) divisors.resize(kMostLayouts);  // the smallest: large ones do not fit
    std::vector<Json> found;
    for (const int64_t micro : divisors) {
        Input trial = input;
        trial.spec.train->microBatch = micro;
        if (!found.empty() && !makePlan(trial)) break;  // larger than can be reckoned with
        ASSAY_TRY(const Plan plan, makePlan(trial));
        if (!plan.training) return rows;
        int64_t peak = 0;
        for (const Stage& s : plan.stages)
            if (s.kind == config::Kind::kTrain) peak = std::max(peak, s.memory.peak);
        found.push_back({{"micro_batch", micro}, {"accumulation", plan.training->accumulation}, {"ranks", plan.training->ranks}, {"peak_bytes", peak},
                         {"step_seconds", plan.training->step.value}, {"fits", plan.fits}});
    }
    std::stable_sort(found.begin(), found.end(), [](const Json& a, const Json& b) {
        const bool fa = a["fits"] != "too_big", fb = b["fits"] != "too_big";
        return fa != fb ? fa : a["step_seconds"].get<double>() < b["step_seconds"].get<double>();
    });
    for (Json& row : found) rows.push_back(std::move(row));
    return rows;
}

}  // namespace assay::plan
