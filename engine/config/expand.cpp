#include <algorithm>

#include <fmt/format.h>

#include "assay/core/hash.h"
#include "node.h"

namespace assay::config {
namespace {

constexpr size_t kMaxRuns = 10'000;

std::string join(const std::string& parent, const std::string& part) {
    std::string name = parent + "/" + part;
    return name.size() <= 200 ? name : name.substr(name.size() - 200);
}

class Expander {
public:
    explicit Expander(const Spec& root) { add(root, -1, "pipeline", ""); }

    std::vector<PlannedRun> take() && {
        if (overflow_) runs_.clear();
        return std::move(runs_);
    }

    void expand(int index) {
        const Spec spec = runs_[static_cast<size_t>(index)].spec;  // a copy: the vector grows
        if (spec.sweep.is_object()) return expandSweep(spec, index);
        if (spec.seeds.size() > 1) return expandSeeds(spec, index);
        if (spec.kind == Kind::kPipeline) expandStages(spec, index);
    }

private:
    int add(Spec spec, int parent, std::string role, std::string group) {
        if (runs_.size() >= kMaxRuns) {
            overflow_ = true;
            return -1;
        }
        runs_.push_back({std::move(spec), parent, std::move(role), std::move(group), {}});
        return static_cast<int>(runs_.size()) - 1;
    }

    void expandStages(const Spec& spec, int parent) {
        int prepared = -1, trained = -1, quantized = -1, previous = -1;
        for (Kind stage : stagesOf(spec)) {
            Spec child = spec;
            child.kind = stage;
            child.stages.clear();
            child.seeds.clear();
            child.name = join(spec.name, std::string(kindName(stage)));
            auto refer = [](int index, std::string& out) {
                if (index >= 0) out = "run:@" + std::to_string(index);
            };
            refer(prepared, child.inputs.prepared);
            refer(trained, child.inputs.model);
            refer(quantized, child.inputs.setups);
            const int index = add(std::move(child), parent, "stage", runs_[static_cast<size_t>(parent)].group);
            if (index < 0) return;
            if (previous >= 0) runs_.back().after.push_back(previous);
            previous = index;
            if (stage == Kind::kPrepare) prepared = index;
            if (stage == Kind::kTrain) trained = index;
            if (stage == Kind::kQuantize) quantized = index;
        }
    }

    // The text that the seeds of one set-up share: everything but the seeds, so equal set-ups get equal groups.
    static std::string groupOf(const Spec& spec) {
        Json identity = specToJson(spec);
        identity.erase("seeds");
        return fmt::format("{} {:016x}", spec.name, xxh3(dumpJson(identity)));
    }

    bool expandSeed(const Spec& spec, int parent, const std::string& group, uint64_t seed) {
        Spec child = spec;
        child.seed = seed;
        child.seeds.clear();
        child.name = join(spec.name, "seed-" + std::to_string(seed));
        const int index = add(std::move(child), parent, "seed", group);
        if (index >= 0) expand(index);
        return index >= 0;
    }

    void expandSeeds(const Spec& spec, int parent) {
        const std::string group = groupOf(spec);
        for (uint64_t seed : spec.seeds)
            if (!expandSeed(spec, parent, group, seed)) return;
    }

    void expandSweep(const Spec& spec, int parent) {
        const std::vector<SweepMember> members = sweepMembers(spec);
        Json base = specToJson(spec);
        base.erase("sweep");
        std::vector<int> indices;
        std::vector<std::string> groups;
        for (const SweepMember& member : members) {
            Node root = nodeFromJson(base, nullptr);
            for (const auto& [key, value] : member.changes) setPath(root, key, nodeFromJson(value, nullptr));
            Context ignored;  // a combination that is invalid only as a whole fails in its own run, with its message
            Spec child = parseSpec(root, ignored);
            child.name = join(spec.name, member.label);
            groups.push_back(groupOf(child));
            indices.push_back(add(std::move(child), parent, "sweep", ""));
            if (indices.back() < 0) return;
        }
        if (spec.seeds.size() < 2) {
            for (int index : indices) expand(index);
            return;
        }
        // Members take turns, a seed each, so that what the machine does meanwhile meets all of them alike.
        for (uint64_t seed : spec.seeds)
            for (size_t i = 0; i < indices.size(); ++i) {
                const Spec member = runs_[static_cast<size_t>(indices[i])].spec;  // a copy: the vector grows
                if (!expandSeed(member, indices[i], groups[i], seed)) return;
            }
    }

    std::vector<PlannedRun> runs_;
    bool overflow_ = false;
};

}  // namespace

std::vector<Kind> stagesOf(const Spec& spec) {
    if (spec.kind != Kind::kPipeline) return {spec.kind};
    if (!spec.stages.empty()) return spec.stages;
    std::vector<Kind> out;
    const bool model = spec.model || spec.train || !spec.inputs.model.empty();
    if (spec.data) out.push_back(Kind::kPrepare);
    if (spec.train) out.push_back(Kind::kTrain);
    if (spec.generate) out.push_back(Kind::kGenerate);
    if (spec.accuracy || (spec.data && spec.data->eval && model)) out.push_back(Kind::kEvaluate);
    if (spec.quantize) out.push_back(Kind::kQuantize);
    if (spec.benchmark) out.push_back(Kind::kBenchmark);
    return out;
}

std::vector<SweepMember> sweepMembers(const Spec& spec) {
    std::vector<SweepMember> out;
    if (const auto variants = spec.sweep.find("variants"); variants != spec.sweep.end()) {
        for (const auto& [name, changes] : variants->items()) {
            out.push_back({name, {}});
            for (const auto& [key, value] : changes.items()) out.back().changes.emplace_back(key, value);
        }
        return out;
    }
    std::vector<std::pair<std::string, const Json*>> axes;
    for (const auto& [key, values] : spec.sweep["grid"].items()) axes.emplace_back(key, &values);
    std::vector<size_t> at(axes.size(), 0);
    while (out.size() <= kMaxRuns) {
        SweepMember member;
        for (size_t i = 0; i < axes.size(); ++i) {
            const Json& value = (*axes[i].second)[at[i]];
            member.changes.emplace_back(axes[i].first, value);
            const size_t dot = axes[i].first.rfind('.');
            member.label += (i ? " " : "") + axes[i].first.substr(dot == std::string::npos ? 0 : dot + 1) + "=" + (value.is_string() ? value.get<std::string>() : dumpJson(value));
        }
        if (member.label.size() > 80) member.label = "member-" + std::to_string(out.size() + 1);
        out.push_back(std::move(member));
        size_t axis = axes.size();  // the last key changes fastest
        while (axis > 0 && ++at[axis - 1] == axes[axis - 1].second->size()) at[--axis] = 0;
        if (axis == 0) break;
    }
    return out;
}

std::vector<PlannedRun> expandSpec(const Spec& spec) {
    Expander expander(spec);
    expander.expand(0);
    return std::move(expander).take();
}

}  // namespace assay::config
