#include <cmath>

#include "gguf_builder.h"

namespace assay::model {
namespace {

constexpr uint32_t kF32 = 0, kQ4_0 = 2, kF16 = 1;

std::string parseError(const std::string& bytes) { return errorOf(GgufFile::parse(bytes, "a.gguf")); }

class GoldenType : public ::testing::TestWithParam<const char*> {};
TEST_P(GoldenType, DequantizesToTheBitAsTheReference) {
    auto file = GgufFile::open(golden(std::string("gguf/") + GetParam() + ".gguf"));
    ASSERT_TRUE(file) << errorOf(file);
    const GgufTensor* data = (*file)->find("data");
    const GgufTensor* expected = (*file)->find("expected");
    ASSERT_TRUE(data && expected);
    EXPECT_EQ(dtypeName(data->type), GetParam());
    EXPECT_EQ(data->shape, (std::vector<int64_t>{4, 512}));
    std::vector<float> got(2048, -1);
    ASSERT_TRUE(toF32(data->type, data->bytes.data(), 2048, got.data()));
    ASSERT_EQ(expected->bytes.size(), 2048u * 4);
    std::vector<float> want(2048);
    std::memcpy(want.data(), expected->bytes.data(), expected->bytes.size());
    int different = 0;
    for (size_t i = 0; i < want.size(); ++i) different += got[i] != want[i];  // −0 equals 0: ggml leaves the sign open
    EXPECT_EQ(different, 0);
}
INSTANTIATE_TEST_SUITE_P(Gguf, GoldenType, ::testing::Values("F16", "BF16", "Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "Q4_K", "Q5_K", "Q6_K"),
                         [](const auto& i) { return std::string(i.param); });

TEST(Gguf, HalfPrecisionIsExactForEveryPattern) {
    for (uint32_t h = 0; h < 65536; ++h) {
        const auto bits = static_cast<uint16_t>(h);
        float got;
        ASSERT_TRUE(toF32(DType::kF16, reinterpret_cast<const char*>(&bits), 1, &got));
        const int exponent = (h >> 10) & 31, mantissa = h & 1023;
        double want = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
        if (exponent == 31) want = mantissa ? NAN : INFINITY;
        if (h & 0x8000) want = -want;
        if (std::isnan(want))
            EXPECT_TRUE(std::isnan(got)) << h;
        else
            EXPECT_TRUE(got == want && std::signbit(got) == std::signbit(want)) << h << ": " << got << " instead of " << want;
    }
}

TEST(Gguf, ReadsEveryKindOfMetadata) {
    auto file = GgufFile::open(golden("gguf/metadata.gguf"));
    ASSERT_TRUE(file) << errorOf(file);
    auto expected = readJsonFile(golden("gguf/metadata.json"));
    ASSERT_TRUE(expected);
    for (const auto& [key, value] : expected->items()) EXPECT_EQ((*file)->metadata()[key], value) << key;
    EXPECT_EQ((*file)->metadata()["k.long"], (Json{{"array", "i32"}, {"count", 3000}}));
    const GgufTensor* one = (*file)->find("one");
    ASSERT_TRUE(one);
    EXPECT_EQ(one->shape, (std::vector<int64_t>{1, 3}));
    float v[3];
    std::memcpy(v, one->bytes.data(), 12);
    EXPECT_EQ(v[2], 3.0f);
    std::memcpy(v, (*file)->find("two")->bytes.data(), 4);
    EXPECT_EQ(v[0], 4.0f);
}

TEST(Gguf, VersionTwoIsTheSameLayout) {
    GgufBuilder b;
    b.version = 2;
    b.data = std::string(16, 'x');
    EXPECT_EQ(parseError(b.tensor("a", {4}, kF32, 0).bytes()), "");
}

TEST(Gguf, HostileFilesAreRefused) {
    struct Case {
        const char* what;
        std::string bytes;
        const char* expected;
    };
    auto with = [](auto change) {
        GgufBuilder b;
        change(b);
        return b.bytes();
    };
    auto array = [](uint32_t kind, uint64_t count, std::string_view rest) {
        std::string out;
        append(out, kind);
        append(out, count);
        return out.append(rest);
    };
    std::string nested;
    for (int i = 0; i < 50; ++i) nested += array(9, 1, "");
    const std::vector<Case> table{
        {"empty", "", "letters GGUF"},
        {"other magic", "GGJT1234", "letters GGUF"},
        {"no version", "GGUF", "ends inside the version"},
        {"version 1", with([](auto& b) { b.version = 1; }), "version 1"},
        {"version 4", with([](auto& b) { b.version = 4; }), "version 4"},
        {"big-endian", with([](auto& b) { b.version = 3u << 24; }), "big-endian"},
        {"2^64-1 tensors", with([](auto& b) { b.tensorCount = ~uint64_t{0}; }), "more than the limit"},
        {"2^64-1 keys", with([](auto& b) { b.keyCount = ~uint64_t{0}; }), "more than the limit"},
        {"100,000 tensors in no bytes", with([](auto& b) { b.tensorCount = 100000; }), "ends inside the list of tensors"},
        {"keys missing", with([](auto& b) { b.keyCount = 60000; }), "ends inside"},
        {"string of 2^64-1", with([](auto& b) { b.keyCount = 1; append(b.keys, ~uint64_t{0}); }), "more than the limit"},
        {"string beyond the end", with([](auto& b) { b.keyCount = 1; append(b.keys, uint64_t{60000}); }), "ends inside"},
        {"duplicate key", with([](auto& b) { b.u32("k", 1).u32("k", 2); }), "k is given twice"},
        {"unknown kind", with([](auto& b) { b.u32("a", 1).key("k", 13, 1u); }), "unknown kind 13"},
        {"truth value 2", with([](auto& b) { b.key("k", 7, uint8_t{2}); }), "no truth value"},
        {"array of 2^61 numbers", with([&](auto& b) { b.raw("k", 9, array(4, uint64_t{1} << 61, "")); }), "do not fit the rest"},
        {"array of 2^60 strings", with([&](auto& b) { b.raw("k", 9, array(8, uint64_t{1} << 60, "")); }), "do not fit the rest"},
        {"array of an unknown kind", with([&](auto& b) { b.raw("k", 9, array(99, 1, "1234")); }), "unknown kind 99"},
        {"arrays 50 deep", with([&](auto& b) { b.raw("k", 9, nested); }), "nested deeper"},
        {"long array with a broken string", with([&](auto& b) { b.raw("k", 9, array(8, 2000, std::string(16000, '\xff'))); }), "more than the limit"},
        {"name of 65 bytes", with([](auto& b) { b.tensor(std::string(65, 'n'), {4}, kF32, 0); }), "65 bytes, more than the limit"},
        {"no name", with([](auto& b) { b.tensor("", {4}, kF32, 0); }), "no name"},
        {"no dimensions", with([](auto& b) { b.tensor("a", {}, kF32, 0); }), "0 dimensions"},
        {"five dimensions", with([](auto& b) { b.tensor("a", {1, 1, 1, 1, 1}, kF32, 0); }), "5 dimensions"},
        {"dimension 0", with([](auto& b) { b.tensor("a", {0}, kF32, 0); }), "dimension of 0"},
        {"dimension 2^63", with([](auto& b) { b.tensor("a", {uint64_t{1} << 63}, kF32, 0); }), "dimension of"},
        {"product wraps", with([](auto& b) { b.tensor("a", {uint64_t{1} << 32, uint64_t{1} << 32}, kF32, 0); }), "overflows"},
        {"bytes wrap", with([](auto& b) { b.tensor("a", {uint64_t{1} << 62}, kF32, 0); }), "overflows"},
        {"exabyte in a small file", with([](auto& b) { b.tensor("a", {uint64_t{1} << 60}, kQ4_0, 0); }), "truncated"},
        {"unknown type", with([](auto& b) { b.tensor("a", {4}, 77, 0); }), "unknown type 77"},
        {"type we do not read", with([](auto& b) { b.tensor("a", {256}, 10, 0); }), "Q2_K, which is not supported"},
        {"part of a block", with([](auto& b) { b.data = std::string(64, 'x'); b.tensor("a", {48, 1}, kQ4_0, 0); }), "no whole blocks of 32"},
        {"twice the same name", with([](auto& b) { b.data = std::string(64, 'x'); b.tensor("a", {4}, kF32, 0).tensor("a", {4}, kF32, 32); }), "a is given twice"},
        {"unaligned offset", with([](auto& b) { b.data = std::string(64, 'x'); b.tensor("a", {4}, kF32, 4); }), "no multiple of 32"},
        {"alignment 3", with([](auto& b) { b.u32("general.alignment", 3); }), "power of two"},
        {"alignment 0", with([](auto& b) { b.u32("general.alignment", 0); }), "power of two"},
        {"alignment of another kind", with([](auto& b) { b.text("general.alignment", "32"); }), "power of two"},
        {"one byte short", with([](auto& b) { b.data = std::string(15, 'x'); b.tensor("a", {4}, kF32, 0); }), "truncated"},
        {"offset 2^64-32", with([](auto& b) { b.data = std::string(64, 'x'); b.tensor("a", {4}, kF32, ~uint64_t{0} - 31); }), "truncated"},
        {"overlap", with([](auto& b) { b.data = std::string(128, 'x'); b.tensor("a", {16}, kF32, 0).tensor("b", {4}, kF32, 32); }), "a and b overlap"},
    };
    for (const Case& c : table) EXPECT_THAT(parseError(c.bytes), ::testing::HasSubstr(c.expected)) << c.what;
}

TEST(Gguf, EveryTruncationIsAnErrorAndNeverARead) {
    const std::string whole = *readFile(golden("gguf/metadata.gguf"));
    ASSERT_EQ(parseError(whole), "");
    // The end of the file is padding; the last tensor's 4 bytes begin 64 before it.
    for (size_t size = 0; size + 61 < whole.size(); size += size < 1200 ? 1 : 13) {
        const std::string part(whole.data(), size);  // of its own, so that sanitizers see a read beyond it
        EXPECT_NE(parseError(part), "") << size;
    }
}

TEST(Gguf, RandomDamageIsNeverACrash) {
    const std::string whole = *readFile(golden("gguf/metadata.gguf"));
    std::mt19937 rng(3);
    int refused = 0;
    for (int round = 0; round < 3000; ++round) {
        std::string damaged = whole;
        for (int k = 0; k < 3; ++k) damaged[rng() % 1500] = static_cast<char>(rng());
        refused += !GgufFile::parse(damaged, "damaged.gguf");
    }
    EXPECT_GT(refused, 1000);
}

// --- GGUF as a model ---

TEST(GgufModel, NamesDimsAndRowOrderAreUndone) {
    auto model = openModel(golden("gguf/llama_f32.gguf")), original = openModel(golden("tiny/llama"));
    ASSERT_TRUE(model) << errorOf(model);
    ASSERT_TRUE(original) << errorOf(original);
    EXPECT_EQ((*model)->tensors().size(), (*original)->tensors().size());
    EXPECT_EQ((*model)->config().sourcePrecision, "");
    EXPECT_EQ(configToHuggingFace((*model)->config()), configToHuggingFace((*original)->config()));
    for (const TensorView& want : (*original)->tensors()) {
        const TensorView* got = (*model)->find(want.name);
        ASSERT_TRUE(got) << want.name;
        ASSERT_EQ(got->shape, want.shape) << want.name;
        std::vector<float> values(want.bytes.size() / 4);
        ASSERT_TRUE((*model)->readF32(*got, values.data(), 2));
        EXPECT_EQ(std::memcmp(values.data(), want.bytes.data(), want.bytes.size()), 0) << want.name;
    }
}

TEST(GgufModel, TruncatedFileNamesTensorAndExpectation) {
    TempFolder folder;
    const std::string whole = *readFile(golden("gguf/llama_f32.gguf"));
    put(folder.file("t.gguf"), whole.substr(0, whole.size() / 2));
    const std::string message = errorOf(openModel(folder.file("t.gguf")));
    EXPECT_THAT(message, ::testing::HasSubstr("t.gguf"));
    EXPECT_THAT(message, ::testing::HasSubstr("tensor "));
    EXPECT_THAT(message, ::testing::HasSubstr("may be truncated"));
}

GgufBuilder smallLlama(uint32_t headDim = 4) {
    GgufBuilder b;
    b.text("general.architecture", "llama").u32("llama.block_count", 1).u32("llama.embedding_length", 8).u32("llama.feed_forward_length", 8);
    b.u32("llama.attention.head_count", 2).u32("llama.context_length", 32).f32("llama.attention.layer_norm_rms_epsilon", 1e-5f);
    b.u32("llama.attention.key_length", headDim).u32("llama.attention.value_length", headDim);
    uint64_t offset = 0;
    auto add = [&](const std::string& name, std::vector<uint64_t> dims) {
        uint64_t n = 4;
        for (uint64_t d : dims) n *= d;
        b.tensor(name, std::move(dims), kF32, offset);
        offset += n;
    };
    add("token_embd.weight", {8, 4});
    add("output_norm.weight", {8});
    for (const char* name : {"attn_q", "attn_k", "attn_v"}) add(std::string("blk.0.") + name + ".weight", {8, 2 * headDim});
    add("blk.0.attn_output.weight", {2 * headDim, 8});
    for (const char* name : {"ffn_gate", "ffn_up", "ffn_down"}) add(std::string("blk.0.") + name + ".weight", {8, 8});
    add("blk.0.attn_norm.weight", {8});
    add("blk.0.ffn_norm.weight", {8});
    b.data.assign(offset, '\0');
    return b;
}

std::string modelError(const GgufBuilder& b) {
    TempFolder folder;
    put(folder.file("m.gguf"), b.bytes());
    return errorOf(openModel(folder.file("m.gguf")));
}

TEST(GgufModel, OddMetadataIsNamed) {
    EXPECT_EQ(modelError(smallLlama()), "");
    using ::testing::HasSubstr;
    GgufBuilder none;
    EXPECT_THAT(modelError(none), HasSubstr("general.architecture"));
    EXPECT_THAT(modelError(GgufBuilder().text("general.architecture", "qwen9")), HasSubstr("\"qwen9\" is not supported"));
    EXPECT_THAT(modelError(GgufBuilder().text("general.architecture", "llama")), HasSubstr("llama.block_count is missing"));
    EXPECT_THAT(modelError(smallLlama().u32("llama.expert_count", 8)), HasSubstr("mixture of 8 experts"));
    EXPECT_THAT(modelError(smallLlama().u32("llama.rope.dimension_count", 2)), HasSubstr("dimension_count 2"));
    EXPECT_THAT(modelError(smallLlama().u32("llama.attention.head_count_kv", 3)), HasSubstr("key/value heads"));
    EXPECT_THAT(modelError(smallLlama().key("llama.vocab_size", 5, -1).u32("tokenizer.ggml.bos_token_id", 9)), HasSubstr("BOS id 9"));
    EXPECT_THAT(modelError(smallLlama().text("llama.rope.scaling.type", "longrope")), HasSubstr("longrope"));
    EXPECT_THAT(modelError(smallLlama().text("llama.rope.scaling.type", "linear").f32("llama.rope.scaling.factor", 0.5f)), HasSubstr("at least 1"));
    EXPECT_THAT(modelError(smallLlama().text("llama.rope.scaling.type", "linear").f32("llama.rope.scaling.factor", NAN)), HasSubstr("finite number"));
    GgufBuilder extra = smallLlama();
    extra.tensor("blk.1.attn_q.weight", {8, 8}, kF32, extra.data.size()).data += std::string(256, '\0');
    EXPECT_THAT(modelError(extra), HasSubstr("unexpected: model.layers.1.self_attn.q_proj.weight"));
    GgufBuilder layers = smallLlama();
    const size_t at = layers.keys.find("llama.block_count") + 17 + 4;
    layers.keys[at] = 2;
    EXPECT_THAT(modelError(layers), HasSubstr("missing: model.layers.1."));
    layers.keys[at + 3] = 1;  // 2^24 + 2 layers
    EXPECT_THAT(modelError(layers), HasSubstr("more than the 4096"));
}

// The rule of Llama 3.1 (its model card and modeling code): wavelengths over original/low are divided by the factor, those
// under original/high stay, between them the two are blended.
std::vector<float> llamaThreeDivisors(int headDim, double theta, double factor, double original) {
    std::vector<float> out;
    for (int i = 0; i < headDim / 2; ++i) {
        const double wavelength = 2 * M_PI * std::pow(theta, 2.0 * i / headDim);
        const double smooth = (original / wavelength - 1) / (4 - 1);
        out.push_back(static_cast<float>(wavelength > original ? factor : wavelength < original / 4 ? 1 : 1 / ((1 - smooth) / factor + smooth)));
    }
    return out;
}

TEST(GgufModel, LlamaThreeFrequenciesAreRecognised) {
    TempFolder folder;
    auto open = [&](const std::vector<float>& divisors) {
        GgufBuilder b = smallLlama(64);
        b.f32("llama.rope.freq_base", 500000.0f).tensor("rope_freqs.weight", {divisors.size()}, kF32, b.data.size());
        b.data.append(reinterpret_cast<const char*>(divisors.data()), divisors.size() * 4);
        put(folder.file("m.gguf"), b.bytes());
        return openModel(folder.file("m.gguf"));
    };
    auto stretched = open(llamaThreeDivisors(64, 500000, 32, 8192));
    ASSERT_TRUE(stretched) << errorOf(stretched);
    const RopeScaling& s = (*stretched)->config().ropeScaling;
    EXPECT_EQ(s.kind, "llama3");
    EXPECT_EQ(s.factor, 32);
    EXPECT_EQ(s.originalContext, 8192);
    EXPECT_EQ(s.lowFreqFactor, 1);
    EXPECT_EQ(s.highFreqFactor, 4);
    auto plain = open(std::vector<float>(32, 1.0f));
    ASSERT_TRUE(plain) << errorOf(plain);
    EXPECT_EQ((*plain)->config().ropeScaling.kind, "");
    EXPECT_THAT(errorOf(open(llamaThreeDivisors(64, 500000, 32, 4096))), ::testing::HasSubstr("no known rule"));
    EXPECT_THAT(errorOf(open(std::vector<float>(31, 1.0f))), ::testing::HasSubstr("32 elements"));
}

}  // namespace
}  // namespace assay::model
