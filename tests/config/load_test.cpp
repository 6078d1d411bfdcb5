// What a file means: defaults, shorthands, relative paths, overrides, extends.
#include <assay/config/config.h>
#include <assay/core/durable.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

namespace assay::config {
namespace {
namespace fs = std::filesystem;

struct Folder {
    Folder() : path((fs::temp_directory_path() / ("assay-config-" + std::to_string(getpid()) + "-" + std::to_string(next++))).string()) {
        fs::create_directories(path);
    }
    ~Folder() { fs::remove_all(path); }
    std::string write(const std::string& name, const std::string& text) const {
        fs::create_directories(fs::path(path + "/" + name).parent_path());
        EXPECT_TRUE(writeFileDurably(path + "/" + name, text));
        return path + "/" + name;
    }
    static inline int next = 0;
    std::string path;
};

std::string problems(const Loaded& loaded) {
    std::string out;
    for (const Problem& p : loaded.problems) out += std::to_string(p.line) + ":" + std::to_string(p.column) + " " + p.key + ": " + p.message + " | " + p.hint + "\n";
    return out;
}

// The example of CONTRACT.md with alternatives written out: every key there parses.
const char* kContract = R"(assay: 1
name: example-gpt
kind: pipeline
stages: [prepare, train, evaluate, quantize, benchmark]
seed: 1234
threads: auto
device: auto
tags: [demo]
data:
  train: {path: corpus.txt, format: auto, columns: {text: text}}
  eval:  {path: corpus.txt, split: last 5%}
  document: line
  clean: {deduplicate: exact}
  tokenizer: {train: bpe, vocab: 4096}
  template: auto
  loss_on: all
  sequence_length: 256
  over_length: split
  packing: best_fit
  workers: 2
  pin_memory: auto
model:
  from: {family: gpt2, layers: 4, hidden: 256, heads: 4, kv_heads: 4, ffn: 1024, context: 512, vocab: auto, tie_embeddings: true, dropout: 0.0}
method: full
train:
  steps: 300
  global_batch: 12
  micro_batch: 12
  optimizer: {name: adamw, lr: 1e-3, betas: [0.9, 0.95], eps: 1e-8, weight_decay: 0.1}
  schedule: {name: cosine, warmup: 20, min_lr: 1e-4}
  clip_norm: 1.0
  precision: {amp: fp16, scaler: {init: 65536, growth: 2, backoff: 0.5, interval: 2000}}
  activation_checkpointing: {every: 2}
  on_nonfinite: stop
  early_stop: {metric: eval/loss, patience: 3}
  checkpoint: {every: 100, keep: 2, background: true}
  eval_every: 50
  parallel: {data: 1, zero: 0, tensor: 1, sequence: false, pipeline: 1, schedule: 1f1b, expert: 1, context: 1}
  launcher: local
quantize:
  schemes: [fp16, int8, int4-g32, int4-g128-hqq, {name: w8a8-smooth, alpha: 0.5}]
  keep: [lm_head, embed_tokens]
  kv_cache: [fp16, int8, int4]
benchmark:
  prefill: [128, 512]
  decode: 128
  batch: [1, 8]
  depth: [0, 1024]
  repeats: 5
  serve: {requests: 500, arrivals: {poisson: 4}, lengths: {prompt: trace.jsonl}, slo: {ttft_ms: 2000, tpot_ms: 200}, batching: continuous, page: 16}
accuracy: {perplexity: {path: held-out.txt, window: 512, mode: full}, kl_divergence: true, tasks: [choices.jsonl], classification: {path: test.jsonl, label: label}}
cost: {hardware: auto, price: {usd_per_hour: 0.08}, electricity: {usd_per_kwh: 0.15}}
sweep: {grid: {train.optimizer.lr: [1e-3, 3e-4]}}
)";

TEST(Load, contractExample) {
    const Loaded loaded = loadSpecText(kContract, "x.yaml", "/data");
    ASSERT_TRUE(loaded.problems.empty()) << problems(loaded);
    const Spec& s = loaded.spec;
    EXPECT_EQ(s.data->train[0].path, "/data/corpus.txt");
    EXPECT_EQ(s.data->eval->split.kind, SplitRule::Kind::kLast);
    EXPECT_EQ(s.data->eval->split.percent, 5);
    EXPECT_EQ(s.data->tokenizer.kind, TokenizerSpec::Kind::kTrainBpe);
    EXPECT_EQ(s.data->tokenizer.vocab, 4096);
    EXPECT_EQ(s.model->description->ffn, 1024);
    EXPECT_EQ(s.model->description->vocab, 0);
    EXPECT_EQ(s.train->optimizer.lr, 1e-3);
    EXPECT_EQ(s.train->precision.kind, PrecisionSpec::Kind::kAmpFp16);
    EXPECT_EQ(s.train->activationCheckpointing.every, 2);
    EXPECT_EQ(s.quantize->schemes[4].name, "w8a8-smooth");
    EXPECT_EQ(s.quantize->schemes[4].options, (Json{{"alpha", 0.5}}));
    EXPECT_EQ(s.benchmark->depth, (std::vector<int64_t>{0, 1024}));
    EXPECT_EQ(s.benchmark->serve["lengths"]["prompt"], "/data/trace.jsonl");
    EXPECT_EQ(s.accuracy->tasks, (Json{"/data/choices.jsonl"}));
    EXPECT_EQ(s.cost.usdPerKwh, 0.15);
    EXPECT_EQ(s.threads, 0);
}

TEST(Load, defaultsAndShorthands) {
    const Loaded loaded = loadSpecText("data: {train: a.txt, tokenizer: bytes}\nmodel: {from: \"asset:m/f.gguf\"}\ntrain: {epochs: 0.5, optimizer: adamw, schedule: wsd}\n",
                                       "my-run.yaml", "/d");
    ASSERT_TRUE(loaded.problems.empty()) << problems(loaded);
    EXPECT_EQ(loaded.spec.name, "my-run");
    EXPECT_EQ(loaded.spec.kind, Kind::kPipeline);
    EXPECT_EQ(loaded.spec.stages, (std::vector<Kind>{Kind::kPrepare, Kind::kTrain}));
    EXPECT_EQ(loaded.spec.model->from, "asset:m/f.gguf");
    EXPECT_EQ(loaded.spec.train->epochs, 0.5);
    EXPECT_FALSE(loaded.spec.train->steps);
    EXPECT_EQ(loaded.spec.train->schedule.name, "wsd");
    EXPECT_EQ(loaded.spec.seed, 1234u);
    EXPECT_EQ(loaded.spec.method, "full");
    EXPECT_FALSE(loaded.spec.cost.usdPerHour) << "no price is not a price of 0";
    EXPECT_EQ(loaded.resolved["threads"], "auto");
}

TEST(Load, textsStayTexts) {  // yes, on and 010 are text where text is wanted
    const Loaded loaded = loadSpecText("name: 010\ntags: [yes, on, 'true', 1.0]\nmodel: {from: m}\nbenchmark: {}\n", "x", "/d");
    ASSERT_TRUE(loaded.problems.empty()) << problems(loaded);
    EXPECT_EQ(loaded.spec.name, "010");
    EXPECT_EQ(loaded.spec.tags, (std::vector<std::string>{"yes", "on", "true", "1.0"}));
}

TEST(Load, byteOrderMarkAndLineEnds) {
    const Loaded plain = loadSpecText("name: a\nmodel: {from: m}\nbenchmark: {}\n", "x", "/d");
    for (const char* text : {"\xEF\xBB\xBFname: a\nmodel: {from: m}\nbenchmark: {}\n", "name: a\r\nmodel: {from: m}\r\nbenchmark: {}\r\n",
                             "name: a\rmodel: {from: m}\rbenchmark: {}\r"}) {
        const Loaded other = loadSpecText(text, "x", "/d");
        EXPECT_TRUE(other.problems.empty()) << problems(other);
        EXPECT_EQ(other.spec, plain.spec);
    }
}

TEST(Load, evaluationShareOfTheTrainingFileIsReadTheSameWay) {
    const Loaded loaded = loadSpecText("data: {train: {path: a, format: csv, columns: {text: body}}, eval: {split: hash 2.5%}, tokenizer: bytes}\n", "x", "/d");
    ASSERT_TRUE(loaded.problems.empty()) << problems(loaded);
    EXPECT_EQ(loaded.spec.data->eval->path, "/d/a");
    EXPECT_EQ(loaded.spec.data->eval->format, "csv");
    EXPECT_EQ(loaded.spec.data->eval->columns, loaded.spec.data->train[0].columns);
    EXPECT_EQ(loaded.spec.data->eval->split, (SplitRule{SplitRule::Kind::kHash, 2.5}));
}

TEST(Load, overrides) {
    const std::string yaml = "model: {from: m}\ndata: {train: a, tokenizer: bytes}\ntrain: {steps: 5, early_stop: {}, eval_every: 0}\n";
    const Loaded loaded = loadSpecText(yaml, "x", "/d",
                                       {"train.steps=7", "train.steps=9", "train.optimizer.lr=3e-4", "train.early_stop=null", "data.train=[a, {path: b, weight: 2}]",
                                        "data.train.1.weight=3", "tags=[x, y]", "name=a=b", "train.precision.amp=bf16", "sweep.grid.train.clip_norm=[0, 1]"});
    const Loaded variants = loadSpecText(yaml, "x", "/d", {"train.steps=7", "train.early_stop=null", "sweep.variants.none={}", "sweep.variants.much.train.clip_norm=5"});
    ASSERT_TRUE(variants.problems.empty()) << problems(variants);
    EXPECT_EQ(dumpJson(variants.spec.sweep), R"({"variants":{"none":{},"much":{"train.clip_norm":5}}})");
    ASSERT_TRUE(loaded.problems.empty()) << problems(loaded);
    EXPECT_EQ(loaded.spec.train->steps, 9);
    EXPECT_EQ(loaded.spec.train->optimizer.lr, 3e-4);
    EXPECT_FALSE(loaded.spec.train->earlyStop);
    EXPECT_EQ(loaded.spec.data->train[1].weight, 3);
    EXPECT_EQ(loaded.spec.tags, (std::vector<std::string>{"x", "y"}));
    EXPECT_EQ(loaded.spec.name, "a=b");
    EXPECT_EQ(loaded.spec.train->precision.kind, PrecisionSpec::Kind::kAmpBf16);
    EXPECT_EQ(loaded.spec.sweep["grid"]["train.clip_norm"], (Json{0, 1}));

    for (const auto& [text, key, part] : std::vector<std::array<std::string, 3>>{{"train.stesp=1", "train.stesp", "unknown key"},
                                                                                  {"steps", "", "not key=value"},
                                                                                  {"train.steps=", "train.steps", "no value"},
                                                                                  {"train.steps=x", "train.steps", "integer"},
                                                                                  {"train..steps=1", "train..steps", "not a key"},
                                                                                  {"data.train.5.path=x", "data.train", "map"},
                                                                                  {"tags=[a", "", "key must be"}}) {
        const Loaded wrong = loadSpecText(yaml, "x", "/d", {text});
        ASSERT_FALSE(wrong.problems.empty()) << text;
        bool found = false;
        for (const Problem& p : wrong.problems) found = found || (p.message.find(part) != std::string::npos && p.line == 0 && (key.empty() || p.key == key)) || (text.starts_with("data.train.5") && p.key.starts_with("data.train"));
        EXPECT_TRUE(found) << text << "\n" << problems(wrong);
    }
}

TEST(Load, extends) {
    Folder f;
    f.write("base/b.yaml", "model: {from: m}\ndata: {train: corpus.txt, tokenizer: bytes}\ntrain: {steps: 5, optimizer: {lr: 1e-3, eps: 1e-6}, early_stop: {}}\ntags: [a, b]\n");
    const std::string child = f.write("c.yaml", "extends: base/b.yaml\ntrain:\n  optimizer: {lr: 2e-3}\n  early_stop: null\n  epochs: 1\n  steps: null\ntags: [c]\n");
    auto loaded = loadSpecFile(child);
    ASSERT_TRUE(loaded) << loaded.error().text();
    ASSERT_TRUE(loaded->problems.empty()) << problems(*loaded);
    EXPECT_EQ(loaded->spec.data->train[0].path, f.path + "/base/corpus.txt") << "paths are relative to the file they stand in";
    EXPECT_EQ(loaded->spec.train->optimizer.lr, 2e-3);
    EXPECT_EQ(loaded->spec.train->optimizer.eps, 1e-6);
    EXPECT_EQ(loaded->spec.train->epochs, 1);
    EXPECT_FALSE(loaded->spec.train->steps);
    EXPECT_EQ(loaded->spec.tags, std::vector<std::string>{"c"}) << "lists are replaced";
    EXPECT_FALSE(loaded->resolved.contains("extends"));
    EXPECT_EQ(loaded->spec.name, "c");
}

TEST(Load, extendsProblems) {
    Folder f;
    f.write("bad.yaml", "name: a\nsed: 1\n");
    auto bad = loadSpecFile(f.write("c.yaml", "assay: 1\nextends: bad.yaml\nmodel: {from: m}\nbenchmark: {}\n"));
    ASSERT_TRUE(bad);
    ASSERT_EQ(bad->problems.size(), 1u) << problems(*bad);
    EXPECT_EQ(bad->problems[0].line, 2);
    EXPECT_EQ(bad->problems[0].column, 1);
    EXPECT_EQ(bad->problems[0].message, "unknown key (bad.yaml, line 2, column 1)");

    f.write("p.yaml", "extends: q.yaml\n");
    auto circle = loadSpecFile(f.write("q.yaml", "extends: p.yaml\nmodel: {from: m}\nbenchmark: {}\n"));
    ASSERT_TRUE(circle);
    ASSERT_FALSE(circle->problems.empty());
    EXPECT_NE(problems(*circle).find("circle"), std::string::npos) << problems(*circle);
    auto self = loadSpecFile(f.write("s.yaml", "extends: ./s.yaml\nmodel: {from: m}\nbenchmark: {}\n"));
    ASSERT_TRUE(self);
    EXPECT_NE(problems(*self).find("circle"), std::string::npos);
}

TEST(Load, unreadableFiles) {
    Folder f;
    auto missing = loadSpecFile(f.path + "/none.yaml");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
    auto directory = loadSpecFile(f.path);
    ASSERT_FALSE(directory);
    EXPECT_NE(directory.error().message.find("director"), std::string::npos) << directory.error().message;
    auto empty = loadSpecFile(f.write("e.yaml", ""));
    ASSERT_TRUE(empty);
    EXPECT_EQ(empty->problems.size(), 1u);
}

}  // namespace
}  // namespace assay::config
