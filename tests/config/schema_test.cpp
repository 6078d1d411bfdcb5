// The schema says the same as the reader: an entry for every key that a full spec writes, and the defaults of spec.h.
#include <assay/config/schema.h>
#include <assay/config/spec_text.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>

namespace assay::config {
namespace {

void walk(const Json& json, const std::string& prefix, const std::function<void(const std::string&, const Json&)>& each) {
    for (const auto& [key, value] : json.items()) {
        const std::string path = prefix.empty() ? key : prefix + "." + key;
        each(path, value);
        const KeyInfo* info = keyInfo(path);
        if (value.is_object() && !(info && info->type == KeyType::kMap)) walk(value, path, each);
    }
}

Spec fullSpec() {
    Spec s;
    s.name = "full";
    s.stages = {Kind::kPrepare};
    DataSpec& d = s.data.emplace();
    d.train = {{.path = "/a", .format = "auto", .columns = {}, .split = {}, .weight = 1}};
    d.eval = DataSource{.path = "/a", .format = "auto", .columns = {}, .split = {SplitRule::Kind::kLast, 5}, .weight = 1};
    d.tokenizer = {TokenizerSpec::Kind::kTrainBpe, "", 4096};
    s.model = ModelSpec{"", ModelDescription{}};
    s.model->description->family = "gpt2";
    TrainSpec& t = s.train.emplace();
    t.steps = 5;
    t.earlyStop = EarlyStop{"train/loss", 3};

    s.quantize.emplace().schemes = {{"int8", Json::object()}};
    s.benchmark.emplace();
    s.accuracy.emplace().perplexity.emplace();
    s.generate.emplace().prompt = "x";
    return s;
}

TEST(Schema, everyKeyOfAFullSpecHasAnEntry) {
    Spec spec = fullSpec();
    std::vector<Spec> variants{spec};
    Spec other = spec;
    other.seeds = {1, 2};
    other.train->steps.reset();
    other.train->epochs = 1;
    other.train->precision.kind = PrecisionSpec::Kind::kAmpFp16;
    other.train->activationCheckpointing = {CheckpointingSpec::Kind::kEvery, 2};
    other.train->ema = EmaSpec{};
    other.data->eval->lossOn = LossOn::kCompletion;
    other.train->launcher = Json{{"ssh", {"a"}}};
    other.quantize->keepAuto = 0.1;
    other.quantize->calibration = other.quantize->out = "/x";
    other.benchmark->serve = Json{{"requests", 1}, {"arrivals", {{"poisson", 4}}}, {"lengths", {{"prompt", 5}}}, {"slo", {{"ttft_ms", 1}}}, {"batching", "static"}, {"page", 16}};
    other.accuracy->perplexity->path = other.accuracy->base = "/x";
    other.accuracy->tasks = {"/t"};
    other.accuracy->classification = Json{{"path", "/x"}, {"label", "label"}};
    other.cost = {"auto", 1.0, 1.0};
    other.inputs = {"a", "b", "c"};
    other.sweep = Json{{"grid", {{"train.steps", {1, 2}}}}};
    variants.push_back(other);
    other.sweep = Json{{"variants", {{"a", Json::object()}}}};
    other.model = ModelSpec{"", ModelDescription{.family = "mixtral", .experts = 4, .expertsPerToken = 1}};
    other.train->onNonFinite = NonFinite::kSkip;
    other.train->skipLimit = 3;
    other.train->sample = SampleSpec{7, {"Once"}, 9};
    other.verify = VerifySpec{"run:x", 2};
    for (const char* method : {"lora", "qlora"}) {
        other.method = Json{{method, {{"rank", 8}, {"alpha", 16}, {"targets", {"q"}}, {"dropout", 0}}}};
        variants.push_back(other);
    }
    other.train->precision = {.kind = PrecisionSpec::Kind::kBf16, .stochastic = true};
    other.train->onNonFinite = NonFinite::kRollback;
    other.train->rollbackFactor = 0.3;
    other.method = Json{{"distill", {{"teacher", "/t"}, {"temperature", 2}, {"alpha", 0.5}}}};
    variants.push_back(other);
    other.method = Json{{"prune", {{"kind", "wanda"}, {"sparsity", 0.5}}}};
    variants.push_back(other);
    std::set<std::string> seen;
    for (const Spec& variant : variants)
        walk(specToJson(variant), "", [&](const std::string& path, const Json&) {
            EXPECT_TRUE(keyInfo(path)) << path << " has no entry in the schema";
            seen.insert(path);
        });
    for (const KeyInfo& info : schema())
        EXPECT_TRUE(info.key == "extends" || seen.contains(std::string(info.key))) << info.key << " is no key of a spec";
}

TEST(Schema, defaultsAreThoseOfTheSpec) {
    Json defaults = specToJson(fullSpec());
    // Methods and the load test get theirs from the reader.
    for (const char* method : {"lora", "qlora"}) {
        auto spec = specFromJson(Json{{"kind", "claim"}, {"method", {{method, Json::object()}}}});
        ASSERT_TRUE(spec);
        defaults["method_" + std::string(method)] = spec->method[method];
    }
    auto at = [&](const std::string& path) -> const Json* {
        const Json* json = &defaults;
        for (size_t begin = 0; json;) {
            const size_t dot = path.find('.', begin);
            const std::string part = path.substr(begin, dot == std::string::npos ? path.size() - begin : dot - begin);
            auto found = json->is_object() ? json->find(part) : json->end();
            if (!json->is_object() || found == json->end()) return nullptr;
            json = &*found;
            if (dot == std::string::npos) return json;
            begin = dot + 1;
        }
        return nullptr;
    };
    size_t compared = 0;
    for (const KeyInfo& info : schema()) {
        std::string path(info.key);
        for (const char* method : {"lora", "qlora"})
            if (path.starts_with("method." + std::string(method) + ".")) path = "method_" + path.substr(7);
        if (info.fallback.empty() || path == "train.early_stop.metric") continue;
        const Json* value = at(path);
        if (!value) {
            // Only in a variant: the reader fills it in.
            EXPECT_TRUE(path.starts_with("method.") || path.starts_with("train.precision.scaler") || path == "train.ema.decay" || path.starts_with("train.sample.") || path == "verify.steps" || path.starts_with("benchmark.serve") || path.starts_with("accuracy.classification") || path.starts_with("model.from.expert") || path == "model.from.router_aux_loss") << path;
            continue;
        }
        SpecText text("x: " + std::string(info.fallback) + "\n");
        ASSERT_TRUE(text.editable()) << info.key;
        EXPECT_EQ(text.find("x")->value, *value) << info.key;
        ++compared;
    }
    EXPECT_GT(compared, 60u);
}

// What the table calls a choice, the reader takes; what it does not, the reader refuses.
TEST(Schema, choicesAndStartersAreAccepted) {
    const std::string base = "kind: pipeline\ndata: {train: {path: /a}, eval: {path: /a, split: last 5%}, tokenizer: bytes}\nmodel: {from: {family: gpt2}}\ntrain: {steps: 500, eval_every: 5}\n"
                             "quantize: {schemes: [int8]}\nbenchmark: {serve: {requests: 5}}\naccuracy: {classification: {path: /x}}\ngenerate: {prompt: x}\n";
    ASSERT_TRUE(loadSpecText(base, "x", "/").problems.empty());
    for (const KeyInfo& info : schema()) {
        const std::string path(info.key);
        if (path == "kind" || path.starts_with("method.") || path == "data.tokenizer.train" || path == "train.precision.amp" || path == "train.precision.bf16") continue;
        for (std::string choice : info.choiceList()) {
            SpecText text(base);
            if (choice.find("\"\"") != std::string::npos) choice.replace(choice.find("\"\""), 2, "/teacher");
            if (info.type == KeyType::kTexts) choice = "[" + choice + "]";
            ASSERT_TRUE(text.setYaml(path, choice)) << path << " " << choice;
            const Loaded loaded = loadSpecText(text.text(), "x", "/");
            EXPECT_TRUE(loaded.problems.empty()) << path << " = " << choice << ": " << (loaded.problems.empty() ? "" : loaded.problems[0].message);
        }
        if (info.type == KeyType::kChoice && path != "data.tokenizer") {
            SpecText text(base);
            ASSERT_TRUE(text.setYaml(path, "no-such-word"));
            EXPECT_FALSE(loadSpecText(text.text(), "x", "/").problems.empty()) << path;
        }
        if (!info.starter.empty() && info.starter.find("\"\"") == std::string_view::npos && path != "sweep") {
            SpecText text(base);
            ASSERT_TRUE(text.remove(path));
            ASSERT_TRUE(text.setYaml(path, info.starter)) << path;
            EXPECT_TRUE(loadSpecText(text.text(), "x", "/").problems.empty()) << path;
        }
    }
}

TEST(Schema, wordsForPeople) {
    for (const KeyInfo& info : schema()) {
        EXPECT_FALSE(info.label.empty()) << info.key;
        EXPECT_TRUE(info.help.ends_with('.')) << info.key;
        EXPECT_FALSE(info.type == KeyType::kChoice && info.choices.empty()) << info.key;
    }
    EXPECT_EQ(keyHint("train.optimizer.lr"), "usually 1e-5 – 4e-3; default 1e-3");
    EXPECT_EQ(keyInfo("data.train.0.path"), keyInfo("data.train.path"));
    EXPECT_LT(keyRank("train.steps"), keyRank("train.optimizer"));
    EXPECT_LT(keyRank("train.optimizer"), keyRank("quantize"));
    EXPECT_EQ(keyInfo("nonsense"), nullptr);
}

TEST(Schema, compactSpecMeansTheSame) {
    const Json resolved = specToJson(fullSpec());
    const Json compact = compactSpec(resolved);
    EXPECT_LT(dumpJson(compact).size() * 2, dumpJson(resolved).size());
    auto a = specFromJson(resolved), b = specFromJson(compact);
    ASSERT_TRUE(a) << a.error().text();
    ASSERT_TRUE(b);
    EXPECT_TRUE(*a == *b);
    EXPECT_FALSE(compact.contains("threads"));
    EXPECT_EQ(compact["train"], Json({{"steps", 5}, {"early_stop", {{"metric", "train/loss"}}}}));
}

}  // namespace
}  // namespace assay::config
