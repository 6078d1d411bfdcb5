// Logits, loss and gradients of tiny models that transformers wrote (tests/golden/tiny/make.py).
#include <assay/core/json.h>
#include <gtest/gtest.h>
#include <assay/torch.h>

#include <cmath>

#include "assay/nn/model.h"
#include "assay/nn/routing.h"

namespace assay::nn {
namespace {

at::Tensor integers(const Json& rows) {
    std::vector<int64_t> flat;
    for (const Json& row : rows)
        for (const Json& value : row) flat.push_back(value.get<int64_t>());
    return at::tensor(flat, at::kLong).view({static_cast<int64_t>(rows.size()), -1});
}

void compareGradients(const Model& model, const Json& golden) {
    size_t compared = 0;
    for (const auto& [name, wanted] : golden["gradients"].items()) {
        const Parameter* p = model.find(name);
        ASSERT_NE(p, nullptr) << name;
        ASSERT_TRUE(p->value.grad().defined()) << name;
        const at::Tensor g = p->value.grad().flatten().to(at::kDouble);
        const double norm = wanted["norm"].get<double>();
        EXPECT_NEAR(g.norm().item<double>(), norm, 2e-5 * std::max(1.0, norm)) << name;
        EXPECT_NEAR(g.abs().sum().item<double>(), wanted["abs_sum"].get<double>(), 2e-5 * std::max(1.0, wanted["abs_sum"].get<double>())) << name;
        for (size_t i = 0; i < wanted["at"].size(); ++i)
            EXPECT_NEAR(g[wanted["at"][i].get<int64_t>()].item<double>(), wanted["values"][i].get<double>(), 5e-6 * std::max(1.0, norm)) << name;
        ++compared;
    }
    EXPECT_EQ(compared, model.parameters().size());
}

class Golden : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Tiny, Golden,
                         ::testing::Values("gpt2", "gpt2_untied", "llama", "llama3_bias_untied", "llama_linear_sharded", "llama_dynamic", "llama_yarn", "llama_yarn_set",
                                           "llama_yarn_mscale", "llama_longrope_short", "llama_longrope_long", "mistral_window", "mistral_plain", "qwen2", "qwen3", "qwen3_tied",
                                           "mixtral", "mixtral_top1_tied", "mixtral_fused"));

TEST_P(Golden, EqualsTransformers) {
    const std::string folder = std::string(ASSAY_SOURCE_DIR) + "/tests/golden/tiny/" + GetParam();
    auto golden = readJsonFile(folder + "/golden.json");
    ASSERT_TRUE(golden) << golden.error().text();
    auto file = model::openModel(folder);
    ASSERT_TRUE(file) << file.error().text();
    auto created = createModel((*file)->config());
    ASSERT_TRUE(created) << created.error().text();
    Model& model = **created;
    auto loaded = model.load(**file, 1);
    ASSERT_TRUE(loaded) << loaded.error().text();

    Inputs inputs;
    inputs.ids = integers((*golden)["input_ids"]);
    const int64_t rows = inputs.ids.size(0), columns = inputs.ids.size(1);
    {
        at::NoGradGuard noGrad;
        const at::Tensor logits = model.logits(inputs);
        double worst = 0;
        for (int64_t b = 0; b < rows; ++b)
            for (int64_t t = 0; t < columns; ++t) {
                const auto wanted = (*golden)["logits"][static_cast<size_t>(b)][static_cast<size_t>(t)].get<std::vector<double>>();
                worst = std::max(worst, (logits[b][t].to(at::kDouble) - at::tensor(wanted, at::kDouble)).abs().max().item<double>());
            }
        EXPECT_LT(worst, 2e-5);
    }
    // transformers shifts inside; our labels come shifted.
    const at::Tensor labels = at::full({rows, columns}, -100, at::kLong);
    labels.narrow(1, 0, columns - 1).copy_(integers((*golden)["labels"]).narrow(1, 1, columns - 1));
    const double scored = labels.ne(-100).sum().item<double>();
    const auto& config = (*file)->config();
    if (config.experts > 0) {
        inputs.routing = routingTable(config.layers, config.experts);
        inputs.balance = 1;
    }
    // The way that training takes without dropout, then the one composed of LibTorch's operations (nearly no dropout is none).
    for (const bool composed : {false, true}) {
        SCOPED_TRACE(composed ? "composed" : "blocks");
        auto other = config;
        other.dropout = composed ? 1e-300 : 0;
        auto again = createModel(other);
        ASSERT_TRUE(again && (*again)->load(**file, 1));
        (*again)->setTraining(true);
        const at::Tensor loss = (*again)->loss(inputs, labels, 1 / scored);
        EXPECT_NEAR(loss.item<double>(), (*golden)["loss"].get<double>(), 2e-6);
        if (config.experts > 0) {
            EXPECT_NEAR(loadBalanceLoss(inputs.routing, config.expertsPerToken), (*golden)["aux_loss"].get<double>(), 2e-6);
        }
        loss.backward();
        compareGradients(**again, *golden);
    }
}

}  // namespace
}  // namespace assay::nn
