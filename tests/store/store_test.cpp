#include <assay/core/durable.h>
#include <assay/core/hash.h>
#include <assay/store/store.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <filesystem>

#include "temp_folder.h"

using namespace assay;
using namespace assay::store;

namespace {

RunRow makeRun(const std::string& id, const std::string& parent = "") {
    RunRow row;
    row.id = id;
    row.name = "n-" + id;
    row.kind = "train";
    row.parent = parent;
    row.createdAt = 1000;
    row.spec = Json{{"train", {{"optimizer", {{"lr", 1e-3}}}}}};
    return row;
}

std::unique_ptr<Store> openStore(const std::string& folder) {
    auto store = Store::open(folder);
    EXPECT_TRUE(store) << store.error().text();
    return store ? std::move(*store) : nullptr;
}

void sql(const std::string& file, const std::string& text) {
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open(file.c_str(), &db), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(db, text.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
    sqlite3_close(db);
}

}  // namespace

TEST(Store, RunsSurviveReopening) {
    test::TempFolder folder;
    std::string epoch;
    RunRow row = makeRun("0000000000001");
    row.tags = Json::array({"a"});
    row.summary = {{"eval/loss", 2.5}};
    row.after = {"0000000000000"};
    row.startTicks = 77;
    {
        auto store = openStore(folder / "s");
        epoch = store->epoch();
        ASSERT_TRUE(store->write(Promise::kDurable, [&](Writer& w) { return w.insertRun(row); }));
        row.status = RunStatus::kFailed;
        row.error = {{"code", "io"}};
        ASSERT_TRUE(store->write(Promise::kDurable, [&](Writer& w) { return w.updateRun(row); }));
    }
    auto store = openStore(folder / "s");
    EXPECT_EQ(store->epoch(), epoch);
    ASSERT_TRUE(store->read([&](Reader& r) -> Result<void> {
        ASSAY_TRY(RunRow back, r.run(row.id));
        EXPECT_EQ(back.status, RunStatus::kFailed);
        EXPECT_EQ(back.after, row.after);
        EXPECT_EQ(back.startTicks, 77u);
        EXPECT_EQ(runRowToJson(back), runRowToJson(row));
        EXPECT_EQ(*back.spec, *row.spec);
        return {};
    }));
}

TEST(Store, SecondOwnerIsRefusedByName) {
    test::TempFolder folder;
    auto store = openStore(folder / "s");
    auto second = Store::open(folder / "s");
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, ErrorCode::kBusy);
    EXPECT_NE(second.error().message.find("pid " + std::to_string(::getpid())), std::string::npos);
}

TEST(Store, ThatIsMovedOrDeletedIsTroubleUntilItIsBack) {
    test::TempFolder folder;
    auto store = openStore(folder / "s");
    int told = 0;
    store->onTrouble([&] { ++told; });
    EXPECT_FALSE(store->isGone());
    EXPECT_TRUE(store->probe());
    std::filesystem::rename(folder / "s", folder / "elsewhere");
    EXPECT_TRUE(store->isGone());
    EXPECT_FALSE(store->probe());
    ASSERT_TRUE(store->trouble());
    EXPECT_EQ(store->trouble()->code, ErrorCode::kNotFound);
    EXPECT_NE(store->trouble()->message.find(folder / "s"), std::string::npos);
    EXPECT_FALSE(store->trouble()->hint.empty());
    EXPECT_FALSE(store->probe());
    EXPECT_EQ(told, 1);
    {   // another store at the same place is not this one
        auto other = openStore(folder / "s");
        EXPECT_FALSE(other->isGone());
        EXPECT_TRUE(store->isGone());
    }
    std::filesystem::remove_all(folder / "s");
    std::filesystem::rename(folder / "elsewhere", folder / "s");
    EXPECT_FALSE(store->isGone());
    EXPECT_TRUE(store->probe()) << store->trouble()->text();
    EXPECT_FALSE(store->trouble());
    EXPECT_EQ(told, 2);
}

TEST(Store, NewerStoreIsRefusedUntouched) {
    test::TempFolder folder;
    { openStore(folder / "s"); }
    sql(folder / "s/assay.db", "PRAGMA user_version=9999");
    const auto before = sha256HexOfFile(folder / "s/assay.db");
    auto again = Store::open(folder / "s");
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().code, ErrorCode::kVersionMismatch);
    EXPECT_NE(again.error().message.find("9999"), std::string::npos);
    EXPECT_EQ(*sha256HexOfFile(folder / "s/assay.db"), *before);
}

