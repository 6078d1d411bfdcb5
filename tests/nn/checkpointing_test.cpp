// Activation checkpointing: gradients bit by bit those of the plain pass, in every mode, and less kept. Public bug reports by the
// numbers of the list of training faults the project keeps.
#include <assay/nn/memory.h>
#include <assay/nn/model.h>
#include <assay/torch.h>
#include <ATen/autocast_mode.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/functions/accumulate_grad.h>
#include <torch/csrc/autograd/variable.h>

#include "tiny.h"

namespace assay::nn {
namespace {

using testing::make;
using testing::tinyGpt2;
using testing::tinyLlama;
using Kind = Checkpointing::Kind;

struct Mode {
    const char* name;
    Checkpointing checkpointing;
};
const Mode kModes[] = {{"full", {Kind::kGroups, 1}}, {"every2", {Kind::kGroups, 2}}, {"every3", {Kind::kGroups, 3}}, {"every9", {Kind::kGroups, 9}}, {"selective", {Kind::kSelective, 1}}};

struct CheckpointCase {
    const char* family;
    Mode mode;
};
std::vector<CheckpointCase> everyCase() {
    std::vector<CheckpointCase> all;
    for (const char* family : {"gpt2", "llama"})
        for (const Mode& mode : kModes) all.push_back({family, mode});
    return all;
}

model::ModelConfig configOf(const std::string& family, double dropout, bool tied = true) {
    model::ModelConfig c = family == "gpt2" ? tinyGpt2() : tinyLlama();
    c.layers = 5;
    c.dropout = dropout;
    c.tieEmbeddings = tied;
    return c;
}

struct PackedRows {
    Inputs inputs;
    at::Tensor labels;
};
PackedRows packedRows(const model::ModelConfig& c, bool packed) {
    at::Generator g = at::detail::createCPUGenerator(4);
    PackedRows out;
    out.inputs.ids = at::randint(c.vocab, {2, 9}, g, at::kLong);
    out.labels = at::randint(c.vocab, {2, 9}, g, at::kLong);
    out.labels[0][8] = -100;
    if (packed) {
        out.inputs.segments = at::tensor({0, 0, 0, 1, 1, 1, 1, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0}, at::kLong).view({2, 9});
        out.inputs.positions = at::tensor({0, 1, 2, 0, 1, 2, 3, 4, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8}, at::kLong).view({2, 9});
    }
    return out;
}

class CastRegion {  // as the trainer's, with a choice about the cache of casts
public:
    explicit CastRegion(at::ScalarType type, bool cache) {
        at::autocast::set_autocast_dtype(at::kCPU, type);
        at::autocast::set_autocast_enabled(at::kCPU, true);
        at::autocast::set_autocast_cache_enabled(cache);
        at::autocast::increment_nesting();
    }
    ~CastRegion() {
        if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
        at::autocast::set_autocast_cache_enabled(true);
        at::autocast::set_autocast_enabled(at::kCPU, false);
    }
};

struct PassResult {
    double loss = 0;
    std::vector<at::Tensor> gradients;
    at::Tensor random;  // state of the generator afterwards
};

struct PassOptions {
    bool packed = false;
    std::optional<at::ScalarType> cast;
    bool cache = false;  // of casts
    int micro = 2;  // passes whose gradients are added
};
PassResult pass(Model& model, const PassOptions& options = {}) {
    for (const Parameter& p : model.parameters()) at::Tensor(p.value).mutable_grad().reset();
    model.setTraining(true);
    at::Generator generator = at::detail::getDefaultCPUGenerator();
    generator.set_current_seed(11);
    const PackedRows rows = packedRows(model.config(), options.packed);
    PassResult out;
    for (int m = 0; m < options.micro; ++m) {
        at::Tensor loss;
        if (options.cast) {
            at::Tensor logits;
            {
                CastRegion region(*options.cast, options.cache);
                logits = model.logits(rows.inputs);
            }
            loss = logits.to(at::kFloat).square().mean();
        } else {
            loss = model.loss(rows.inputs, rows.labels, 1.0 / 17);
        }
        loss.backward();
        out.loss += loss.item<double>();
    }
    for (const Parameter& p : model.parameters()) out.gradients.push_back(p.value.grad().defined() ? p.value.grad().clone() : at::Tensor());
    out.random = generator.get_state();
    return out;
}

void expectSame(const Model& model, const PassResult& plain, const PassResult& other) {
    EXPECT_EQ(plain.loss, other.loss);
    EXPECT_TRUE(at::equal(plain.random, other.random)) << "random numbers";
    for (size_t i = 0; i < plain.gradients.size(); ++i) {
        ASSERT_TRUE(plain.gradients[i].defined() && other.gradients[i].defined()) << model.parameters()[i].info.name;
        EXPECT_TRUE(at::equal(plain.gradients[i], other.gradients[i])) << model.parameters()[i].info.name;
    }
}

class EveryMode : public ::testing::TestWithParam<CheckpointCase> {
protected:
    PassResult with(const model::ModelConfig& config, at::ScalarType type, const PassOptions& options = {}) const { return run(config, type, options, GetParam().mode.checkpointing); }
    static PassResult run(const model::ModelConfig& config, at::ScalarType type, const PassOptions& options, const Checkpointing& checkpointing) {
        const auto model = make(config, 5, {.dtype = type});
        model->setCheckpointing(checkpointing);
        return pass(*model, options);
    }
    void check(const model::ModelConfig& config, at::ScalarType type, const PassOptions& options = {}) const {
        const auto model = make(config, 5, {.dtype = type});
        expectSame(*model, run(config, type, options, {}), with(config, type, options));
    }
};
INSTANTIATE_TEST_SUITE_P(Checkpointing, EveryMode, ::testing::ValuesIn(everyCase()), [](const auto& info) { return std::string(info.param.family) + "_" + info.param.mode.name; });

TEST_P(EveryMode, GradientsAreThoseOfThePlainPassBitByBit) {
    for (const at::ScalarType type : {at::kFloat, at::kDouble, at::kBFloat16})
        for (const bool packed : {false, true})
            for (const bool tied : {false, true}) check(configOf(GetParam().family, 0, tied), type, {.packed = packed});
}

// OLMo-core#828, guided-diffusion#167, torchtitan#1323 and kin: the second computation drops the same elements, and random numbers go
// on as if there had been none.
TEST_P(EveryMode, Fault18DropoutMasksAreTheSameAgain) {
    for (const bool packed : {false, true}) check(configOf(GetParam().family, 0.5), at::kFloat, {.packed = packed});
    check(configOf(GetParam().family, 0.5), at::kFloat, {.cast = at::kBFloat16});
}

TEST_P(EveryMode, MixedPrecisionCastsTheSameAgain) {
    for (const at::ScalarType type : {at::kBFloat16, at::kHalf})
        for (const bool cache : {false, true}) check(configOf(GetParam().family, 0), at::kFloat, {.packed = cache, .cast = type, .cache = cache});
    EXPECT_FALSE(at::autocast::is_autocast_enabled(at::kCPU));
    EXPECT_TRUE(at::autocast::is_autocast_cache_enabled());
}

// pytorch#24005, #43135, #121594; accelerate#2017: every parameter's gradient is complete once in a backward pass, that of the tied table
// too, whoever listens.
TEST_P(EveryMode, Fault19EveryGradientArrivesOnce) {
    const auto model = make(configOf(GetParam().family, 0));
    model->setCheckpointing(GetParam().mode.checkpointing);
    std::vector<int> tensorHooks(model->parameters().size()), accumulated(model->parameters().size());
    std::vector<std::shared_ptr<torch::autograd::Node>> nodes;
    for (size_t i = 0; i < tensorHooks.size(); ++i) {
        const at::Tensor& value = model->parameters()[i].value;
        value.register_hook([&, i](const at::Tensor& g) {
            ++tensorHooks[i];
            return g;
        });
        struct AfterAccumulation final : torch::autograd::FunctionPostHook {
            explicit AfterAccumulation(int& count) : count_(count) {}
            torch::autograd::variable_list operator()(const torch::autograd::variable_list& outputs, const torch::autograd::variable_list&) override {
                ++count_;
                return outputs;
            }
            int& count_;
        };
        nodes.push_back(torch::autograd::impl::grad_accumulator(value));
        nodes.back()->add_post_hook(std::make_unique<AfterAccumulation>(accumulated[i]));
    }
    pass(*model, {.micro = 3});
    for (size_t i = 0; i < tensorHooks.size(); ++i) {
        EXPECT_EQ(tensorHooks[i], 3) << model->parameters()[i].info.name;
        EXPECT_EQ(accumulated[i], 3) << model->parameters()[i].info.name;
    }
}

// transformers#31629, nanoVLM#204 with checkpointing: the second computation sees the same mask and positions.
TEST_P(EveryMode, Fault36PackedDocumentsStayApart) {
    const model::ModelConfig c = configOf(GetParam().family, 0);
    const auto model = make(c, 3, {.dtype = at::kDouble});
    model->setCheckpointing(GetParam().mode.checkpointing);
    at::Generator g = at::detail::createCPUGenerator(8);
    const at::Tensor a = at::randint(c.vocab, {1, 4}, g, at::kLong), b = at::randint(c.vocab, {1, 5}, g, at::kLong);
    auto gradients = [&](const std::vector<Inputs>& parts, const std::vector<at::Tensor>& labels) {
        for (const Parameter& p : model->parameters()) at::Tensor(p.value).mutable_grad().reset();
        for (size_t i = 0; i < parts.size(); ++i) model->loss(parts[i], labels[i], 1).backward();
        std::vector<at::Tensor> out;
        for (const Parameter& p : model->parameters()) out.push_back(p.value.grad().clone());
        return out;
    };
    Inputs packed, first, second;
    packed.ids = at::cat({a, b}, 1);
    packed.segments = at::cat({at::zeros({1, 4}, at::kLong), at::ones({1, 5}, at::kLong)}, 1);
    packed.positions = at::cat({at::arange(4), at::arange(5)}).unsqueeze(0);
    first.ids = a;
    second.ids = b;
    const auto together = gradients({packed}, {packed.ids}), apart = gradients({first, second}, {a, b});
    for (size_t i = 0; i < together.size(); ++i) EXPECT_LT((together[i] - apart[i]).abs().max().item<double>(), 1e-10) << model->parameters()[i].info.name;
}

TEST_P(EveryMode, ARetainedGraphGivesTheSameTwice) {
    const auto model = make(configOf(GetParam().family, 0));
    const PackedRows rows = packedRows(model->config(), true);
    model->setCheckpointing(GetParam().mode.checkpointing);
    const at::Tensor loss = model->hidden(rows.inputs).square().sum();
    std::vector<at::Tensor> once;
    loss.backward({}, /*retain_graph=*/true);
    for (const Parameter& p : model->parameters()) once.push_back(p.value.grad().defined() ? p.value.grad().clone() : at::zeros_like(p.value));
    loss.backward();
    for (size_t i = 0; i < once.size(); ++i) {
        const at::Tensor gradient = model->parameters()[i].value.grad();
        if (!gradient.defined()) continue;  // an untied head
        EXPECT_TRUE(at::equal(gradient, once[i] * 2)) << model->parameters()[i].info.name;
    }
}

TEST_P(EveryMode, EvaluationComputesOnceAndKeepsNothing) {
    const auto model = make(configOf(GetParam().family, 0.3));
    const PackedRows rows = packedRows(model->config(), true);
    at::NoGradGuard noGrad;
    const at::Tensor plain = model->logits(rows.inputs);
    model->setCheckpointing(GetParam().mode.checkpointing);
    EXPECT_TRUE(at::equal(plain, model->logits(rows.inputs)));
}

// Neither a graph that is used up nor one that is thrown away leaves a byte behind.
TEST_P(EveryMode, NothingIsLeftBehind) {
    const auto model = make(configOf(GetParam().family, 0.3));
    const PackedRows rows = packedRows(model->config(), true);
    model->setTraining(true);
    model->setCheckpointing(GetParam().mode.checkpointing);
    model->loss(rows.inputs, rows.labels, 1).backward();
    MemoryMeter meter;
    MemoryScope scope(meter);
    { const at::Tensor unused = model->loss(rows.inputs, rows.labels, 1); }
    EXPECT_EQ(meter.liveBytes(), 0);
    model->loss(rows.inputs, rows.labels, 1).backward();
    EXPECT_EQ(meter.liveBytes(), 0);
}

// A part of the layers, whose input comes from another process.
TEST_P(EveryMode, APartOfTheLayersGivesTheSameGradientOfItsInput) {
    const model::ModelConfig c = configOf(GetParam().family, 0, false);
    auto gradient = [&](const Checkpointing& checkpointing, bool wanted) {
        const auto part = make(c, 5, {.layers = {1, 4}});
        part->setCheckpointing(checkpointing);
        Inputs inputs;
        inputs.hidden = at::randn({2, 9, c.hidden}, at::detail::createCPUGenerator(2), at::kFloat).requires_grad_(wanted);
        part->hidden(inputs).square().sum().backward();
        std::vector<at::Tensor> out;
        if (wanted) out.push_back(inputs.hidden.grad().clone());
        for (const Parameter& p : part->parameters()) out.push_back(p.value.grad().clone());
        return out;
    };
    for (const bool wanted : {true, false}) {
        const auto plain = gradient({}, wanted), other = gradient(GetParam().mode.checkpointing, wanted);
        ASSERT_EQ(plain.size(), other.size());
        for (size_t i = 0; i < plain.size(); ++i) EXPECT_TRUE(at::equal(plain[i], other[i])) << i;
    }
}

int64_t bytesKept(Model& model, const PackedRows& rows, const Checkpointing& checkpointing) {
    model.setCheckpointing(checkpointing);
    MemoryMeter meter;
    MemoryScope scope(meter);
    const at::Tensor x = model.hidden(rows.inputs);
    return meter.liveBytes();
}

// What a forward pass leaves for the backward pass, to the byte: hidden states of 18 positions of 16 numbers are H = 1152 bytes.
TEST(CheckpointedBytes, OneInputAGroup) {
    for (const char* family : {"gpt2", "llama"}) {
        const model::ModelConfig c = configOf(family, 0);
        const auto model = make(c);
        const PackedRows rows = packedRows(c, false);
        auto kept = [&](const Checkpointing& checkpointing) { return bytesKept(*model, rows, checkpointing); };
        const int64_t H = 1152, outside = kept({Kind::kGroups, 9}) - H;  // five layers in one group
        EXPECT_EQ(kept({Kind::kGroups, 1}), outside + 5 * H) << family;
        EXPECT_EQ(kept({Kind::kGroups, 2}), outside + 3 * H) << family;
        EXPECT_EQ(kept({Kind::kGroups, 5}), outside + H) << family;
        // A layer in fp32 keeps neither normalised states nor activations nor repeated keys anyway (layers/blocks.h). Selective drops what
        // attention gave (H) and a number for each head and position.
        const int64_t plain = kept({}), dropped = H + 18 * c.heads * 4;
        EXPECT_EQ(plain - kept({Kind::kSelective, 1}), 5 * dropped) << family;
    }
}

// With dropout attention takes the path that keeps the scores: [2, heads, 9, 9] three times a layer.
TEST(CheckpointedBytes, SelectiveDropsScores) {
    const model::ModelConfig c = configOf("gpt2", 0.5);
    const auto model = make(c);
    model->setTraining(true);
    const PackedRows rows = packedRows(c, false);
    auto kept = [&](const Checkpointing& checkpointing) { return bytesKept(*model, rows, checkpointing); };
    const int64_t scores = 2 * 2 * 9 * 9 * 4;
    EXPECT_GE(kept({}) - kept({Kind::kSelective, 1}), 5 * (3 * scores + 4 * 1152));
}

}  // namespace
}  // namespace assay::nn
