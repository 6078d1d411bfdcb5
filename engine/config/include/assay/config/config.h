#pragma once
// From text to Spec and back. The JSON form of a spec is the YAML form with the same keys; `specToJson` writes every key
// with its resolved value, so that a run's spec.yaml stands on its own.

#include <assay/config/spec.h>

#include <string>
#include <string_view>
#include <vector>

namespace assay::config {

struct Problem {
    int line = 0, column = 0;  // 1-based; 0 when the problem has no place
    std::string key;           // "train.optimizer.lr"
    std::string message, hint;
};

struct Loaded {
    Spec spec;
    Json resolved;                  // specToJson(spec)
    std::vector<Problem> problems;  // empty: valid
};

// Overrides are `key.path=value` with a YAML value; later ones win. `folder`: what relative paths are relative to.
Loaded loadSpecText(std::string_view yaml, const std::string& fileName, const std::string& folder,
                    const std::vector<std::string>& overrides = {});
// Reads the file (and what it extends). Error only when the file cannot be read.
Result<Loaded> loadSpecFile(const std::string& path, const std::vector<std::string>& overrides = {});
// First problem as an Error (kInvalidFile) with "file:line:column: key: message" and the hint; ok when there is none.
Result<void> requireValid(const Loaded& loaded, const std::string& fileName);

Json specToJson(const Spec& spec);
Result<Spec> specFromJson(const Json& json);  // the engine and the worker read what specToJson wrote
std::string jsonToYaml(const Json& json);     // stable, commented by nobody; loadSpecText(jsonToYaml(j)) == j

// The spec that does `steps` steps (0: up to the next checkpoint) of a train run again and compares them bit by bit. `run`: its
// document as runs.get answers. `threads` 0: as many as the run had. kBadUsage: it trains nothing; kBusy: it has not ended.
Result<Spec> verifySpecOf(const Json& run, int64_t steps = 0, int64_t threads = 0);

// The run tree of a spec: what the engine queues. Children run one after the other in this order; `after` holds indices
// of nodes that must be done first. In child specs `inputs` refers to siblings as "run:@INDEX", which the engine
// replaces by run ids.
struct PlannedRun {  // a node with children runs nothing itself, whatever its kind says
    Spec spec;
    int parent = -1;          // index of the parent node; -1: the root
    std::string role;         // "pipeline", "stage", "seed", "sweep"
    std::string group;        // same text for the seeds of one set-up
    std::vector<int> after;
};
// Members of a sweep in the order of the file: for `variants` the first is the baseline, of `grid` every combination, the
// last key changing fastest (at most 10,001). `changes` are keys with their values, over the experiment.
struct SweepMember {
    std::string label;
    std::vector<std::pair<std::string, Json>> changes;
};
std::vector<SweepMember> sweepMembers(const Spec& spec);  // spec.sweep must be there
// With a sweep and seeds the members take turns: seed 1 of each, then seed 2 of each.
std::vector<PlannedRun> expandSpec(const Spec& spec);  // [0] is the root; empty when there would be more than 10,000 nodes
std::vector<Kind> stagesOf(const Spec& spec);  // of a pipeline: as written, else every section present in contract order

struct Difference {
    std::string key;
    Json left, right;  // null: absent
};
std::vector<Difference> diffSpecs(const Json& left, const Json& right);  // flattened keys in order of the left

std::string_view kindName(Kind kind);
Json checkpointingJson(const CheckpointingSpec& checkpointing);  // "full", {"every": 2}, …
std::string_view packingName(Packing packing);
std::string_view perplexityModeName(PerplexityMode mode);

}  // namespace assay::config