// A store as schema 1 wrote it (schema1.sql): opened, raised, and its copy kept.
TEST(Store, OlderStoreIsRaisedAfterACopy) {
    test::TempFolder folder;
    ASSERT_TRUE(makeFolders(folder / "s"));
    auto text = readFile(std::string(ASSAY_SOURCE_DIR) + "/tests/store/schema1.sql");
    ASSERT_TRUE(text) << text.error().text();
    sql(folder / "s/assay.db", *text);
    auto store = openStore(folder / "s");
    ASSERT_TRUE(store);
    EXPECT_EQ(store->epoch(), "0123456789abcdef0123456789abcdef");
    ASSERT_TRUE(store->read([&](Reader& r) -> Result<void> {
        ASSAY_TRY(RunRow row, r.run("0000000000001"));
        EXPECT_EQ(row.status, RunStatus::kDone);
        EXPECT_EQ(row.summary["eval/loss"], 2.5);
        EXPECT_FALSE(row.resumedFrom);
        ASSAY_TRY(auto seq, r.lastSeq());
        EXPECT_EQ(seq, 3);
        return {};
    }));
    RunRow row = makeRun("0000000000002");
    row.resumedFrom = 40;
    ASSERT_TRUE(store->write(Promise::kDurable, [&](Writer& w) { return w.insertRun(row); }));
    auto page = store->select({.where = "status = done", .sort = {}, .columns = {}});
    ASSERT_TRUE(page);
    EXPECT_EQ(page->total, 1);
    ASSERT_TRUE(store->read([&](Reader& r) -> Result<void> {
        ASSAY_TRY(RunRow back, r.run(row.id));
        EXPECT_EQ(back.resumedFrom, 40);
        EXPECT_EQ(runRowToJson(back)["resumed_from_step"], 40);
        return {};
    }));
    sqlite3* copy = nullptr;
    ASSERT_EQ(sqlite3_open((folder / "s/assay.db.before-2").c_str(), &copy), SQLITE_OK);
    sqlite3_stmt* version = nullptr;
    ASSERT_EQ(sqlite3_prepare_v2(copy, "PRAGMA user_version", -1, &version, nullptr), SQLITE_OK);
    ASSERT_EQ(sqlite3_step(version), SQLITE_ROW);
    EXPECT_EQ(sqlite3_column_int(version, 0), 1);
    sqlite3_finalize(version);
    sqlite3_close(copy);
}

// Schema 2 is schema 1 and a column; its events are found through the index of schema 3.
TEST(Store, SchemaTwoGetsItsIndex) {
    test::TempFolder folder;
    ASSERT_TRUE(makeFolders(folder / "s"));
    auto text = readFile(std::string(ASSAY_SOURCE_DIR) + "/tests/store/schema1.sql");
    ASSERT_TRUE(text);
    sql(folder / "s/assay.db", *text);
    sql(folder / "s/assay.db", "ALTER TABLE runs ADD COLUMN resumed_from INTEGER; PRAGMA user_version=2;"
                               "INSERT INTO events(run,type,json) VALUES('0000000000001','sample','{\"step\":5}')");
    auto store = openStore(folder / "s");
    ASSERT_TRUE(store);
    ASSERT_TRUE(store->read([&](Reader& r) -> Result<void> {
        ASSAY_TRY(Json samples, r.keptEvents("0000000000001", "sample", 10, 1000));
        EXPECT_EQ(samples, Json::array({{{"step", 5}}}));
        return {};
    }));
    struct stat st {};
    EXPECT_EQ(::stat((folder / "s/assay.db.before-3").c_str(), &st), 0);
}

