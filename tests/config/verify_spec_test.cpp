// The spec of a run that does steps of another again.
#include <assay/config/config.h>
#include <gtest/gtest.h>

namespace assay::config {
namespace {

Json runOn(const Json& environment) {
    const Loaded loaded = loadSpecText("assay: 1\nname: once\nkind: train\ndevice: auto\nthreads: 3\ndata: {train: {path: /t.txt}, tokenizer: bytes, sequence_length: 8}\n"
                                       "model: {from: {family: gpt2, layers: 1, hidden: 8, heads: 1, context: 8}}\ntrain: {steps: 2, global_batch: 1}\n",
                                       "spec.yaml", "/");
    EXPECT_TRUE(loaded.problems.empty());
    return {{"id", "0123456789abc"}, {"kind", "train"}, {"status", "done"}, {"spec", specToJson(loaded.spec)}, {"environment", environment}};
}

TEST(VerifySpec, ComputesOnWhatTheRunComputedOn) {
    const std::pair<Json, const char*> cases[] = {
        {{{"threads", 2}, {"device", "cpu"}}, "cpu"}, {{{"threads", 2}, {"device", "NVIDIA H200"}}, "cuda"}, {{{"threads", 2}}, "auto"}, {Json(), "auto"},
    };
    for (const auto& [environment, device] : cases) {
        const auto spec = verifySpecOf(runOn(environment));
        ASSERT_TRUE(spec) << environment.dump();
        EXPECT_EQ(spec->kind, Kind::kVerify);
        EXPECT_EQ(spec->device, device) << environment.dump();
        EXPECT_EQ(spec->threads, environment.is_null() ? 3 : 2);
        EXPECT_EQ(spec->verify->run, "run:0123456789abc");
    }
    EXPECT_EQ(verifySpecOf(runOn({{"threads", 2}}), 0, 7)->threads, 7);
}

}  // namespace
}  // namespace assay::config
