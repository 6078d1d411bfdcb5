// A dataset: inspected, mapped, paged, measured, seen as the model sees it, uploaded, prepared.
#include <assay/config/config.h>
#include <assay/core/hash.h>
#include <assay/presenters/blob_upload.h>
#include <assay/presenters/data_presenter.h>
#include <gtest/gtest.h>

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "context.h"

namespace assay::presenters {
namespace {

Json inspection() {
    return {{"format", "jsonl"}, {"rows", 250}, {"usable", 248}, {"columns", {"id", "verse", "note"}}, {"bytes", 12345}, {"mapping", {{"text", "verse"}}}, {"mapping_reason", "a column named verse"},
            {"problems", Json::array({Json{{"row", 3}, {"line", 3}, {"reason", "empty"}, {"count", 2}, {"hint", "rows without text are left out"}, {"lines", {3, 1200}}},
                                      Json{{"row", 9}, {"line", 9}, {"reason", "nul_byte"}, {"count", 20}, {"hint", "kept"}, {"lines", {9, 10}}}})},
            {"sample", Json::array()}};
}

Json rowsFrom(int64_t offset, int64_t limit, int64_t total) {
    Json rows = Json::array();
    for (int64_t i = offset; i < std::min(total, offset + limit); ++i)
        rows.push_back({{"row", i + 1}, {"line", i + 1}, {"usable", i != 2}, {"reason", i == 2 ? Json("empty") : Json()}, {"hint", ""}, {"cells", {{"id", std::to_string(i)}, {"verse", "verse " + std::to_string(i)}}}, {"text", "t"}});
    return rows;
}

struct Data : testing::Test {
    test::Context context;
    std::map<std::string, int> asked;
    std::map<std::string, Json> params;
    std::map<std::string, Result<Json>> answers;
    int64_t total = 250, pageLimit = 500;
    Data() {
        answers.insert_or_assign("data_inspect", inspection());
        answers.insert_or_assign("data_lengths", Json{{"rows", 250}, {"tokens", 2410}, {"loss_tokens", 2400}, {"shortest", 2}, {"longest", 99}, {"median", 8.5}, {"edges", {0, 50, 100}}, {"counts", {200, 48}}, {"over_length_rows", 3}, {"padding", {{"none", 0.41}, {"concat", 0.0}, {"best_fit", 0.016}}}});
        answers.insert_or_assign("data_view", Json{{"row", 1}, {"rows", 12}, {"text", "ab"}, {"tokens", Json::array({Json{{"id", 1}, {"text", "a"}, {"loss", true}, {"special", false}, {"border", true}}})}, {"total", 1}, {"loss_total", 1}});
        answers.insert_or_assign("models_list", Json{{"models", Json::array({Json{{"reference", "asset:m/m.gguf"}, {"name", "m"}, {"path", "/a/m.gguf"}, {"tokenizer", "/a/m.gguf"}, {"error", nullptr}},
                                                                            Json{{"reference", "/broken"}, {"name", "b"}, {"tokenizer", "/x"}, {"error", {{"message", "no"}}}}, Json{{"reference", "/plain"}, {"name", "p"}, {"tokenizer", nullptr}, {"error", nullptr}}})}});
        context.prepare = [this](client::FakeEngineClient& engine) {
            engine.on("runs.list", [](const Json&) { return Result<Json>(test::runList({})); });
            engine.on("runs.submit", [](const Json&) { return Result<Json>(Json{{"run", "prep1"}, {"children", Json::array()}}); });
            engine.on("tools.call", [this](const Json& call) -> Result<Json> {
                const std::string tool = call["tool"];
                ++asked[tool];
                params[tool] = call["params"];
                if (tool == "data_rows") {
                    const int64_t offset = call["params"]["offset"].get<int64_t>(), limit = std::min(call["params"]["limit"].get<int64_t>(), pageLimit);
                    const int64_t next = std::min(total, offset + limit);
                    return Json{{"columns", {"id", "verse", "note"}}, {"rows", rowsFrom(offset, limit, total)}, {"total", total}, {"next_offset", next < total ? Json(next) : Json()}};
                }
                if (tool == "spec_check") {
                    const config::Loaded loaded = config::loadSpecText(call["params"]["yaml"].get<std::string>(), "x.yaml", "/");
                    Json problems = Json::array();
                    for (const auto& p : loaded.problems) problems.push_back({{"key", p.key}, {"message", p.message}, {"hint", p.hint}});
                    return Json{{"ok", problems.empty()}, {"problems", problems}, {"resolved", loaded.resolved}};
                }
                const auto found = answers.find(tool);
                return found == answers.end() ? Result<Json>(fail(ErrorCode::kNotFound, "no such tool")) : found->second;
            });
        };
    }
    bool waitFor(const std::function<bool()>& so) {
        return QTest::qWaitFor([&] {
            context.settle();
            return so();
        });
    }
};

TEST_F(Data, OpeningAsksForEverythingOnce) {
    context.connect();
    DataPresenter p(context.app);
    p.setVisible(true);
    p.openLocal({QStringLiteral("/data/verses.jsonl")});
    EXPECT_TRUE(p.isInspecting());
    EXPECT_EQ(p.title(), QStringLiteral("verses.jsonl"));
    context.settle();
    EXPECT_EQ(params["data_inspect"]["paths"], Json({"/data/verses.jsonl"}));
    EXPECT_FALSE(params["data_inspect"].contains("columns"));   // the guess is the engine's
    EXPECT_EQ(p.formatText(), QStringLiteral("JSONL"));
    EXPECT_EQ(p.column(QStringLiteral("text")), QStringLiteral("verse"));
    EXPECT_TRUE(p.mappingIsGuessed());
    EXPECT_EQ(p.mappingReason(), QStringLiteral("a column named verse"));
    for (const char* tool : {"data_inspect", "data_rows", "data_lengths", "data_view", "models_list"}) EXPECT_EQ(asked[tool], 1) << tool;
    EXPECT_EQ(p.rows().rowCount(), 250);
    EXPECT_EQ(p.rows().headerData(2, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("verse → text"));
    EXPECT_EQ(p.rows().index(4, 2).data().toString(), QStringLiteral("verse 4"));
    EXPECT_EQ(p.rows().index(2, 4).data().toString(), QStringLiteral("No text"));
    EXPECT_EQ(p.viewRows(), 12);
    ASSERT_EQ(p.tokenizers().size(), 2U);   // bytes, and the one model that works and has a tokenizer
    EXPECT_EQ(p.tokenizers()[1].reference, QStringLiteral("asset:m/m.gguf"));
}

TEST_F(Data, DatasetsOfTheHuggingFaceCacheAreOffered) {
    answers.insert_or_assign("datasets_list", Json{{"folders", {"/hub"}},
                                                   {"datasets", Json::array({Json{{"name", "owner/verses"}, {"split", "train"}, {"config", nullptr}, {"bytes", 2000}, {"path", "/hub/verses/train-*.parquet"}, {"error", nullptr}},
                                                                             Json{{"name", "owner/odd"}, {"split", nullptr}, {"config", "en"}, {"bytes", 0}, {"path", nullptr}, {"error", "cut off"}}, Json(7)})},
                                                   {"cut", false}});
    context.connect();
    DataPresenter p(context.app);
    QSignalSpy told(&p, &DataPresenter::foundChanged);
    EXPECT_TRUE(p.found().empty());
    p.setVisible(true);
    ASSERT_TRUE(waitFor([&] { return told.count() > 0; }));
    ASSERT_EQ(p.found().size(), 2U);
    EXPECT_EQ(p.found()[0].title, QStringLiteral("owner/verses"));
    EXPECT_TRUE(p.found()[0].detail.startsWith(QStringLiteral("train")));
    EXPECT_EQ(p.found()[1].detail, QStringLiteral("cut off"));
    p.openFound(1);   // cannot be read
    p.openFound(9);
    EXPECT_FALSE(p.isOpen());
    p.openFound(0);
    ASSERT_TRUE(p.isOpen());
    EXPECT_EQ(p.files()[0].place, QStringLiteral("/hub/verses/train-*.parquet"));
    EXPECT_EQ(p.title(), QStringLiteral("owner/verses"));
    EXPECT_EQ(asked["datasets_list"], 1);
}

TEST_F(Data, ProblemsAreAllCounted) {
    context.connect();
    DataPresenter p(context.app);
    p.openLocal({QStringLiteral("/d/a.jsonl")});
    context.settle();
    const auto problems = p.problems();
    ASSERT_EQ(problems.size(), 2U);
    EXPECT_EQ(problems[0].where, QStringLiteral("lines 3, 1,200"));
    EXPECT_FALSE(problems[0].keeps);
    EXPECT_EQ(problems[1].where, QStringLiteral("lines 9, 10, …"));   // 20 of them, two are named
    EXPECT_TRUE(problems[1].keeps);
    EXPECT_EQ(p.problemRows(), 22);
}

TEST_F(Data, ChangingTheMappingInspectsAnew) {
    context.connect();
    DataPresenter p(context.app);
    p.openLocal({QStringLiteral("/d/a.jsonl")});
    context.settle();
    p.setColumn(QStringLiteral("text"), QStringLiteral("note"));
    context.settle();
    EXPECT_EQ(asked["data_inspect"], 2);
    EXPECT_EQ(params["data_inspect"]["columns"], Json({{"text", "note"}}));
    EXPECT_EQ(params["data_lengths"]["columns"], Json({{"text", "note"}}));
    EXPECT_FALSE(p.mappingIsGuessed());
    p.setShape(RowShape::kPromptCompletion);
    context.settle();
    EXPECT_EQ(params["data_inspect"]["columns"], Json({{"prompt", "note"}, {"completion", "id"}}));
    EXPECT_EQ(p.shape(), RowShape::kPromptCompletion);
    p.guessMapping();
    context.settle();
    EXPECT_FALSE(params["data_inspect"].contains("columns"));
    EXPECT_EQ(p.shape(), RowShape::kText);
}

TEST_F(Data, RowsComePageByPageAndAPageThatEndsEarlyIsCompleted) {
    pageLimit = 60;
    context.connect();
    DataPresenter p(context.app);
    p.openLocal({QStringLiteral("/d/a.jsonl")});
    context.settle();
    EXPECT_EQ(asked["data_rows"], 2);   // 60 and 40
    EXPECT_EQ(p.rows().index(99, 0).data().toString(), QStringLiteral("100"));
    EXPECT_EQ(p.rows().index(240, 0).data().toString(), QStringLiteral("…"));
    p.rows().index(241, 0).data();   // the same page is asked for once
    context.settle();
    EXPECT_EQ(asked["data_rows"], 3);
    EXPECT_EQ(params["data_rows"]["offset"], 200);
    EXPECT_EQ(p.rows().index(240, 0).data().toString(), QStringLiteral("241"));
}

TEST_F(Data, AFilterWaitsForTypingToEnd) {
    context.connect();
    DataPresenter p(context.app);
    p.openLocal({QStringLiteral("/d/a.jsonl")});
    context.settle();
    const int before = asked["data_rows"];
    for (const char* text : {"l", "lo", "lor"}) p.setFilter(QLatin1String(text));
    ASSERT_TRUE(waitFor([&] { return asked["data_rows"] > before && !p.isReadingRows(); }));
    EXPECT_EQ(asked["data_rows"], before + 1);
    EXPECT_EQ(params["data_rows"]["filter"], "lor");
}

TEST_F(Data, StaleAnswersAreDropped) {
    context.connect();
    DataPresenter p(context.app);
    p.openLocal({QStringLiteral("/d/old.jsonl")});   // not answered yet
    answers.insert_or_assign("data_inspect", Json{{"format", "text"}, {"rows", 3}, {"usable", 3}, {"columns", Json::array()}, {"problems", Json::array()}, {"bytes", 9}, {"mapping", Json::object()}, {"mapping_reason", ""}, {"sample", Json::array()}});
    QSignalSpy changed(&p, &DataPresenter::changed);
    p.openLocal({QStringLiteral("/d/new.txt")});
    context.settle();
    EXPECT_EQ(p.title(), QStringLiteral("new.txt"));
    EXPECT_EQ(jsonIntegerOr(p.inspection(), "rows", 0), 3);
    EXPECT_FALSE(p.hasColumns());
    EXPECT_EQ(asked["data_lengths"], 1);
    EXPECT_EQ(params["data_lengths"]["path"], "/d/new.txt");
}

TEST_F(Data, SettingsReachTheTools) {
    context.connect();
    DataPresenter p(context.app);
    p.openLocal({QStringLiteral("/d/a.jsonl")});
    context.settle();
    p.setSequenceLength(64);
    p.setPacking(QStringLiteral("best_fit"));
    p.setTokenizer(QStringLiteral("asset:m/m.gguf"));
    p.setViewRow(7);
    ASSERT_TRUE(waitFor([&] { return !p.isViewing() && !p.isMeasuring() && params["data_view"]["row"] == 7; }));
    EXPECT_EQ(params["data_view"]["sequence_length"], 64);
    EXPECT_EQ(params["data_view"]["packing"], "best_fit");
    EXPECT_EQ(params["data_lengths"]["tokenizer"], "asset:m/m.gguf");
    p.setViewRow(5000);
    EXPECT_EQ(p.viewRow(), 12);   // as many as there are
    answers.insert_or_assign("data_view", fail(ErrorCode::kUnsupported, "not part of this build", "set all"));
    p.setLossOn(QStringLiteral("assistant"));
    ASSERT_TRUE(waitFor([&] { return !p.isViewing(); }));
    ASSERT_TRUE(p.viewError());
    EXPECT_EQ(p.viewError()->code, ErrorCode::kUnsupported);
    EXPECT_TRUE(p.lengths().is_object());   // the others stay
}

TEST_F(Data, AnErrorIsKeptAndReloadTriesAgain) {
    answers.insert_or_assign("data_inspect", fail(ErrorCode::kInvalidFile, "UTF-16", "convert it"));
    context.connect();
    DataPresenter p(context.app);
    p.openLocal({QStringLiteral("/d/a.txt")});
    context.settle();
    ASSERT_TRUE(p.error());
    EXPECT_EQ(p.error()->hint, "convert it");
    EXPECT_FALSE(p.whyNotPrepare().isEmpty());
    EXPECT_TRUE(p.recent().empty());   // what cannot be read is not offered again
    answers.insert_or_assign("data_inspect", inspection());
    p.reload();
    context.settle();
    EXPECT_FALSE(p.error());
    ASSERT_EQ(p.recent().size(), 1U);
    EXPECT_EQ(p.recent()[0].detail, QStringLiteral("/d"));
}

TEST_F(Data, PrepareSubmitsAValidSpecAndOpensTheRun) {
    context.connect();
    DataPresenter p(context.app);
    p.openLocal({QStringLiteral("/d/my verses.jsonl"), QStringLiteral("/d/b.jsonl")});
    context.settle();
    p.setTokenizer(QStringLiteral("asset:m/m.gguf"));
    p.setPacking(QStringLiteral("best_fit"));
    p.prepare();
    p.prepare();   // a double click is one run
    context.settle();
    ASSERT_EQ(context.countOf("runs.submit"), 1);
    const Json spec = context.lastOf("runs.submit")["spec"];
    EXPECT_EQ(spec["kind"], "prepare");
    EXPECT_EQ(spec["name"], "prepare-my-verses");
    ASSERT_EQ(spec["data"]["train"].size(), 2U);
    EXPECT_EQ(spec["data"]["train"][1]["path"], "/d/b.jsonl");
    EXPECT_EQ(spec["data"]["train"][0]["columns"], Json({{"text", "verse"}}));   // the guess is written down
    EXPECT_EQ(spec["data"]["packing"], "best_fit");
    EXPECT_EQ(spec["data"]["tokenizer"], "asset:m/m.gguf");
    ASSERT_EQ(context.visited.size(), 1U);
    EXPECT_EQ(context.visited[0].second, Json({{"run", "prep1"}}));
    p.useInExperiment();
    EXPECT_EQ(context.visited[1].first, QStringLiteral("experiment"));
    const Json columns = {{"text", "verse"}};
    EXPECT_EQ(context.visited[1].second, Json({{"data", {{"path", "/d/my verses.jsonl"}, {"format", "auto"}, {"columns", columns},
                                                         {"sources", {{{"path", "/d/my verses.jsonl"}, {"columns", columns}}, {{"path", "/d/b.jsonl"}, {"columns", columns}}}},
                                                         {"tokenizer", "asset:m/m.gguf"}, {"sequence_length", 256}, {"packing", "best_fit"}}}}));
    p.setSequenceLength(512);
    p.setLossOn(QStringLiteral("completion"));
    p.setOverLength(QStringLiteral("drop"));
    const Json all = p.experimentArgument();
    EXPECT_EQ(all["sequence_length"], 512);
    EXPECT_EQ(all["loss_on"], "completion");
    EXPECT_EQ(all["over_length"], "drop");
}

struct Upload : Data {
    QTemporaryDir folder;
    QByteArray content;
    QString file;
    std::string received;
    Upload() {
        for (int i = 0; content.size() < 2'000'000; ++i) content += "{\"verse\": \"number " + QByteArray::number(i) + "\"}\n";
        file = folder.filePath(QStringLiteral("big.jsonl"));
        QFile out(file);
        EXPECT_TRUE(out.open(QIODevice::WriteOnly));
        out.write(content);
        out.close();
        const auto base = context.prepare;
        context.prepare = [this, base](client::FakeEngineClient& engine) {
            base(engine);
            engine.on("blobs.put", [this](const Json& call) -> Result<Json> {
                EXPECT_EQ(call["offset"].get<size_t>(), received.size());
                const std::string piece = call["data"];
                EXPECT_LE(piece.size(), size_t{1} << 20);
                received += QByteArray::fromBase64(QByteArray::fromStdString(piece)).toStdString();
                return Json{{"complete", received.size() == call["total"].get<size_t>()}, {"reference", "blob:" + call["sha256"].get<std::string>()}};
            });
        };
        context.connect({EngineTarget::Kind::kSsh, QStringLiteral("ssh://gpu-box")});
    }
};

TEST_F(Upload, AFileForARemoteEngineIsSentInPiecesAndOpened) {
    DataPresenter p(context.app);
    EXPECT_TRUE(p.engineIsRemote());
    p.openLocal({file});
    EXPECT_TRUE(p.isUploading());
    EXPECT_FALSE(p.isOpen());
    ASSERT_TRUE(waitFor([&] { return p.inspection().is_object(); }));
    EXPECT_FALSE(p.isUploading());
    EXPECT_EQ(received, content.toStdString());
    EXPECT_EQ(context.countOf("blobs.put"), 3);   // 2.0 MB in pieces of 768 KiB
    const std::string reference = "blob:" + sha256Hex(received);
    EXPECT_EQ(params["data_inspect"]["paths"], Json({reference}));
    EXPECT_EQ(params["data_inspect"]["format"], "jsonl");   // a blob has no ending
    EXPECT_EQ(p.title(), QStringLiteral("big.jsonl"));
    EXPECT_EQ(p.recent()[0].detail, QStringLiteral("uploaded"));
}

TEST_F(Upload, CanBeCancelledAndSaysWhatWentWrong) {
    DataPresenter p(context.app);
    p.openLocal({file});
    p.cancelUpload();
    EXPECT_FALSE(p.isUploading());
    EXPECT_FALSE(p.uploadError());
    context.settle();
    EXPECT_EQ(context.countOf("blobs.put"), 0);
    EXPECT_FALSE(p.isOpen());
    p.openLocal({folder.filePath(QStringLiteral("none.jsonl"))});
    ASSERT_TRUE(waitFor([&] { return p.uploadError().has_value(); }));
    EXPECT_EQ(p.uploadError()->code, ErrorCode::kNotFound);
    p.openLocal({QStringLiteral("/x/packed.jsonl.gz")});
    ASSERT_TRUE(p.uploadError());
    EXPECT_EQ(p.uploadError()->code, ErrorCode::kUnsupported);
}

TEST_F(Upload, AnotherEngineClosesTheDataset) {
    DataPresenter p(context.app);
    p.openOnEngine({QStringLiteral("/d/a.jsonl")});
    context.settle();
    EXPECT_TRUE(p.isOpen());
    context.connect({});
    EXPECT_FALSE(p.isOpen());
    EXPECT_TRUE(p.recent().empty());   // it is of the other machine
}

}  // namespace
}  // namespace assay::presenters