// When the older half of the events goes, what a run's page shows of them stays, until the run goes.
TEST(Store, SamplesAndResumesOutliveOtherEvents) {
    test::TempFolder folder;
    const RunRow row = makeRun("0000000000001");
    {
        auto store = openStore(folder / "s");
        ASSERT_TRUE(store->write(Promise::kDurable, [&](Writer& w) -> Result<void> {
            ASSAY_TRY_VOID(w.insertRun(row));
            for (int i = 0; i < 3; ++i)
                if (auto told = w.addEvent(row.id, "sample", {{"step", i}, {"text", "words"}}); !told) return fail(told.error());
            if (auto told = w.addEvent(row.id, "resumed", {{"step", 7}}); !told) return fail(told.error());
            return {};
        }));
    }
    sql(folder / "s/assay.db", "INSERT INTO events(run,type,json) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<1000000) SELECT '','log','{}' FROM n");
    auto store = openStore(folder / "s");
    ASSERT_TRUE(store->write(Promise::kBatch, [&](Writer& w) -> Result<void> {
        for (int i = 0; i <= 100'000; ++i)
            if (auto told = w.addEvent(row.id, "log", Json::object()); !told) return fail(told.error());
        return {};
    }));
    auto kept = [&](std::string_view type, int64_t limit, size_t bytes) {
        Json out;
        EXPECT_TRUE(store->read([&](Reader& r) -> Result<void> {
            ASSAY_TRY(out, r.keptEvents(row.id, type, limit, bytes));
            return {};
        }));
        return out;
    };
    ASSERT_TRUE(store->read([&](Reader& r) -> Result<void> {
        EXPECT_EQ(r.events(4, 10, 1000).error().code, ErrorCode::kGone);
        return {};
    }));
    ASSERT_EQ(kept("sample", 10, 1000).size(), 3u);
    EXPECT_EQ(kept("sample", 10, 1000)[0]["step"], 0);
    ASSERT_EQ(kept("sample", 2, 1000).size(), 2u);
    EXPECT_EQ(kept("sample", 2, 1000)[0]["step"], 1) << "the newest, in order";
    EXPECT_EQ(kept("sample", 10, 1).size(), 1u) << "at least one";
    EXPECT_EQ(kept("resumed", 10, 1000)[0]["step"], 7);
    ASSERT_TRUE(store->write(Promise::kBatch, [&](Writer& w) { return w.removeRun(row.id); }));
    EXPECT_TRUE(kept("sample", 10, 1000).empty());
}

TEST(Store, DamagedDatabaseIsAClearError) {
    test::TempFolder folder;
    ASSERT_TRUE(makeFolders(folder / "s"));
    ASSERT_TRUE(writeFileDurably(folder / "s/assay.db", std::string(8192, 'x')));
    auto store = Store::open(folder / "s");
    ASSERT_FALSE(store);
    EXPECT_EQ(store.error().code, ErrorCode::kInvalidFile) << store.error().text();
    EXPECT_NE(store.error().hint.find("assay.db"), std::string::npos);
}

TEST(Store, EventsHaveRisingNumbersAndOneProgress) {
    test::TempFolder folder;
    auto store = openStore(folder / "s");
    const std::string run = "0000000000001";
    int commits = 0;
    store->onCommit([&] { ++commits; });
    std::vector<int64_t> seqs;
    ASSERT_TRUE(store->write(Promise::kBatch, [&](Writer& w) -> Result<void> {
        ASSAY_TRY_VOID(w.insertRun(makeRun(run)));
        for (int i = 0; i < 5; ++i) {
            ASSAY_TRY(auto seq, w.addEvent(run, i % 2 ? "progress" : "log", {{"i", i}, {"type", "forged"}, {"seq", 99}}));
            seqs.push_back(seq);
        }
        return {};
    }));
    EXPECT_EQ(commits, 1);
    ASSERT_TRUE(store->read([&](Reader& r) -> Result<void> {
        ASSAY_TRY(auto events, r.events(0, 100, 1 << 20));
        EXPECT_EQ(events.size(), 4u);  // the first of two progress events was replaced
        int64_t last = 0;
        for (const auto& event : events) {
            EXPECT_GT(event.seq, last);
            last = event.seq;
            auto json = parseJson(event.json, "event");
            EXPECT_TRUE(json) << event.json;
            EXPECT_EQ((*json)["seq"], event.seq);
            EXPECT_EQ((*json)["type"], event.type);
            EXPECT_EQ((*json)["run"], run);
        }
        ASSAY_TRY(auto one, r.events(seqs[0], 100, 1));
        EXPECT_EQ(one.size(), 1u);  // at least one, however small the limit
        ASSAY_TRY(auto seq, r.lastSeq());
        EXPECT_EQ(seq, seqs.back());
        EXPECT_EQ(r.events(seq + 1, 1, 1).error().code, ErrorCode::kGone);
        return {};
    }));
}

TEST(Store, ReferencesByPrefix) {
    test::TempFolder folder;
    auto store = openStore(folder / "s");
    ASSERT_TRUE(store->write(Promise::kBatch, [&](Writer& w) -> Result<void> {
        ASSAY_TRY_VOID(w.insertRun(makeRun("aaaa000000001")));
        return w.insertRun(makeRun("aaaa000000002"));
    }));
    ASSERT_TRUE(store->read([&](Reader& r) -> Result<void> {
        EXPECT_EQ(*r.resolveRun("aaaa000000001"), "aaaa000000001");
        EXPECT_EQ(r.resolveRun("aaaa").error().code, ErrorCode::kBadUsage);
        for (const char* bad : {"", "aaa", "zzzz", "../x", "aaaa%", "aaaa0000000011"}) EXPECT_EQ(r.resolveRun(bad).error().code, ErrorCode::kNotFound) << bad;
        return {};
    }));
}

TEST(Store, SetupsOfOneNameAreMerged) {
    test::TempFolder folder;
    auto store = openStore(folder / "s");
    ASSERT_TRUE(store->write(Promise::kBatch, [&](Writer& w) -> Result<void> {
        ASSAY_TRY(auto a, w.mergeSetup("r", {{"name", "int8"}, {"accuracy", {{"nll", 1.0}}}, {"path", "p"}}));
        ASSAY_TRY(auto b, w.mergeSetup("r", {{"name", "int8"}, {"accuracy", {{"tokens", 5}}}, {"speed", {{"batch", 1}}}}));
        EXPECT_EQ(b, Json::parse(R"({"name":"int8","accuracy":{"nll":1.0,"tokens":5},"path":"p","speed":{"batch":1}})"));
        return {};
    }));
}

TEST(Store, RemovedRunLeavesNoRows) {
    test::TempFolder folder;
    {
        auto store = openStore(folder / "s");
        std::vector<protocol::MetricRecord> rows{{1, 0, 0, {{"a", 1}}}};
        ASSERT_TRUE(store->write(Promise::kBatch, [&](Writer& w) -> Result<void> {
            ASSAY_TRY_VOID(w.insertRun(makeRun("0000000000001")));
            ASSAY_TRY_VOID(w.appendMetrics("0000000000001", "", rows));
            ASSAY_TRY_VOID(w.addCheckpoint("0000000000001", {{"step", 1}}));
            ASSAY_TRY_VOID(w.setTail("0000000000001", 0, {}));
            return w.removeRun("0000000000001");
        }));
    }
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open((folder / "s/assay.db").c_str(), &db), SQLITE_OK);
    for (std::string table : {"runs", "series", "blocks", "block_data", "tails", "checkpoints"}) {
        sqlite3_stmt* count = nullptr;
        ASSERT_EQ(sqlite3_prepare_v2(db, ("SELECT COUNT(*) FROM " + table).c_str(), -1, &count, nullptr), SQLITE_OK);
        ASSERT_EQ(sqlite3_step(count), SQLITE_ROW);
        EXPECT_EQ(sqlite3_column_int(count, 0), 0) << table;
        sqlite3_finalize(count);
    }
    sqlite3_close(db);
}

