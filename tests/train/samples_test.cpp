// train.sample: the texts are those of the current weights, and writing them changes nothing of the training.
#include <assay/train/samples.h>

#include "training_fixture.h"

namespace assay::train {
namespace {

using testing::tinyConfig;
using testing::TrainingRun;

model::ModelConfig byteConfig(double dropout = 0) {
    model::ModelConfig c = tinyConfig("gpt2", dropout);
    c.vocab = 300;  // more rows than the byte tokenizer has tokens
    c.context = 24;
    return c;
}

struct Written {
    int64_t step;
    std::string prompt, text;
};
std::vector<Written> samplesOf(TrainingRun& run) {
    std::vector<Written> out;
    std::istringstream lines(run.eventText());
    protocol::EventParser parser;
    protocol::ParsedEvent event;
    for (std::string line; std::getline(lines, line);)
        if (parser.parse(line, event) && !event.isMetric && event.record["type"] == "sample")
            out.push_back({event.record["step"], event.record["prompt"], event.record["text"]});
    return out;
}

TEST(Samples, ChangeNoBitOfTheTraining) {
    std::vector<std::string> weights, moments;
    std::vector<at::Tensor> gradients[2];
    for (int with = 0; with < 2; ++with) {
        TrainingRun run("samples", byteConfig(0.2));
        run.input.tokenizerPath = "bytes";
        run.input.spec.evalEvery = 6;
        if (with) run.input.spec.sample = config::SampleSpec{.every = 1, .prompts = {"ab", "x"}, .maxTokens = 5};
        run.run();
        weights.push_back(run.bytes(12, "model.safetensors"));
        moments.push_back(run.bytes(12, "optimizer.safetensors"));
        for (const nn::Parameter& p : run.model->parameters()) gradients[with].push_back(p.value.grad().clone());
        EXPECT_EQ(samplesOf(run).size(), with ? 24u : 0u);
    }
    EXPECT_TRUE(weights[0] == weights[1]);
    EXPECT_TRUE(moments[0] == moments[1]);
    for (size_t i = 0; i < gradients[0].size(); ++i) EXPECT_TRUE(at::equal(gradients[0][i], gradients[1][i])) << i;
}

// Against logits() over the whole text, token by token; every third step and the last one.
TEST(Samples, AreTheLikeliestTokensOfTheCurrentWeights) {
    TrainingRun run("greedy", byteConfig());
    run.input.tokenizerPath = "bytes";
    run.input.totalSteps = 11;
    run.input.spec.sample = config::SampleSpec{.every = 3, .prompts = {"abc"}, .maxTokens = 40};
    run.run();
    const auto written = samplesOf(run);
    ASSERT_EQ(written.size(), 4u);
    const std::vector<int64_t> steps{written[0].step, written[1].step, written[2].step, written[3].step};
    EXPECT_EQ(steps, (std::vector<int64_t>{3, 6, 9, 11}));
    const auto tokenizer = *data::loadTokenizer("bytes");
    data::Encoding encoding;
    tokenizer->encode("abc", {.addSpecial = true}, encoding);
    std::vector<int64_t> ids(encoding.ids.begin(), encoding.ids.end());
    std::vector<int32_t> shown;
    at::NoGradGuard noGrad;
    run.model->setTraining(false);
    while (ids.size() < 24) {
        nn::Inputs inputs;
        inputs.ids = at::tensor(ids).view({1, -1});
        const int64_t next = run.model->logits(inputs)[0][-1].argmax().item<int64_t>();
        if (next == tokenizer->eosId()) break;
        ids.push_back(next);
        if (next < tokenizer->vocabSize()) shown.push_back(static_cast<int32_t>(next));
    }
    EXPECT_EQ(written.back().text, tokenizer->decode(shown));
    EXPECT_FALSE(written.back().text.empty());
}

TEST(Samples, PromptsThatDoNotFitAreNamed) {
    const auto create = [](const std::string& prompt) { return Sampler::create({.every = 1, .prompts = {prompt}, .maxTokens = 4}, "bytes", byteConfig()); };
    EXPECT_TRUE(create("abc"));
    auto made = create(std::string(24, 'a'));
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, ErrorCode::kInvalidFile);
    EXPECT_NE(made.error().message.find("context is 24"), std::string::npos) << made.error().text();
    model::ModelConfig small = byteConfig();
    small.vocab = 20;
    made = Sampler::create({.every = 1, .prompts = {"abc"}, .maxTokens = 4}, "bytes", small);
    ASSERT_FALSE(made);
    EXPECT_NE(made.error().message.find("the model knows 0 to 19"), std::string::npos) << made.error().text();
}

TEST(Samples, AStopRequestEndsThem) {
    TrainingRun run("sample-stop", byteConfig());
    auto sampler = Sampler::create({.every = 1, .prompts = {"a", "b"}, .maxTokens = 20}, "bytes", byteConfig());
    ASSERT_TRUE(sampler);
    run.stop.request_stop();
    auto written = (*sampler)->write(*run.model, run.model->find("transformer.wte.weight")->value, {}, run.stop.get_token());
    ASSERT_TRUE(written);
    EXPECT_TRUE(written->empty());
}

}  // namespace
}  // namespace assay::train
