// Editing an experiment file by key: the value is what was set, and every other byte is what it was.
#include <assay/config/schema.h>
#include <assay/config/spec_text.h>
#include <gtest/gtest.h>

#include <chrono>
#include <random>

namespace assay::config {
namespace {

const char* kFile = R"(# A file with comments.
assay: 1
name: demo   # shown in lists

data:
  # where the text lies
  train: {path: corpus.txt, format: auto}   # one file
  eval:
    path: corpus.txt
    split: last 5%
  tokenizer: bytes

model:
  from: {family: gpt2, layers: 2, hidden: 64,   # small
         heads: 2, context: 64}

train:
  steps: 300      # short
  optimizer: {name: adamw, lr: 1e-3}
  # about checkpoints
  checkpoint:
    every: 100
    keep: 2
  eval_every: 50

quantize:
  schemes:
    - fp16   # half
    - int8
)";

std::string edited(const std::string& text, const std::string& path, const std::string& yaml) {
    SpecText spec(text);
    EXPECT_TRUE(spec.editable()) << text;
    const auto done = spec.setYaml(path, yaml);
    EXPECT_TRUE(done) << path << ": " << done.error().text();
    return spec.text();
}
std::string removed(const std::string& text, const std::string& path) {
    SpecText spec(text);
    const auto done = spec.remove(path);
    EXPECT_TRUE(done) << path << ": " << done.error().text();
    return spec.text();
}

TEST(SpecText, findsValuesWithTheirPlaces) {
    const SpecText spec{kFile};
    ASSERT_TRUE(spec.editable());
    auto lr = spec.find("train.optimizer.lr");
    ASSERT_TRUE(lr);
    EXPECT_EQ(lr->text, "1e-3");
    EXPECT_EQ(lr->value, Json(0.001));
    EXPECT_EQ(lr->span.line, 19);
    EXPECT_EQ(lr->span.column, 32);
    EXPECT_EQ(std::string(kFile).substr(lr->key.begin, lr->key.end - lr->key.begin), "lr");
    EXPECT_EQ(spec.find("model.from")->text, "{family: gpt2, layers: 2, hidden: 64,   # small\n         heads: 2, context: 64}");
    EXPECT_EQ(spec.find("quantize.schemes.1")->text, "int8");
    EXPECT_EQ(spec.find("quantize.schemes")->text, "- fp16   # half\n    - int8");
    EXPECT_FALSE(spec.find("train.optimizer.eps"));
    EXPECT_FALSE(spec.find("quantize.schemes.2"));
    EXPECT_EQ(spec.pathAtLine(19), "train.optimizer");
    EXPECT_EQ(spec.pathAt(lr->span.begin), "train.optimizer.lr");
    EXPECT_EQ(spec.pathAtLine(22), "train.checkpoint.every");
    EXPECT_EQ(spec.pathAtLine(1), "");
}

TEST(SpecText, setsInTheStyleOfTheFile) {
    EXPECT_EQ(edited("a: 1\nb: 2 # c\n", "b", "3"), "a: 1\nb: 3 # c\n");
    EXPECT_EQ(edited("train:\n    steps: 5 # five\nbenchmark: {}\n", "train.global_batch", "16"), "train:\n    steps: 5 # five\n    global_batch: 16\nbenchmark: {}\n");
    EXPECT_EQ(edited("train:\n  eval_every: 5\n", "train.steps", "9"), "train:\n  steps: 9\n  eval_every: 5\n") << "the schema's order";
    EXPECT_EQ(edited("benchmark: {}\n", "benchmark.decode", "9"), "benchmark: {decode: 9}\n");
    EXPECT_EQ(edited("benchmark:\n", "benchmark.decode", "9"), "benchmark: {decode: 9}\n");
    EXPECT_EQ(edited("name: x", "seed", "7"), "name: x\nseed: 7");
    EXPECT_EQ(edited("", "name", "x"), "name: x\n");
    EXPECT_EQ(edited("# only a comment\n", "train.steps", "5"), "# only a comment\ntrain:\n  steps: 5\n");
    EXPECT_EQ(edited("a: 1\r\nb: 2\r\n", "b", "3"), "a: 1\r\nb: 3\r\n");
    EXPECT_EQ(edited("train:\r\n  steps: 1\r\n", "train.eval_every", "3"), "train:\r\n  steps: 1\r\n  eval_every: 3\r\n");
    EXPECT_EQ(edited("\xEF\xBB\xBFname: x\n", "name", "z"), "\xEF\xBB\xBFname: z\n");
    EXPECT_EQ(edited("quantize:\n  schemes: # which\n    - int8 # b\n", "quantize.schemes", "[fp16, int8]"), "quantize:\n  schemes: # which\n    - fp16\n    - int8 # b\n");
    EXPECT_EQ(edited("quantize:\n  schemes: # which\n    - int8\n", "quantize.schemes", "int8"), "quantize:\n  schemes: int8 # which\n");
    EXPECT_EQ(edited("method: full\n", "method.lora.rank", "4"), "method: {lora: {rank: 4}}\n");
    EXPECT_EQ(edited("train: {steps: 1, optimizer: lion}\n", "train.optimizer.lr", "1e-4"), "train: {steps: 1, optimizer: {name: lion, lr: 0.0001}}\n") << "a word stands for the name";
    EXPECT_EQ(edited("data:\n  train: corpus.txt\n", "data.train.format", "text"), "data:\n  train: {path: corpus.txt, format: text}\n");
    EXPECT_EQ(edited("generate:\n  prompt: |\n    one\n    two\n\n  chat: true\n", "generate.prompt", "three"), "generate:\n  prompt: three\n\n  chat: true\n");
    EXPECT_EQ(edited("name: 'it''s'\nseed: 1\n", "name", "\"a: b\""), "name: \"a: b\"\nseed: 1\n");
    EXPECT_EQ(edited("sweep: {grid: {train.steps: [1, 2]}}\n", "sweep.grid.train.optimizer.lr", "[1e-3, 3e-4]"),
              "sweep: {grid: {train.steps: [1, 2], train.optimizer.lr: [0.001, 0.0003]}}\n");
    EXPECT_EQ(edited("sweep: {variants: {a: {}, lion: {train.optimizer.lr: 1}}}\n", "sweep.variants.lion.train.optimizer.lr", "2"),
              "sweep: {variants: {a: {}, lion: {train.optimizer.lr: 2}}}\n");
    // A new section stands apart where sections do.
    EXPECT_EQ(edited("data:\n  workers: 1\n\ntrain:\n  steps: 1\n", "benchmark.decode", "5"), "data:\n  workers: 1\n\ntrain:\n  steps: 1\n\nbenchmark:\n  decode: 5\n");
}

TEST(SpecText, flowInsertionAndRemoval) {
    EXPECT_EQ(edited("train: {steps: 5}  # t\n", "train.optimizer.lr", "2e-4"), "train: {steps: 5, optimizer: {lr: 0.0002}}  # t\n");
    EXPECT_EQ(removed("a: {b: 1, c: 2, d: 3}\n", "a.b"), "a: {c: 2, d: 3}\n");
    EXPECT_EQ(removed("a: {b: 1, c: 2, d: 3}\n", "a.c"), "a: {b: 1, d: 3}\n");
    EXPECT_EQ(removed("a: {b: 1, c: 2}\n", "a.c"), "a: {b: 1}\n");
    EXPECT_EQ(removed("a: {b: 1}\n", "a.b"), "a: {}\n");
    EXPECT_EQ(removed("a: 1 # x\nb: 2 # y\nc: 3\n", "b"), "a: 1 # x\nc: 3\n");
    EXPECT_EQ(removed("a:\n  b: 1 # only\nc: 3\n", "a.b"), "a: {} # only\nc: 3\n") << "comments stay";
    EXPECT_EQ(removed("# head\na:\n  - 1\n  - 2\nb: 3", "b"), "# head\na:\n  - 1\n  - 2\n");
    EXPECT_EQ(removed("a: 1\n", "z.z"), "a: 1\n");
}

TEST(SpecText, brokenTextIsNotEdited) {
    struct Case {
        const char* text;
        int line, column;
    };
    for (const Case& c : {Case{"a: 1\nb: [1, 2\n", 2, 4}, Case{"a: \"x\n", 1, 4}, Case{"a: 1\na: 2\n", 2, 1}, Case{"a: &x 1\n", 1, 4}, Case{"a: *x\n", 1, 4},
                          Case{"a: 1\n\tb: 2\n", 2, 1}, Case{"a: !t 1\n", 1, 4}, Case{"- 1\n", 1, 1}, Case{"\xFF", 1, 1}, Case{"a: 1\n---\nb: 2\n", 2, 1}}) {
        SpecText spec{std::string(c.text)};
        ASSERT_EQ(spec.problems().size(), 1u) << c.text;
        EXPECT_EQ(spec.problems()[0].line, c.line) << c.text;
        EXPECT_EQ(spec.problems()[0].column, c.column) << c.text;
        EXPECT_FALSE(spec.set("a", 5));
        EXPECT_FALSE(spec.remove("a"));
        EXPECT_EQ(spec.text(), c.text);
    }
    SpecText list("a: [1, 2]\n");
    EXPECT_FALSE(list.set("a.7", 5));
    EXPECT_FALSE(list.setYaml("a", "[1"));
    EXPECT_FALSE(list.setYaml("a", ""));
    EXPECT_FALSE(list.set("a..b", 5));
    EXPECT_EQ(list.text(), "a: [1, 2]\n");
}

// Before and after the bytes of the value (of the whole entry, when it was removed) both texts are the same.
void expectOnlyThatChanged(const SpecText& before, const SpecText& after, const std::string& path, bool removal) {
    const std::string &a = before.text(), &b = after.text();
    size_t prefix = 0, suffix = 0;
    while (prefix < a.size() && prefix < b.size() && a[prefix] == b[prefix]) ++prefix;
    while (suffix < a.size() && suffix < b.size() && a[a.size() - 1 - suffix] == b[b.size() - 1 - suffix]) ++suffix;
    const auto old = before.find(path);
    const std::string both = path + "\n" + a + "\n→\n" + b;
    if (!old) {
        if (prefix + suffix >= a.size()) return;   // text was added, and nothing else
        const std::string gone = a.substr(prefix, a.size() - prefix - suffix);   // a word, or an empty map, on the way
        EXPECT_TRUE(before.text().empty() || gone.find('#') == std::string::npos || gone.find('"') != std::string::npos) << both;
        return;
    }
    size_t begin = old->key.end, end = old->span.end;
    if (removal) {
        for (begin = old->key.begin; begin > 0 && std::string(" ,\n").find(a[begin - 1]) != std::string::npos;) --begin;
        end = std::max(old->span.end, old->key.end);
        while (end < a.size() && a[end] != '\n') ++end;
        while (end < a.size() && std::string(" ,\n").find(a[end]) != std::string::npos) ++end;
    }
    EXPECT_GE(prefix, begin) << both;
    EXPECT_GE(suffix, a.size() - end) << both;
}

TEST(SpecText, propertySetThenFind) {
    std::mt19937_64 random(7);
    auto pick = [&](size_t n) { return static_cast<size_t>(random() % n); };
    const std::vector<Json> values{1, -3, 0.25, 1e-9, "word", "a: b", "010", "yes", "", "# no comment", "two\nlines", "with [brackets], and {more}", true, false, nullptr,
                                   Json::array(), Json::array({1, "x", 0.5}), Json::object(), Json{{"k", 1}, {"l", Json::array({"a", "b: c"})}}, "é漢字", "it's \"quoted\""};
    const std::vector<std::string> bases{kFile, "", "name: x\n", "{name: x, train: {steps: 1}}\n", "train:\n- 1\n- a: 2\n  b: 3\nname: x\n",
                                         std::string("---\n") + kFile + "...\n", "train:\n   optimizer:\n      lr: 1e-3 # c\n   steps: 3\n# end\n",
                                         "a: {\n  b: 1, # one\n  c: [1,\n  2], }\n", "generate:\n  prompt: >-\n    folded\n    text\n  chat: true\n"};
    size_t done = 0, refused = 0;
    for (int round = 0; round < 1000; ++round) {
        SpecText spec(bases[pick(bases.size())]);
        for (int edit = 0; edit < 4; ++edit) {
            const SpecText before = spec;
            const KeyInfo& info = schema()[pick(schema().size())];
            const std::string path(info.key);
            if (pick(4) == 0) {
                const auto result = spec.remove(path);
                if (!result) {
                    ++refused;
                    EXPECT_EQ(spec.text(), before.text());
                    continue;
                }
                EXPECT_FALSE(spec.has(path)) << path << "\n" << before.text();
                expectOnlyThatChanged(before, spec, path, true);
                ++done;
                continue;
            }
            const Json& value = values[pick(values.size())];
            const auto result = spec.set(path, value);
            if (!result) {
                ++refused;
                EXPECT_EQ(spec.text(), before.text());
                continue;
            }
            ++done;
            const auto found = spec.find(path);
            ASSERT_TRUE(found) << path;
            EXPECT_TRUE(found->value == value || (value.is_number() && found->value.get<double>() == value.get<double>())) << path << " " << value << "\n" << spec.text();
            ASSERT_TRUE(SpecText(spec.text()).editable()) << spec.text();
            expectOnlyThatChanged(before, spec, path, false);
        }
    }
    EXPECT_GT(done, 20 * refused) << done << " done, " << refused << " refused";
}

TEST(SpecText, fuzzedTextNeverBreaksTheRules) {
    std::mt19937_64 random(11);
    const std::string letters = "{}[]:,#&*!|>-?'\"%@` \n\t\r~ab1.\\";
    for (int round = 0; round < 800; ++round) {
        std::string text = kFile;
        for (uint64_t n = random() % 6; n-- > 0;) {
            const size_t at = random() % text.size();
            if (random() % 2) text[at] = letters[random() % letters.size()];
            else if (random() % 2) text.insert(at, 1, letters[random() % letters.size()]);
            else text.erase(at, random() % 9);
        }
        SpecText spec(text);
        if (!spec.editable()) {
            EXPECT_GE(spec.problems()[0].line, 1);
            continue;
        }
        for (const char* path : {"train.steps", "model.from.layers", "quantize.schemes", "data.eval", "seed"}) {
            const std::string before = spec.text();
            if (const auto found = spec.find(path)) {
                ASSERT_LE(found->span.end, before.size());
                ASSERT_LE(found->span.begin, found->span.end);
            }
            const bool done = spec.set(path, 5).has_value();
            EXPECT_TRUE(done ? spec.find(path)->value == Json(5) : spec.text() == before) << before;
        }
        spec.pathAt(random() % (spec.text().size() + 1));
    }
}

TEST(SpecText, fiveMegabytesTakeLinearTime) {
    auto seconds = [](size_t lines, const char* line) {
        std::string text = "list:\n";
        for (size_t i = 0; i < lines; ++i) text += line;
        text += "name: x\n";
        const auto begin = std::chrono::steady_clock::now();
        SpecText spec(text);
        EXPECT_TRUE(spec.editable());
        EXPECT_TRUE(spec.set("name", "y"));
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    const double small = seconds(5'000, "  - {a: 1, b: [2, 3], c: text of some length}\n");
    const double large = seconds(20'000, "  - {a: 1, b: [2, 3], c: text of some length}\n");   // 0.9 MB
    EXPECT_LT(large, 4 * 3 * small + 0.05) << small << " s, then " << large << " s";
    // One long text, and a text that is refused.
    SpecText longText("generate: {prompt: \"" + std::string(5'000'000, 'x') + "\"}\n");
    EXPECT_TRUE(longText.setYaml("generate.chat", "true"));
    SpecText tooLarge(std::string(SpecText::kMaxTextBytes + 1, 'a'));
    EXPECT_EQ(tooLarge.problems().size(), 1u);
}

}  // namespace
}  // namespace assay::config