TEST(Blobs, AreCheckedByContent) {
    test::TempFolder folder;
    auto store = openStore(folder / "s");
    const std::string bytes(100'000, 'b'), hash = sha256Hex(bytes);
    const auto total = static_cast<int64_t>(bytes.size());
    EXPECT_EQ(store->blobPath(hash).error().code, ErrorCode::kNotFound);
    EXPECT_FALSE(*store->putBlob(hash, 0, total, std::string_view(bytes).substr(0, 50'000)));
    EXPECT_EQ(store->putBlob(hash, 60'000, total, "x").error().code, ErrorCode::kBadUsage) << "a hole";
    EXPECT_TRUE(*store->putBlob(hash, 50'000, total, std::string_view(bytes).substr(50'000)));
    EXPECT_EQ(*readFile(*store->blobPath(hash)), bytes);
    EXPECT_TRUE(*store->putBlob(hash, 0, total, "")) << "already there";
    const std::string other = sha256Hex("other");
    EXPECT_EQ(store->putBlob(other, 0, 5, "wrong").error().code, ErrorCode::kInvalidFile);
    EXPECT_FALSE(store->blobPath(other));
    for (const std::string& bad : {std::string("../../etc/passwd"), std::string(63, 'a'), std::string(64, 'A'), std::string(64, 'g'), std::string()})
        EXPECT_EQ(store->putBlob(bad, 0, 0, "").error().code, ErrorCode::kBadUsage) << bad;
    EXPECT_FALSE(store->putBlob(hash, -1, 5, "x"));
    EXPECT_FALSE(store->putBlob(hash, 0, -5, ""));
    EXPECT_FALSE(store->putBlob(other, 4, 5, "xx"));
}
