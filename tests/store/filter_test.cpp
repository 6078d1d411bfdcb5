#include <assay/store/store.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "temp_folder.h"

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

// A store with these rows.
struct Filled {
    explicit Filled(const std::vector<RunRow>& rows) {
        auto opened = Store::open(folder / "s");
        if (!opened) throw std::runtime_error(opened.error().text());
        store = std::move(*opened);
        write([&](Writer& w) -> Result<void> {
            for (const RunRow& row : rows) ASSAY_TRY_VOID(w.insertRun(row));
            return {};
        });
    }
    void write(const std::function<Result<void>(Writer&)>& work) {
        auto done = store->write(Promise::kBatch, work);
        EXPECT_TRUE(done) << done.error().text();
    }
    RunPage select(const RunQuery& query) {
        auto page = store->select(query);
        EXPECT_TRUE(page) << query.where << ": " << page.error().text();
        return page ? std::move(*page) : RunPage();
    }
    std::string names(const RunQuery& query) {
        std::string out;
        for (const RunRow& row : select(query).rows) out += row.name;
        return out;
    }
    test::TempFolder folder;
    std::unique_ptr<Store> store;
};

bool matches(Filled& filled, const std::string& text) { return filled.select({.where = text, .sort = {}, .columns = {}}).total == 1; }

}  // namespace

TEST(Filter, Table) {
    Filled filled({sample()});
    for (const char* yes : {"", "  ", "status = done", "status != stopped", "status=done", "tag = demo", "tag=x and tag=demo", "train.optimizer.lr < 1e-3", "optimizer.lr<=0.0001",
                            "eval/loss = 2.5", "train/loss >= 3", "name ~ demo", "name = 'Demo run'", "name = \"Demo run\"", "not status = failed",
                            "(status = failed or status = done) and attempt > 1", "status = failed or status = done and attempt = 2", "seed = 7", "missing = null",
                            "missing != 5", "tag != other", "bad = nan", "reason = null", "status != null", "not (tag = other)"})
        EXPECT_TRUE(matches(filled, yes)) << yes;
    for (const char* no : {"status = failed", "tag = other", "tag != demo", "train.optimizer.lr > 1e-3", "eval/loss = 9", "missing < 5", "missing > 5", "name ~ nothing",
                           "not status = done", "lr < 5" /* ambiguous: two keys end so */, "bad < 5", "bad > 5", "status = done and attempt = 3"})
        EXPECT_FALSE(matches(filled, no)) << no;
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
    Filled filled({sample()});
    EXPECT_FALSE(matches(filled, "name = \"x'; DROP TABLE runs; --\""));
}

TEST(Sort, NumbersTextAndMissing) {
    std::vector<RunRow> rows(4);
    const char* names[] = {"b", "a", "d", "c"};
    for (int i = 0; i < 4; ++i) {
        RunRow& row = rows[static_cast<size_t>(i)];
        row.id = "000000000000" + std::to_string(i);
        row.name = names[i];
        row.ordinal = i;
        row.spec = Json::object();
    }
    rows[0].summary = {{"m", 10}};
    rows[1].summary = {{"m", 9}};
    rows[2].summary = {{"m", "nan"}};
    Filled filled(rows);
    auto order = [&](const std::string& text) { return filled.names({.where = {}, .sort = text, .columns = {}}); };
    EXPECT_EQ(order("name"), "abcd");
    EXPECT_EQ(order("-name"), "dcba");
    EXPECT_EQ(order("name desc"), "dcba");
    EXPECT_EQ(order("m"), "abdc");
    EXPECT_EQ(order("-m"), "badc");
    EXPECT_EQ(order(""), "badc");
    EXPECT_EQ(order("-"), "cdab");
    EXPECT_FALSE(parseSort("a b"));
    EXPECT_EQ(filled.names({.where = {}, .sort = "name", .offset = 1, .limit = 2, .columns = {}}), "bc");
    EXPECT_EQ(filled.names({.where = {}, .sort = "name", .offset = 9, .limit = 2, .columns = {}}), "");
}

