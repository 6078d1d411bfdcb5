#include <cmath>
#include <filesystem>

#include "model_helpers.h"

namespace assay::model {
namespace {

using ::testing::HasSubstr;

struct Quantized {
    ModelConfig config;
    Weights weights;
    std::vector<SafetensorsEntry> entries;
    QuantizationRecord record;
    std::string packed, scale;

    Quantized() {
        config = *describe("llama", 1, 16, 2, 2, 24, 8, 20, true, 0.0);
        weights = weightsOf(config);
        packed.assign(4096, '\x11');
        scale.assign(4096, '\0');
        record.scheme = "int4-g32";
        record.base = "asset:x/y.gguf";
        record.basePrecision = "dequantized Q4_1";
        record.bitsPerWeight = 5.5;
        const auto parameters = parametersOf(config);
        for (size_t i = 0; i < parameters.size(); ++i) {
            const ParameterInfo& p = parameters[i];
            if (!p.linearWeight) {
                entries.push_back(weights.entries[i]);
                continue;
            }
            const auto bytes = static_cast<size_t>(p.shape[0] * p.shape[1] / 2);
            entries.push_back({p.name + ".packed", DType::kU8, {p.shape[0], p.shape[1] / 2}, std::string_view(packed).substr(0, bytes)});
            entries.push_back({p.name + ".scale", DType::kF16, {p.shape[0], 1}, std::string_view(scale).substr(0, static_cast<size_t>(p.shape[0]) * 2)});
            record.layers.push_back({p.name, "int4-g32", p.shape, 0.0625});
        }
    }
    std::string error() const {
        TempFolder folder;
        put(folder.file("config.json"), dumpJson(configToHuggingFace(config)));
        put(folder.file("assay_quantization.json"), dumpJson(recordToJson(record)));
        auto written = writeSafetensors(folder.file("model.safetensors"), entries, {});
        EXPECT_TRUE(written) << errorOf(written);
        auto model = openModel(folder.path());
        if (model) {
            EXPECT_EQ((*model)->tensors().size(), entries.size());
            EXPECT_EQ((*model)->metadata()["quantization"]["scheme"], record.scheme);
            for (const SafetensorsEntry& e : entries) {
                const TensorView* t = (*model)->find(e.name);
                EXPECT_TRUE(t && t->bytes == e.bytes && t->type == e.type && t->shape == e.shape) << e.name;
            }
        }
        return errorOf(model);
    }
};

TEST(QuantizedFolder, OpensByItsRecord) { EXPECT_EQ(Quantized().error(), ""); }

TEST(QuantizedFolder, IncompleteOnesAreNamed) {
    Quantized q;
    std::erase_if(q.entries, [](const auto& e) { return e.name == "model.layers.0.mlp.up_proj.weight.scale"; });
    EXPECT_THAT(q.error(), HasSubstr("missing: model.layers.0.mlp.up_proj.weight"));
    Quantized unlisted;
    unlisted.record.layers.pop_back();
    EXPECT_THAT(unlisted.error(), HasSubstr("unexpected: model.layers.0.mlp.down_proj.weight."));
    Quantized both;
    both.entries.push_back(both.weights.entries[1]);
    EXPECT_THAT(both.error(), HasSubstr("both plain and packed"));
    Quantized foreign;
    foreign.record.layers[0].name = "model.layers.9.self_attn.q_proj.weight";
    EXPECT_THAT(foreign.error(), HasSubstr("names model.layers.9.self_attn.q_proj.weight, which the model has not"));
    Quantized shape;
    shape.record.layers[0].shape = {16, 32};
    EXPECT_THAT(shape.error(), HasSubstr("gives model.layers.0.self_attn.q_proj.weight the shape [16, 32]"));
}

TEST(QuantizedFolder, SchemeThatKeepsTheTensorIsFine) {  // fp16: the same name, fewer bytes
    Quantized q;
    const std::string name = q.record.layers[0].name;
    std::erase_if(q.entries, [&](const auto& e) { return e.name.starts_with(name + "."); });
    q.record.layers[0].scheme = "fp16";
    q.entries.push_back({name, DType::kF16, {16, 16}, std::string_view(q.scale).substr(0, 512)});
    EXPECT_EQ(q.error(), "");
}

TEST(QuantizationRecord, JsonRoundTrip) {
    const QuantizationRecord record = Quantized().record;
    auto back = recordFromJson(*parseJson(dumpJson(recordToJson(record)), "record"));
    ASSERT_TRUE(back) << errorOf(back);
    EXPECT_EQ(recordToJson(*back), recordToJson(record));
    EXPECT_EQ(back->layers.size(), 7u);
    EXPECT_EQ(back->layers[6].shape, (std::vector<int64_t>{16, 24}));
    EXPECT_EQ(back->layers[6].relativeError, 0.0625);
    EXPECT_EQ(back->bitsPerWeight, 5.5);
    QuantizationRecord odd = record;
    odd.layers[0].relativeError = NAN;
    EXPECT_TRUE(std::isnan(recordFromJson(recordToJson(odd))->layers[0].relativeError));
}

TEST(QuantizationRecord, WrongRecordsAreNamed) {
    const Json good = recordToJson(Quantized().record);
    auto with = [&](auto change) {
        Json j = good;
        change(j);
        return errorOf(recordFromJson(j));
    };
    EXPECT_THAT(with([](Json& j) { j = 3; }), HasSubstr("must be an object"));
    EXPECT_THAT(with([](Json& j) { j.erase("version"); }), HasSubstr("\"version\""));
    EXPECT_THAT(with([](Json& j) { j["version"] = 2; }), HasSubstr("version 2"));
    EXPECT_THAT(with([](Json& j) { j.erase("scheme"); }), HasSubstr("\"scheme\""));
    EXPECT_THAT(with([](Json& j) { j["layers"] = 1; }), HasSubstr("\"layers\""));
    EXPECT_THAT(with([](Json& j) { j["layers"][1] = 1; }), HasSubstr("layers[1]"));
    EXPECT_THAT(with([](Json& j) { j["layers"][1].erase("name"); }), HasSubstr("layers[1]"));
    EXPECT_THAT(with([](Json& j) { j["layers"][1]["shape"] = Json::array({-1}); }), HasSubstr("\"shape\""));
    EXPECT_THAT(with([](Json& j) { j["layers"].push_back(j["layers"][0]); }), HasSubstr("listed twice"));
    TempFolder folder;
    auto none = readQuantizationRecord(folder.path());
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace assay::model
