#include "assay/train/machine_rates.h"

#include <assay/torch.h>
#include <sys/resource.h>

#include <ATen/Parallel.h>

#include "measurements.h"

namespace assay::train {
namespace {

int64_t timesPutAside() {  // by the kernel, for others
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_nivcsw;
}

}  // namespace

Json measureRates(const RateOptions& options) {
    using namespace calibrate;
    const int threads = at::get_num_threads();
    const Stopwatch clock(threads == 1);
    Budget budget(clock, options.seconds, options.patience);
    const double start = monotonicSeconds();
    const int64_t before = timesPutAside();
    Json out = {{"schema", 1}, {"threads", threads}}, wide = Json::object();
    // Until which part of the span a group may go on.
    const auto until = [&](double share) -> const Budget& {
        budget.nextGroup(options.half ? share : share / 0.5);
        return budget;
    };
    out["passes"] = passes(until(0.06));
    out["optimizers"] = optimizers(until(0.18), options.half);
    wide["products"] = products(until(0.27), at::kFloat);
    wide["attention"] = attention(until(0.35), at::kFloat);
    wide["layers"] = layers(until(0.41), at::kFloat, at::kFloat);
    for (Json& point : layers(until(0.48), at::kFloat, at::kFloat, 0.1)) wide["layers"].push_back(std::move(point));  // without blocks
    wide["losses"] = losses(until(0.50), at::kFloat);
    out["types"] = {{"fp32", std::move(wide)}};
    if (options.half) {
        // Mixed precision has the products and attention of its narrow type, layers of its own and the loss of fp32.
        Json& types = out["types"];
        types["bf16"] = {{"products", products(until(0.59), at::kBFloat16)}, {"attention", attention(until(0.74), at::kBFloat16)}};
        types["bf16"]["layers"] = layers(until(0.82), at::kBFloat16, at::kBFloat16);
        types["bf16"]["losses"] = losses(until(0.84), at::kBFloat16);
        types["amp_bf16"] = {{"layers", layers(until(0.92), at::kFloat, at::kBFloat16)}};
        types["amp_fp16"] = {{"products", products(until(0.95), at::kHalf)}, {"attention", attention(until(0.98), at::kHalf)}};
        types["amp_fp16"]["layers"] = layers(until(1.0), at::kFloat, at::kHalf);
    }
    const double took = monotonicSeconds() - start;
    out["seconds"] = took;
    out["disturbed"] = threads > 1 && static_cast<double>(timesPutAside() - before) > 40 * took;
    return out;
}

}  // namespace assay::train