TEST(RunIndex, FollowsEveryChange) {
    std::vector<RunRow> rows{sample(), sample()};
    rows[0].name = "a";
    rows[1].name = "b";
    rows[1].id = "0000000000002";
    rows[1].createdAt = 2;
    rows[1].parent = rows[0].id;
    Filled filled(rows);
    EXPECT_EQ(filled.names({.where = "eval/loss = 2.5", .sort = {}, .columns = {}}), "ab");
    EXPECT_EQ(filled.names({.where = {}, .sort = {}, .parentsOnly = true, .columns = {}}), "a");
    rows[0].summary = {{"other", 1}};
    rows[0].latest = Json::object();
    filled.write([&](Writer& w) { return w.updateRun(rows[0]); });
    EXPECT_EQ(filled.names({.where = "eval/loss = 2.5", .sort = {}, .columns = {}}), "b") << "a figure that is gone";
    EXPECT_EQ(filled.names({.where = "other = 1", .sort = {}, .columns = {}}), "a");
    // What is rolled back is not seen.
    RunRow changed = rows[1];
    changed.name = "never";
    EXPECT_FALSE(filled.store->write(Promise::kBatch, [&](Writer& w) -> Result<void> {
        ASSAY_TRY_VOID(w.updateRun(changed));
        return fail(ErrorCode::kIo, "no");
    }));
    EXPECT_EQ(filled.names({.where = {}, .sort = {}, .columns = {}}), "ab");
    filled.write([&](Writer& w) { return w.removeRun(rows[1].id); });
    EXPECT_EQ(filled.names({.where = {}, .sort = {}, .columns = {}}), "a");
    // The place of a removed run is taken again, and nothing of it is left there.
    RunRow fresh = sample();
    fresh.id = "0000000000003";
    fresh.name = "c";
    fresh.createdAt = -1;  // older than all
    fresh.latest = fresh.summary = Json::object();
    fresh.spec = Json{{"seed", 8}};
    filled.write([&](Writer& w) { return w.insertRun(fresh); });
    EXPECT_EQ(filled.names({.where = {}, .sort = {}, .columns = {}}), "ca");
    EXPECT_EQ(filled.names({.where = "eval/loss != null or optimizer.lr = 1e-4", .sort = {}, .columns = {}}), "a");
    EXPECT_EQ(filled.names({.where = "seed = 8", .sort = {}, .columns = {}}), "c");
}

TEST(RunIndex, ColumnsAndUnknownKeys) {
    Filled filled({sample()});
    RunPage page = filled.select({.where = "vale/loss < 3", .sort = "-eval/los", .columns = {"train.optimizer.lr", "seed", "tags", "kind", "none"}});
    EXPECT_EQ(page.total, 0);
    EXPECT_EQ(page.unknown.keys, (std::vector<std::string>{"vale/loss", "eval/los", "none"}));
    EXPECT_NE(std::find(page.unknown.known.begin(), page.unknown.known.end(), "eval/loss"), page.unknown.known.end());
    page = filled.select({.where = "seed = 7", .sort = {}, .columns = {"train.optimizer.lr", "seed", "tags", "kind", "schedule.name"}});
    ASSERT_EQ(page.values.size(), 1u);
    EXPECT_EQ(page.values[0], Json::parse(R"({"train.optimizer.lr":1e-4,"seed":7,"tags":["demo","x"],"kind":"train","schedule.name":"cosine"})"));
    EXPECT_TRUE(page.unknown.keys.empty());
    Filled none({});
    EXPECT_TRUE(none.select({.where = "anything = 1", .sort = {}, .columns = {}}).unknown.keys.empty());
}

TEST(RunIndex, Groups) {
    std::vector<RunRow> rows;
    for (int i = 0; i < 6; ++i) {
        RunRow row;
        row.id = "000000000000" + std::to_string(i);
        row.kind = i < 4 ? "train" : "eval";
        row.parent = i == 5 ? rows[0].id : "";
        row.spec = Json{{"lr", i % 2 ? Json(0.5) : Json(1)}, {"big", int64_t{9007199254740993}}};
        if (i < 2) row.tags = Json::array({"x", "y"});
        if (i == 2) row.tags = Json::array({"x"});
        rows.push_back(std::move(row));
    }
    Filled filled(rows);
    auto groups = [&](const std::string& key, const std::string& where = "", bool parentsOnly = false) {
        auto found = filled.store->groups(key, where, parentsOnly);
        EXPECT_TRUE(found) << found.error().text();
        Json out = Json::array();
        for (const auto& [value, total] : found->groups) out.push_back(Json::array({value, total}));
        return out;
    };
    EXPECT_EQ(groups("kind"), Json::parse(R"([["train",4],["eval",2]])"));
    EXPECT_EQ(groups("kind", "", true), Json::parse(R"([["train",4],["eval",1]])"));
    EXPECT_EQ(groups("lr", "kind = train"), Json::parse("[[0.5,2],[1,2]]"));
    EXPECT_EQ(groups("tag"), Json::parse(R"([[null,3],["x",3],["y",2]])"));
    EXPECT_EQ(groups("reason"), Json::parse("[[null,6]]"));
    EXPECT_EQ(groups("big"), Json::parse("[[9007199254740993,6]]"));
    EXPECT_EQ(groups("nothing"), Json::parse("[[null,6]]"));
    EXPECT_FALSE(filled.store->groups("kind", "(", false));
}
