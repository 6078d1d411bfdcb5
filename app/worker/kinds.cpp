// What a worker can do: one line per kind.
#include "kinds.h"

#include <assay/infer/kinds.h>
#include <assay/train/kinds.h>

namespace assay::worker {
namespace {

struct Entry {
    std::string_view name;
    KindFunction run;
};
constexpr Entry kKinds[] = {
    {"prepare", train::runPrepare},
    {"train", train::runTrain},
    {"verify", train::runVerify},
    {"evaluate", infer::runEvaluate},
    {"quantize", infer::runQuantize},
    {"benchmark", infer::runBenchmark},
    {"generate", infer::runGenerate},
};

}  // namespace

KindFunction findKind(std::string_view name) {
    for (const Entry& entry : kKinds)
        if (entry.name == name) return entry.run;
    return nullptr;
}

}  // namespace assay::worker
