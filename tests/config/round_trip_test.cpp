// Property: spec → JSON → spec and spec → YAML → spec are exact, for random valid specs and hostile texts.
#include <assay/config/config.h>
#include <gtest/gtest.h>

#include <random>

namespace assay::config {
namespace {

class Maker {
public:
    explicit Maker(uint64_t seed) : random_(seed) {}

    Spec make() {
        Spec s;
        s.name = text(1);
        s.seed = random_();
        if (flip()) {
            s.seeds = {random_(), random_(), 7};
            s.seed = s.seeds[0];
        }
        s.threads = integer(0, 64);
        s.device = pick<std::string>({"auto", "cpu", "cuda"});
        for (int i = 0; i < integer(0, 3); ++i) s.tags.push_back(text());
        s.data = data();
        if (flip()) s.model = ModelSpec{"/models/" + text(1), {}};
        else s.model = ModelSpec{"", ModelDescription{pick<std::string>({"gpt2", "llama"}), integer(0, 9), 64 * integer(1, 9), pick<int64_t>({0, 4, 8}),
                                                       pick<int64_t>({0, 1, 2, 4}), integer(0, 999), 1 << 20, 0, flip(), unit()}};
        s.method = pick<Json>({"full", Json{{"lora", {{"rank", integer(1, 64)}, {"alpha", positive()}, {"targets", {text(1), text(1)}}, {"dropout", unit()}}}},
                               Json{{"distill", {{"teacher", "/t/" + text(1)}, {"temperature", positive()}, {"alpha", unit()}}}},
                               Json{{"prune", {{"kind", "wanda"}, {"sparsity", unit()}}}}});
        s.train = train();
        if (flip()) {
            s.quantize.emplace();
            s.quantize->schemes = {{"int8", Json::object()}, {"w8a8-smooth", Json{{"alpha", unit()}, {"note", text()}, {"deep", {1, text(), nullptr, true}}}}};
            if (flip()) s.quantize->keepAuto = 0.5 * unit() + 1e-9;
            else s.quantize->keep = {"lm_head", "layers\\.[0-9]+\\.mlp", "a: b #c"};
            if (flip()) s.quantize->calibration = "/c/" + text(1);
            s.quantize->kvCache = {"int8"};
        }
        if (flip()) {
            BenchmarkSpec& b = s.benchmark.emplace();
            b.prefill = {integer(1, 999), integer(1, 999)};
            b.decode = integer(0, 99);
            b.depth = {integer(0, 99)};
            if (flip()) b.schemes = {{"fp16", Json::object()}};
        }
        if (flip()) {
            AccuracySpec& a = s.accuracy.emplace();
            if (flip()) a.perplexity = PerplexitySpec{flip() ? "/p/" + text(1) : "", 2 * integer(1, 512), flip() ? PerplexityMode::kHalf : PerplexityMode::kFull, integer(0, 9999)};
            a.klDivergence = flip();
            a.native = flip();
            if (flip()) a.tasks = Json{"/tasks/" + text(1)};
            if (flip()) a.classification = Json{{"path", "/x"}, {"label", text()}};
        }
        if (flip()) s.generate = GenerateSpec{text(), flip(), flip(), flip(), integer(0, 99), positive(), integer(0, 9)};
        s.cost.hardware = text();
        if (flip()) s.cost.usdPerHour = positive();
        if (flip()) s.cost.usdPerKwh = 0;
        if (flip()) s.inputs = {"run:" + text(1), "run:@3", ""};
        if (flip()) s.sweep = Json{{"grid", {{"train.clip_norm", {positive(), positive()}}, {"name", {text(1), "010", "yes"}}}}};
        if (s.sweep.is_null() && flip()) s.sweep = Json{{"variants", {{"plain", Json::object()}, {"yes", {{"train.clip_norm", positive()}, {"train.ema", nullptr}}}}}};
        return s;
    }

private:
    bool flip() { return random_() & 1; }
    int64_t integer(int64_t low, int64_t high) { return low + static_cast<int64_t>(random_() % static_cast<uint64_t>(high - low + 1)); }
    double unit() { return static_cast<double>(random_() >> 11) * 0x1p-53; }
    double positive() { return std::ldexp(unit() + 0x1p-53, static_cast<int>(integer(-30, 30))); }
    template <class T>
    T pick(std::initializer_list<T> list) { return *(list.begin() + integer(0, static_cast<int64_t>(list.size()) - 1)); }
    std::string text(int least = 0) {
        static const std::vector<std::string> kParts{"yes", "No", "on", "010", "1e3", "-1", "0x1F", ".5", ".inf", "~", "null", "true", "a b", "a: b", "a:", " lead", "trail ", "#c",
                                                     "a #c", "- x", "[", "]", "{", "}", "&a", "*a", "!t", "|", ">", "%", "@", "`", "'", "\"", "\\", "\n", "\t", "é", "漢字", "\u2028",
                                                     "\u0085", "\u007f", "\uFEFF", "?", ", ", "---", "...", "<<", "=", "/", "1f1b", "x"};
        std::string out;
        for (int64_t n = integer(least, 4); n > 0; --n) out += kParts[static_cast<size_t>(integer(0, static_cast<int64_t>(kParts.size()) - 1))];
        if (least > 0)  // names and paths refuse control characters
            std::erase_if(out, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
        return least > 0 && out.empty() ? "x" : out;
    }
    DataSpec data() {
        DataSpec d;
        for (int64_t n = integer(1, 3); n > 0; --n) {
            d.train.push_back({"/data/" + text(1), "jsonl", {{"text", text()}}, {}, positive()});
        }
        d.eval = DataSource{"asset:" + text(1), "auto", {}, SplitRule{SplitRule::Kind::kHash, 99 * unit() + 0.5}, 1};
        d.document = Document::kParagraph;
        d.deduplicate = Deduplicate::kNear;
        d.tokenizer = pick<TokenizerSpec>({{TokenizerSpec::Kind::kBytes, "", 0}, {TokenizerSpec::Kind::kTrainBpe, "", integer(257, 9999)},
                                           {TokenizerSpec::Kind::kPath, "/t/" + text(1), 0}});
        d.chatTemplate = text();
        d.lossOn = LossOn::kCompletion;
        d.sequenceLength = integer(2, 4096);
        d.overLength = OverLength::kDrop;
        d.packing = Packing::kBestFit;
        d.workers = integer(0, 8);
        d.pinMemory = pick({Tristate::kAuto, Tristate::kYes, Tristate::kNo});
        return d;
    }
    TrainSpec train() {
        TrainSpec t;
        if (flip()) t.steps = integer(100, 1 << 30);
        else t.epochs = positive() / 4096;
        t.microBatch = integer(1, 8);
        t.parallel.data = integer(1, 4);
        t.globalBatch = t.microBatch * t.parallel.data * integer(1, 5);
        t.optimizer = {"lion", positive(), unit(), unit(), positive(), positive()};
        t.schedule = {"wsd", integer(0, 100), t.optimizer.lr * unit()};
        t.clipNorm = positive();
        t.precision.kind = pick({PrecisionSpec::Kind::kFp32, PrecisionSpec::Kind::kAmpBf16, PrecisionSpec::Kind::kAmpFp16, PrecisionSpec::Kind::kBf16});
        if (t.precision.kind == PrecisionSpec::Kind::kAmpFp16) t.precision.scalerInit = positive();
        if (flip()) t.activationCheckpointing = {CheckpointingSpec::Kind::kEvery, integer(1, 9)};
        t.onNonFinite = pick({NonFinite::kStop, NonFinite::kSkip, NonFinite::kRollback});
        if (t.onNonFinite == NonFinite::kSkip) t.skipLimit = integer(1, 20);
        if (t.onNonFinite == NonFinite::kRollback) t.rollbackFactor = positive() < 1 ? 0.25 : 0.5;
        if (flip()) t.sample = SampleSpec{integer(1, 100), {"run:like a reference", "b"}, integer(1, 99)};
        t.evalEvery = integer(1, 100);
        if (flip()) t.earlyStop = EarlyStop{"eval/loss", integer(1, 9)};
        t.checkpoint = {integer(0, 9), integer(1, 9), flip()};
        if (flip()) t.launcher = Json{{"ssh", {"node-1", "yes", "10"}}};
        return t;
    }
    std::mt19937_64 random_;
};

TEST(RoundTrip, randomSpecs) {
    for (uint64_t seed = 1; seed <= 600; ++seed) {
        const Spec spec = Maker(seed).make();
        const Json json = specToJson(spec);
        auto back = specFromJson(json);
        ASSERT_TRUE(back) << seed << " " << back.error().text() << "\n" << dumpJson(json, 1);
        ASSERT_TRUE(*back == spec) << seed << "\n" << dumpJson(json, 1) << dumpJson(specToJson(*back), 1);
        // Through the JSON text, as it travels to the worker.
        auto parsed = parseJson(dumpJson(json), "spec");
        ASSERT_TRUE(parsed);
        auto second = specFromJson(*parsed);
        ASSERT_TRUE(second && *second == spec) << seed;
        // Through YAML: pipelines get their stages filled in, all else is equal.
        const std::string yaml = jsonToYaml(json);
        const Loaded loaded = loadSpecText(yaml, "x", "/");
        ASSERT_TRUE(loaded.problems.empty()) << seed << " " << loaded.problems[0].key << " " << loaded.problems[0].message << "\n" << yaml;
        Spec filled = spec;
        filled.stages = stagesOf(spec);
        ASSERT_TRUE(loaded.spec == filled) << seed << "\n" << yaml << dumpJson(loaded.resolved, 1);
        ASSERT_EQ(jsonToYaml(loaded.resolved), jsonToYaml(specToJson(filled))) << "stable";
    }
}

TEST(RoundTrip, doublesAreExact) {
    Spec s = Maker(3).make();
    s.train->optimizer.lr = 0.1 + 0.2;  // 0.30000000000000004
    s.train->schedule.minLr = 5e-324;
    const Loaded loaded = loadSpecText(jsonToYaml(specToJson(s)), "x", "/");
    ASSERT_TRUE(loaded.problems.empty());
    EXPECT_EQ(loaded.spec.train->optimizer.lr, 0.30000000000000004);
    EXPECT_EQ(loaded.spec.train->schedule.minLr, 5e-324);
}

TEST(RoundTrip, wordsThatOtherReadersMistakeAreQuoted) {
    const std::string yaml = jsonToYaml(Json{{"a", "yes"}, {"b", "010"}, {"c", "1.0"}, {"d", "null"}, {"e", ""}, {"f", "12:30"}, {"g", "plain text"}, {"on", 1}});
    EXPECT_EQ(yaml, "a: \"yes\"\nb: \"010\"\nc: \"1.0\"\nd: \"null\"\ne: \"\"\nf: \"12:30\"\ng: plain text\n\"on\": 1\n");
}

TEST(RoundTrip, wrongJsonIsAnError) {
    for (const char* text : {"[]", "5", "null", "{}", "{\"kind\": 5}", "{\"kind\": \"train\"}", "{\"seed\": -1}", "{\"train\": {\"steps\": \"5\"}}", "{\"bogus\": 1}",
                             "{\"kind\": \"benchmark\", \"benchmark\": {\"decode\": 1e400}}"}) {
        auto json = parseJson(text, "t");
        if (json) { EXPECT_FALSE(specFromJson(*json)) << text; }
    }
}

}  // namespace
}  // namespace assay::config
