#include <assay/store/filter.h>
#include <gtest/gtest.h>

using namespace assay;
using namespace assay::store;

namespace {

RunRow sample() {
    RunRow row;
    row.id = "0000000000001";
    row.name = "Demo run";
    row.kind = "train";
    row.status = RunStatus::kDone;
    row.attempt = 2;
    row.tags = Json::array({"demo", "x"});
    row.latest = {{"train/loss", 3.0}, {"eval/loss", 9.0}};
    row.summary = {{"eval/loss", 2.5}, {"bad", "nan"}};
    row.spec = Json::parse(R"({"train":{"optimizer":{"lr":1e-4},"schedule":{"name":"cosine"}},"model":{"name":"m"},"seed":7,"eval":{"lr":1}})");
    return row;
}

bool matches(const std::string& text) {
    auto filter = Filter::parse(text);
    EXPECT_TRUE(filter) << text << ": " << filter.error().text();
    return filter && filter->matches(sample());
}

}  // namespace

TEST(Filter, Table) {
    for (const char* yes : {"", "  ", "status = done", "status=done", "tag = demo", "tag=x and tag=demo", "train.optimizer.lr < 1e-3", "optimizer.lr<=0.0001",
                            "eval/loss = 2.5", "train/loss >= 3", "name ~ demo", "name = 'Demo run'", "name = \"Demo run\"", "not status = failed",
                            "(status = failed or status = done) and attempt > 1", "status = failed or status = done and attempt = 2", "seed = 7", "missing = null",
                            "missing != 5", "tag != other", "bad = nan", "reason = null", "status != null", "not (tag = other)"})
        EXPECT_TRUE(matches(yes)) << yes;
    for (const char* no : {"status = failed", "tag = other", "tag != demo", "train.optimizer.lr > 1e-3", "eval/loss = 9", "missing < 5", "missing > 5", "name ~ nothing",
                           "not status = done", "lr < 5" /* ambiguous: two keys end so */, "bad < 5", "bad > 5", "status = done and attempt = 3"})
        EXPECT_FALSE(matches(no)) << no;
}

TEST(Filter, ErrorsNameThePlace) {
    const std::pair<std::string, int> table[] = {{"status", 7}, {"status =", 9}, {"= done", 1}, {"status = done and", 18}, {"(status = done", 15}, {"status = done)", 14},
                                                 {"status = 'done", 10}, {"status done", 8}, {"a = 1 b = 2", 7}, {"status = done or or", 18}};
    for (const auto& [text, place] : table) {
        auto filter = Filter::parse(text);
        ASSERT_FALSE(filter) << text;
        EXPECT_EQ(filter.error().code, ErrorCode::kBadUsage);
        EXPECT_NE(filter.error().message.find("at character " + std::to_string(place)), std::string::npos) << text << ": " << filter.error().message;
    }
    EXPECT_FALSE(Filter::parse(std::string(5000, '(')));
    EXPECT_FALSE(Filter::parse(std::string(20000, 'a')));
    std::string nots;
    for (int i = 0; i < 500; ++i) nots += "not ";
    EXPECT_FALSE(Filter::parse(nots + "a = 1"));
}

TEST(Filter, TextOfAFilterNeverReachesTheDatabase) {
    EXPECT_FALSE(matches("name = \"x'; DROP TABLE runs; --\""));
}

TEST(Sort, NumbersTextAndMissing) {
    std::vector<RunRow> rows(4);
    const char* names[] = {"b", "a", "d", "c"};
    for (int i = 0; i < 4; ++i) rows[static_cast<size_t>(i)].name = names[i];
    rows[0].summary = {{"m", 10}};
    rows[1].summary = {{"m", 9}};
    rows[2].summary = {{"m", "nan"}};
    auto order = [&](const std::string& text) {
        auto copy = rows;
        auto key = parseSort(text);
        EXPECT_TRUE(key);
        sortRuns(copy, *key);
        std::string out;
        for (const auto& row : copy) out += row.name;
        return out;
    };
    EXPECT_EQ(order("name"), "abcd");
    EXPECT_EQ(order("-name"), "dcba");
    EXPECT_EQ(order("name desc"), "dcba");
    EXPECT_EQ(order("m"), "abdc");
    EXPECT_EQ(order("-m"), "badc");
    EXPECT_EQ(order(""), "badc");
    EXPECT_EQ(order("-"), "cdab");
    EXPECT_FALSE(parseSort("a b"));
}
