// Small wrong files: line, column (counted by hand, from 1, in characters) and key of the first problem, and a part of
// what it says.
#include <assay/config/config.h>
#include <assay/core/durable.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "temp_folder.h"

namespace assay::config {
namespace {

struct Case {
    const char* yaml;
    int line, column;
    const char* key;
    const char* message;
    const char* hint = "";
};

const std::string kTrain =
    "assay: 1\n"
    "kind: train\n"
    "data: {train: a.txt, tokenizer: bytes}\n"
    "model: {from: {family: gpt2}}\n";

void expectFirst(const std::string& yaml, const Case& c) {
    SCOPED_TRACE(yaml);
    const Loaded loaded = loadSpecText(yaml, "in.yaml", "/folder");
    ASSERT_FALSE(loaded.problems.empty());
    const Problem& p = loaded.problems[0];
    EXPECT_EQ(p.line, c.line);
    EXPECT_EQ(p.column, c.column);
    EXPECT_EQ(p.key, c.key);
    EXPECT_NE(p.message.find(c.message), std::string::npos) << p.message;
    EXPECT_NE(p.hint.find(c.hint), std::string::npos) << p.hint;
}

TEST(WrongInput, wholeFile) {
    const std::vector<Case> cases{
        {"", 1, 1, "", "empty"},
        {"# only a comment\n", 1, 1, "", "empty"},
        {"---\n", 1, 1, "", "empty"},
        {"just words\n", 1, 1, "", "map of settings"},
        {"- a\n- b\n", 1, 1, "", "map of settings"},
        {"assay: 2\n", 1, 8, "assay", "newer", "update"},
        {"assay: 1\n---\nassay: 1\n", 2, 1, "", "second YAML document"},
        {"assay: 1\n\tkind: train\n", 2, 1, "", "tab", "spaces"},
        {"assay: 1\nname: \"abc\n", 2, 7, "name", "never closed"},
        {"name: 'it''s\n", 1, 7, "name", "never closed"},
        {"name: \"a\\\"\n", 1, 7, "name", "never closed"},
        {"stages: [train, evaluate\n", 1, 9, "stages.2", "never closed", "["},
        {"name: a: b\n", 1, 8, "name", "not valid YAML", "': '"},
        {"? [a, b]\n: 1\n", 1, 3, "", "a key must be a word"},
        {": 1\n", 1, 1, "", "key is missing"},
    };
    for (const Case& c : cases) expectFirst(c.yaml, c);
}

TEST(WrongInput, bytes) {
    expectFirst(std::string("assay: 1\nname: a\0b\n", 19), {"", 2, 8, "", "NUL"});
    expectFirst("assay: 1\nname: \xff\n", {"", 2, 7, "", "0xff is not UTF-8", "UTF-8"});
    expectFirst("name: \xc0\xaf\n", {"", 1, 7, "", "0xc0 is not UTF-8"});       // overlong "/"
    expectFirst("name: \xed\xa0\x80\n", {"", 1, 7, "", "0xed is not UTF-8"});   // surrogate
    expectFirst("name: \xf4\x90\x80\x80\n", {"", 1, 7, "", "not UTF-8"});       // beyond U+10FFFF
    expectFirst("name: é\xe2\x82\n", {"", 1, 8, "", "not UTF-8"});              // cut short; é is one column
    expectFirst("name: a\x1b[0m\n", {"", 1, 8, "", "control character 0x1b"});
    expectFirst(std::string("\xff\xfe" "a\0:\0", 6), {"", 1, 1, "", "UTF-16"});
    expectFirst("name: " + std::string((1 << 20) + 1, 'x'), {"", 1, 1, "", "1 MiB"});
}

TEST(WrongInput, refusedYaml) {
    const std::vector<Case> cases{
        {"name: &a x\n", 1, 7, "name", "anchors"},
        {"name: *a\n", 1, 7, "", ""},
        {"name: !!str x\n", 1, 7, "name", "tags"},
        {"name: ! x\n", 1, 7, "name", "tags"},
        {"cost: !x {}\n", 1, 7, "cost", "tags"},
        {"name: a\nname: b\n", 2, 1, "name", "duplicate key", "line 1"},
        {"cost: {hardware: a, hardware: b}\n", 1, 21, "cost.hardware", "duplicate key"},
        {"cost:\n  <<: {hardware: a}\n", 2, 3, "cost.<<", "unknown key"},
    };
    for (const Case& c : cases) {
        const Loaded loaded = loadSpecText(c.yaml, "in.yaml", "/folder");
        ASSERT_FALSE(loaded.problems.empty()) << c.yaml;
        const Problem& p = loaded.problems[0];
        EXPECT_EQ(p.line, c.line) << c.yaml;
        EXPECT_EQ(p.column, c.column) << c.yaml;
        EXPECT_NE(p.message.find(c.message), std::string::npos) << c.yaml << p.message;
        EXPECT_NE(p.hint.find(c.hint), std::string::npos) << c.yaml << p.hint;
    }
}

TEST(WrongInput, keysAndTypes) {
    const std::vector<Case> cases{
        {"train: {steps: 5, learning: 1}\n", 1, 19, "train.learning", "unknown key", "known here"},
        {"trian: {}\n", 1, 1, "trian", "unknown key", "did you mean train?"},
        {"train:\n  steps: 5\n  optimizer: {lr_: 1}\n", 3, 15, "train.optimizer.lr_", "unknown key", "did you mean lr?"},
        {"Seed: 1\n", 1, 1, "Seed", "unknown key", "did you mean seed?"},
        {"train: {steps: 5, global-batch: 8}\n", 1, 19, "train.global-batch", "unknown key", "did you mean global_batch?"},
        {"seed: 010\n", 1, 7, "seed", "leading zero"},
        {"seed: -1\n", 1, 7, "seed", "not an integer from 0"},
        {"seed: 18446744073709551616\n", 1, 7, "seed", "2^64-1"},
        {"seed: \"5\"\n", 1, 7, "seed", "not a text", "remove the quotation marks"},
        {"seed: 0x10\n", 1, 7, "seed", "decimal"},
        {"threads: many\n", 1, 10, "threads", "must be an integer, not \"many\""},
        {"threads: 0\n", 1, 10, "threads", "out of range", "at least 1"},
        {"train: {steps: 1.5}\n", 1, 16, "train.steps", "must be an integer"},
        {"train: {steps: 1e3}\n", 1, 16, "train.steps", "must be an integer", "write 1000"},
        {"train: {steps: 0}\n", 1, 16, "train.steps", "out of range", "at least 1"},
        {"train: {steps: [1]}\n", 1, 16, "train.steps", "not a list"},
        {"train: {steps: 9007199254740993}\n", 1, 16, "train.steps", "out of range"},
        {"train:\n", 1, 1, "train", "has no value", "remove the line"},
        {"train: 5\n", 1, 8, "train", "must be a map"},
        {"train: {}\n", 1, 1, "train.steps", "is missing", "steps or epochs"},
        {"train: {steps: 1, epochs: 1}\n", 1, 27, "train.epochs", "both given"},
        {"train: {steps: 1, optimizer: {lr: 0}}\n", 1, 35, "train.optimizer.lr", "out of range", "greater than 0"},
        {"train: {steps: 1, optimizer: {lr: -1e-3}}\n", 1, 35, "train.optimizer.lr", "out of range"},
        {"train: {steps: 1, optimizer: {lr: .inf}}\n", 1, 35, "train.optimizer.lr", "finite"},
        {"train: {steps: 1, optimizer: {lr: 1e400}}\n", 1, 35, "train.optimizer.lr", "range"},
        {"train: {steps: 1, optimizer: {betas: [0.9, 1.0]}}\n", 1, 44, "train.optimizer.betas.1", "out of range", "less than 1"},
        {"train: {steps: 1, optimizer: {betas: [0.9]}}\n", 1, 38, "train.optimizer.betas", "two numbers"},
        {"train: {steps: 1, optimizer: adamv}\n", 1, 30, "train.optimizer", "adamw", "did you mean adamw?"},
        {"train: {steps: 1, checkpoint: {background: yes}}\n", 1, 44, "train.checkpoint.background", "true or false", "write true"},
        {"train: {steps: 1, checkpoint: {background: Off}}\n", 1, 44, "train.checkpoint.background", "true or false", "write false"},
        {"train: {steps: 1, checkpoint: {background: \"true\"}}\n", 1, 44, "train.checkpoint.background", "true or false"},
        {"train: {steps: 1, precision: fp8}\n", 1, 30, "train.precision", "fp32 or bf16"},
        {"train: {steps: 1, on_nonfinite: go_on}\n", 1, 33, "train.on_nonfinite", "rollback"},
        {"train: {steps: 1, on_nonfinite: {skip: 0}}\n", 1, 40, "train.on_nonfinite.skip", "out of range"},
        {"train: {steps: 1, on_nonfinite: {rollback: 1.5}}\n", 1, 44, "train.on_nonfinite.rollback", "out of range"},
        {"train: {steps: 1, on_nonfinite: {skip: 2, rollback: 0.5}}\n", 1, 53, "train.on_nonfinite.rollback", "both given", "keep one"},
        {"train: {steps: 1, on_nonfinite: {}}\n", 1, 19, "train.on_nonfinite.skip", "is missing", "{skip: 10}"},
        {"train: {steps: 1, sample: {every: 5}}\n", 1, 19, "train.sample.prompts", "names no text", "Once upon a time"},
        {"train: {steps: 1, sample: {prompts: [a], every: 0}}\n", 1, 49, "train.sample.every", "out of range"},
        {"train: {steps: 1, precision: fp16}\n", 1, 30, "train.precision", "small gradients", "{amp: fp16}"},
        {"train: {steps: 1, precision: {amp: bf16, scaler: {}}}\n", 1, 42, "train.precision.scaler", "only for {amp: fp16}"},
        {"train: {steps: 1, precision: {bf16: master, scaler: {}}}\n", 1, 45, "train.precision.scaler", "only for {amp: fp16}"},
        {"train: {steps: 1, precision: {bf16: slave}}\n", 1, 37, "train.precision.bf16", "master or stochastic"},
        {"train: {steps: 1, precision: {amp: bf16, bf16: master}}\n", 1, 19, "train.precision.bf16", "both given"},
        {"train: {steps: 1, optimizer: {momentum: 1}}\n", 1, 41, "train.optimizer.momentum", "out of range", "less than 1"},
        {"train: {steps: 1, ema: {decay: 1}}\n", 1, 32, "train.ema.decay", "out of range", "less than 1"},
        {"train: {steps: 1, parallel: {zero: 4}}\n", 1, 36, "train.parallel.zero", "out of range", "at most 3"},
        {"train: {steps: 1, launcher: {ssh: [-oProxyCommand=x]}}\n", 1, 30, "train.launcher.ssh", "not a host name"},
        {"kind: pipelin\n", 1, 7, "kind", "must be", "did you mean pipeline?"},
        {"stages: [train, prepare]\n", 1, 17, "stages.1", "out of order"},
        {"seeds: [1, 1]\n", 1, 12, "seeds.1", "twice"},
        {"seed: 1\nseeds: [1]\n", 2, 1, "seeds", "both given"},
        {"data: {train: {path: \"\"}}\n", 1, 22, "data.train.path", "empty"},
        {"data: {train: {format: text}}\n", 1, 8, "data.train.path", "is missing"},
        {"data: {train: []}\n", 1, 15, "data.train", "empty"},
        {"data: {eval: {path: a, split: first 5%}}\n", 1, 31, "data.eval.split", "last N%"},
        {"data: {eval: {path: a, split: last 100%}}\n", 1, 31, "data.eval.split", "less than 100%"},
        {"data: {eval: {path: a, split: last 0%}}\n", 1, 31, "data.eval.split", "greater than 0%"},
        {"data: {train: {path: a, split: last 5%}}\n", 1, 25, "data.train.split", "unknown key"},
        {"data: {train: a, tokenizer: {train: bpe}}\n", 1, 18, "data.tokenizer.vocab", "is missing"},
        {"data: {train: a, tokenizer: {train: bpe, vocab: 100}}\n", 1, 49, "data.tokenizer.vocab", "out of range", "at least 257"},
        {"data: {train: a, clean: {languages: [en, xx]}}\n", 1, 42, "data.clean.languages.1", "zh"},
        {"data: {train: a, clean: {contamination: drop}}\n", 1, 41, "data.clean.contamination", "remove or keep"},
        {"data: {train: a, clean: {min_chars: 9, max_chars: 5}}\n", 1, 51, "data.clean.max_chars", "less than min_chars"},
        {"data: {train: a, packing: best-fit}\n", 1, 27, "data.packing", "none, concat or best_fit", "best_fit"},
        {"model: {from: {family: gtp2}}\n", 1, 24, "model.from.family", "must be", "did you mean gpt2?"},
        {"model: {}\n", 1, 1, "model.from", "is missing"},
        {"method: {lora: {rank: 0}}\n", 1, 23, "method.lora.rank", "out of range"},
        {"method: {lora: {}, prune: {}}\n", 1, 9, "method", "exactly one"},
        {"quantize: {schemes: [int8, int8]}\n", 1, 28, "quantize.schemes.1", "twice"},
        {"quantize: {schemes: [in8]}\n", 1, 22, "quantize.schemes.0", "not a scheme", "did you mean int8?"},
        {"quantize: {schemes: [int8], keep: [\"(\"]}\n", 1, 36, "quantize.keep.0", "not a regular expression"},
        {"benchmark: {prefill: [0]}\n", 1, 23, "benchmark.prefill.0", "out of range"},
        {"benchmark: {repeats: 5.0}\n", 1, 22, "benchmark.repeats", "integer", "write 5"},
        {"accuracy: {perplexity: {mode: ful}}\n", 1, 31, "accuracy.perplexity.mode", "full or half", "did you mean full?"},
        {"cost: {price: {usd_per_hour: -1}}\n", 1, 30, "cost.price.usd_per_hour", "out of range"},
        {"cost: {price: {usd: 1}}\n", 1, 16, "cost.price.usd", "unknown key"},
        {"sweep: {grid: {train.steps: 5}}\n", 1, 29, "sweep.grid.train.steps", "list of values"},
        {"sweep: {variants: [a, b]}\n", 1, 19, "sweep.variants", "must be a map of name"},
        {"sweep: {variants: {}}\n", 1, 19, "sweep.variants", "not an empty map"},
        {"sweep: {variants: {a: 5}}\n", 1, 23, "sweep.variants.a", "must be a map of key: value"},
        {"sweep: {variants: {a/b: {}}}\n", 1, 25, "sweep.variants.a/b", "is not a name"},
        {"sweep: {variants: {a: {}}, grid: {train.steps: [5]}}\n", 1, 9, "sweep.variants", "both given"},
        {"sweep: {}\n", 1, 1, "sweep.grid", "is missing"},
        {"name: {a: 1}\n", 1, 7, "name", "must be a text, not a map"},
        {"extends: [a]\n", 1, 10, "extends", "must be the path"},
        {"extends: missing.yaml\n", 1, 10, "extends", "missing.yaml"},
    };
    for (const Case& c : cases) expectFirst(c.yaml, c);
}

TEST(WrongInput, severalKeysTogether) {
    const std::vector<Case> cases{
        {"train: {steps: 5, global_batch: 10, micro_batch: 4}\n", 5, 33, "train.global_batch", "not a multiple", "use 12"},
        {"train: {steps: 5, global_batch: 12, micro_batch: 4, parallel: {data: 2}}\n", 5, 33, "train.global_batch", "4 × 2 = 8", "use 16"},
        {"train: {steps: 5, schedule: {warmup: 6}}\n", 5, 38, "train.schedule.warmup", "6 warm-up steps", "at most 5"},
        {"train: {steps: 5, optimizer: {lr: 1e-3}, schedule: {min_lr: 1e-2}}\n", 5, 61, "train.schedule.min_lr", "larger than"},
        {"train: {steps: 5, eval_every: 1}\n", 5, 31, "train.eval_every", "no held-out data"},
        {"train: {steps: 5, parallel: {zero: 1}}\n", 5, 36, "train.parallel.zero", "data-parallel"},
        {"train: {steps: 5}\nstages: [train]\n", 6, 1, "stages", "only for kind: pipeline"},
        {"train: {steps: 5}\nsweep: {grid: {train.steps: [5, 0]}}\n", 6, 16, "sweep.grid.train.steps", "with the value 0"},
        {"train: {steps: 5}\nsweep: {grid: {train.stepz: [5]}}\n", 6, 16, "sweep.grid.train.stepz", "unknown key", "did you mean steps?"},
        {"train: {steps: 5}\nsweep: {grid: {kind: [train]}}\n", 6, 16, "sweep.grid.kind", "cannot be swept"},
        {"train: {steps: 5}\nsweep: {variants: {a: {}, b: {train.steps: 0}}}\n", 6, 31, "sweep.variants.b.train.steps", "0 is out of range"},
        {"train: {steps: 5}\nsweep: {variants: {b: {train.stepz: 9}}}\n", 6, 24, "sweep.variants.b.train.stepz", "unknown key", "did you mean steps?"},
        {"train: {steps: 5}\nsweep: {variants: {b: {train.global_batch: 10, train.micro_batch: 4}}}\n", 6, 24, "sweep.variants.b.train.global_batch", "not a multiple", "use 12"},
        {"train: {steps: 5}\nsweep: {variants: {b: {train.micro_batch: 3}}}\n", 6, 20, "sweep.variants.b", "train.global_batch: 8 is not a multiple"},
        {"train: {steps: 5}\nsweep: {variants: {b: {train: {steps: 3}}}}\n", 6, 24, "sweep.variants.b.train", "replace the whole section", "train.steps"},
        {"train: {steps: 5}\nsweep: {variants: {b: {seeds: [1, 2]}}}\n", 6, 24, "sweep.variants.b.seeds", "cannot differ"},
    };
    for (const Case& c : cases) expectFirst(kTrain + c.yaml, c);
    expectFirst("kind: train\ntrain: {steps: 5}\nmodel: {from: m}\n", {"", 1, 7, "kind", "needs data.train"});
    expectFirst("kind: quantize\nquantize: {schemes: [int8]}\n", {"", 1, 7, "kind", "needs a model"});
    expectFirst("kind: quantize\nmodel: {from: m}\n", {"", 1, 7, "kind", "needs a quantize section"});
    expectFirst("kind: benchmark\nmodel: {from: m}\n", {"", 1, 7, "kind", "needs a benchmark section"});
    expectFirst("kind: evaluate\nmodel: {from: m}\n", {"", 1, 7, "kind", "text to evaluate on"});
    expectFirst("kind: generate\nmodel: {from: m}\n", {"", 1, 7, "kind", "needs a generate section"});
    expectFirst("kind: pipeline\n", {"", 1, 7, "kind", "no stage"});
    expectFirst("quantize: {schemes: [int8]}\n", {"", 1, 1, "quantize", "needs a model or a train stage"});
    expectFirst("model: {from: {family: gpt2, hidden: 10, heads: 3}}\nbenchmark: {}\n", {"", 1, 49, "model.from.heads", "do not divide"});
    expectFirst("model: {from: {family: llama, heads: 4, kv_heads: 3}}\nbenchmark: {}\n", {"", 1, 51, "model.from.kv_heads", "do not divide"});
    expectFirst("model: {from: {family: llama, experts: 4}}\nbenchmark: {}\n", {"", 1, 40, "model.from.experts", "the family llama has no experts"});
    expectFirst("model: {from: {family: mixtral, experts: 2, experts_per_token: 3}}\nbenchmark: {}\n", {"", 1, 64, "model.from.experts_per_token", "3 are more than the 2 experts"});
    expectFirst("model: {from: {family: gpt2, context: 64}}\ndata: {train: a, tokenizer: bytes, sequence_length: 65}\n",
                {"", 2, 53, "data.sequence_length", "longer than the model's context", "at most 64"});
    expectFirst("model: {from: {family: gpt2}}\ndata: {train: a}\n", {"", 2, 1, "data.tokenizer", "brings no tokenizer"});
}

TEST(WrongInput, everyProblemIsReportedInOrderOfPlace) {
    const Loaded loaded = loadSpecText("sed: 1\nthreads: x\ntrain: {steps: a, clip_norm: -1}\nbogus: 1\n", "in.yaml", "/");
    std::vector<std::string> keys;
    for (const Problem& p : loaded.problems) keys.push_back(std::to_string(p.line) + " " + p.key);
    EXPECT_EQ(keys, (std::vector<std::string>{"1 sed", "2 threads", "3 train.steps", "3 train.clip_norm", "4 bogus"}));
}

TEST(WrongInput, columnsCountCharacters) {  // "é" and "漢" take two and three bytes
    expectFirst("cost: {hardware: \"é漢\", bogus: 1}\n", {"", 1, 24, "cost.bogus", "unknown key"});
}

TEST(WrongInput, hostileNestingIsRefusedEarly) {
    for (const char* part : {"[", "{a: ", "- ", "? ", "[a: "}) {
        std::string text;
        while (text.size() < 900'000) text += part;
        const Loaded loaded = loadSpecText(text, "in.yaml", "/");
        ASSERT_FALSE(loaded.problems.empty()) << part;
        EXPECT_TRUE(loaded.problems[0].message.find("deep") != std::string::npos || loaded.problems[0].message.find("key must be") != std::string::npos ||
                    loaded.problems[0].message.find("key is missing") != std::string::npos)
            << part << loaded.problems[0].message;
        EXPECT_LT(loaded.problems.size(), 100u);
    }
    std::string many = "tags: [";
    for (int i = 0; i < 300'000; ++i) many += "a,";
    const Loaded loaded = loadSpecText(many + "]", "in.yaml", "/");
    ASSERT_FALSE(loaded.problems.empty());
    EXPECT_NE(loaded.problems[0].message.find("200000 values"), std::string::npos);
}

TEST(WrongInput, requireValidNamesPlaceAndCount) {
    const Loaded loaded = loadSpecText("seed: x\nbogus: 1\n", "in.yaml", "/");
    auto valid = requireValid(loaded, "in.yaml");
    ASSERT_FALSE(valid);
    EXPECT_EQ(valid.error().code, ErrorCode::kInvalidFile);
    EXPECT_TRUE(valid.error().message.starts_with("in.yaml:1:7: seed: must be an integer")) << valid.error().message;
    EXPECT_EQ(valid.error().context, std::vector<std::string>{"also in.yaml:2:1: bogus: unknown key"});
}

TEST(WrongInput, requireValidPutsAMisspeltKeyBeforeTheOneItLeavesMissing) {
    const Loaded loaded = loadSpecText(kTrain + "train:\n  stepps: 60\n", "in.yaml", "/");
    auto valid = requireValid(loaded, "in.yaml");
    ASSERT_FALSE(valid);
    EXPECT_TRUE(valid.error().message.starts_with("in.yaml:6:3: train.stepps: unknown key")) << valid.error().message;
    EXPECT_EQ(valid.error().hint, "did you mean steps?");
    ASSERT_EQ(valid.error().context.size(), 1U);
    EXPECT_NE(valid.error().context[0].find("train.steps: is missing"), std::string::npos) << valid.error().context[0];
}

TEST(WrongInput, requireValidListsTwentyMore) {
    std::string yaml = kTrain + "train: {steps: 1}\n";
    for (int i = 0; i < 30; ++i) yaml += "odd" + std::to_string(i) + ": 1\n";
    auto valid = requireValid(loadSpecText(yaml, "in.yaml", "/"), "in.yaml");
    ASSERT_FALSE(valid);
    ASSERT_EQ(valid.error().context.size(), 21U);
    EXPECT_EQ(valid.error().context.back(), "and 9 more");
}

TEST(WrongInput, aFileOverTheLimitIsNotRead) {
    const test::TempFolder folder;
    const std::string path = folder / "big.yaml";
    ASSERT_TRUE(writeFileDurably(path, std::string(5U << 20, '#')));
    auto loaded = loadSpecFile(path);
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().code, ErrorCode::kInvalidFile);
    EXPECT_NE(loaded.error().message.find("limit of 1048576"), std::string::npos) << loaded.error().message;
    EXPECT_FALSE(loaded.error().hint.empty());
}

}  // namespace
}  // namespace assay::config
