// What the window shows around the pages: link in words, machine, palette, dropped files, history, notices.
#include <assay/presenters/dropped_paths.h>
#include <assay/presenters/fuzzy.h>
#include <assay/presenters/link_status.h>
#include <assay/presenters/machine_watch.h>
#include <assay/presenters/notice_log.h>
#include <assay/presenters/page_history.h>
#include <assay/presenters/palette_presenter.h>
#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "context.h"

namespace assay {
namespace {

using namespace presenters;
using test::Context;

const EngineTarget kLocal, kBox{EngineTarget::Kind::kSsh, QStringLiteral("ssh://me@gpu-box")};

TEST(LinkWords, LiveNeedsNoBanner) {
    const LinkStatus status = describeLink(Link::kLive, {}, {}, kLocal);
    EXPECT_EQ(status.state, QStringLiteral("Live"));
    EXPECT_EQ(status.tone, Severity::kGood);
    EXPECT_FALSE(status.banner);
}

TEST(LinkWords, StaleSaysSinceWhen) {
    const QDateTime since(QDate(2026, 1, 2), QTime(12, 4), Qt::UTC);   // tests run in UTC
    const LinkStatus status = describeLink(Link::kReconnecting, Error(ErrorCode::kUnreachable, "cable"), since, kBox);
    EXPECT_TRUE(status.state.endsWith(QStringLiteral("stale since 12:04"))) << qPrintable(status.state);
    EXPECT_TRUE(status.title.contains(QStringLiteral("gpu-box")));
    EXPECT_TRUE(status.banner && status.canRetry && status.offerEngines);
    EXPECT_EQ(status.technical, QStringLiteral("cable"));
}

TEST(LinkWords, EachRefusalSaysWhatToDo) {
    const auto closed = [](ErrorCode code, const EngineTarget& target, const char* hint = "") { return describeLink(Link::kClosed, Error(code, "the words of the engine", hint), {}, target); };
    QSet<QString> titles;
    for (ErrorCode code : {ErrorCode::kVersionMismatch, ErrorCode::kUnauthorized, ErrorCode::kUnreachable, ErrorCode::kDiskFull, ErrorCode::kBadUsage, ErrorCode::kCancelled}) {
        const LinkStatus status = closed(code, kBox);
        EXPECT_TRUE(status.banner && status.canRetry && status.offerEngines);
        EXPECT_EQ(status.tone, Severity::kError);
        EXPECT_FALSE(status.advice.isEmpty());
        EXPECT_EQ(status.technical, QStringLiteral("the words of the engine"));
        titles.insert(status.title);
    }
    EXPECT_EQ(titles.size(), 6);
    EXPECT_TRUE(closed(ErrorCode::kVersionMismatch, kBox, "update the client").advice.contains(QStringLiteral("update the client")));
    EXPECT_NE(closed(ErrorCode::kUnreachable, kLocal).title, closed(ErrorCode::kUnreachable, kBox).title);
    EXPECT_TRUE(closed(ErrorCode::kUnauthorized, kBox).advice.contains(QStringLiteral("assay engine token")));
}

TEST(LinkWords, AnEngineThatCannotRecordIsNotLive) {
    const Error gone(ErrorCode::kNotFound, "the store /data/s was deleted", "put it back"), full(ErrorCode::kDiskFull, "no room"), other(ErrorCode::kIo, "cannot write", "check the disk");
    const auto live = [](const Error& trouble, const EngineTarget& target) { return describeLink(Link::kLive, {}, {}, target, trouble); };
    QSet<QString> states;
    for (const Error& trouble : {gone, full, other}) {
        const LinkStatus status = live(trouble, kLocal);
        EXPECT_TRUE(status.banner);
        EXPECT_EQ(status.tone, Severity::kError);
        EXPECT_FALSE(status.title.isEmpty() || status.advice.isEmpty());
        EXPECT_TRUE(status.technical.contains(QString::fromStdString(trouble.message)));
        states.insert(status.state);
    }
    EXPECT_EQ(states.size(), 3);
    EXPECT_FALSE(states.contains(QStringLiteral("Live")));
    EXPECT_TRUE(live(gone, kLocal).canRetry);    // an engine can be started here
    EXPECT_FALSE(live(gone, kBox).canRetry);     // there it cannot
    EXPECT_FALSE(live(full, kLocal).canRetry);   // it tries by itself
    EXPECT_EQ(describeLink(Link::kReconnecting, Error(ErrorCode::kUnreachable, "cable"), QDateTime::currentDateTimeUtc(), kLocal, gone).title,
              describeLink(Link::kReconnecting, Error(ErrorCode::kUnreachable, "cable"), QDateTime::currentDateTimeUtc(), kLocal).title);
}

TEST(Machine, IsAskedOnlyWhileSeenAndForgottenWithTheLink) {
    Context context;
    context.prepare = [](client::FakeEngineClient& engine) {
        engine.on("runs.list", [](const Json&) { return Result<Json>(test::runList({})); });
        engine.on("engine.machine", [](const Json&) {
            return Result<Json>(Json{{"cpu_model", "Abacus"}, {"cores", 2}, {"cpu_fraction", 0.61}, {"memory_total_bytes", 24e9}, {"memory_used_bytes", 9.8e9},
                                     {"disk_free_bytes", 71e9}, {"runs_running", 1}, {"runs_queued", 3}});
        });
    };
    context.connect();
    MachineWatch watch(context.session);
    context.settle();
    EXPECT_EQ(context.countOf("engine.machine"), 0);
    EXPECT_EQ(watch.cpuText(), QStringLiteral("—"));
    watch.setActive(true);
    context.settle();
    EXPECT_EQ(context.countOf("engine.machine"), 1);
    EXPECT_EQ(watch.cpuText(), QStringLiteral("61\u00A0%"));
    EXPECT_EQ(watch.memoryText(), QStringLiteral("9.80\u00A0GB of 24.0\u00A0GB"));
    EXPECT_EQ(watch.diskText(), QStringLiteral("71.0\u00A0GB free"));
    EXPECT_EQ(watch.queueText(), QStringLiteral("1 running, 3 waiting"));
    QSignalSpy changed(&watch, &MachineWatch::changed);
    ASSERT_TRUE(QTest::qWaitFor([&] {
        context.settle();
        return changed.count() == 1;
    }, 4000));
    context.engine->loseLink(Error(ErrorCode::kUnreachable, "cable"));
    EXPECT_TRUE(watch.machine().is_null());
    EXPECT_EQ(watch.queueText(), QStringLiteral("—"));
}

TEST(Machine, AnOlderEngineIsAskedOnce) {
    Context context;
    context.prepare = [](client::FakeEngineClient& engine) { engine.on("runs.list", [](const Json&) { return Result<Json>(test::runList({})); }); };
    context.connect();
    MachineWatch watch(context.session);
    watch.setActive(true);
    context.settle();
    EXPECT_FALSE(watch.isSupported());
    watch.setActive(false);
    watch.setActive(true);
    context.settle();
    EXPECT_EQ(context.countOf("engine.machine"), 1);
}

TEST(Fuzzy, PrefersWholeHitsThenStartsOfWords) {
    EXPECT_EQ(fuzzyScore(QStringLiteral("xyz"), QStringLiteral("Compare")), 0);
    EXPECT_GT(fuzzyScore(QString(), QStringLiteral("Compare")), 0);
    EXPECT_GT(fuzzyScore(QStringLiteral("comp"), QStringLiteral("Compare")), fuzzyScore(QStringLiteral("comp"), QStringLiteral("Decompose")));
    EXPECT_GT(fuzzyScore(QStringLiteral("ne"), QStringLiteral("New experiment")), fuzzyScore(QStringLiteral("ne"), QStringLiteral("Open the queue")));
    EXPECT_GT(fuzzyScore(QStringLiteral("nexp"), QStringLiteral("New experiment")), 0);
    EXPECT_GT(fuzzyScore(QStringLiteral("de"), QStringLiteral("Dark theme")), 0);
    EXPECT_EQ(fuzzyScore(QStringLiteral("ba"), QStringLiteral("ab")), 0);   // in order
    EXPECT_GT(fuzzyScore(QStringLiteral("实验"), QStringLiteral("新建实验")), 0);
}

struct Palette : testing::Test {
    Context context;
    QStringList ran;
    Palette() {
        context.prepare = [](client::FakeEngineClient& engine) {
            engine.on("runs.list", [](const Json& params) -> Result<Json> {
                if (!params.contains("where")) return test::runList({});
                return test::runList({test::runRow("abcd", "dark-matter", "done")});
            });
        };
        context.connect();
        context.commands.add({QStringLiteral("theme.dark"), QStringLiteral("Dark theme"), QStringLiteral("View"), QStringLiteral("Ctrl+D"), [this] { ran.append(QStringLiteral("dark")); }});
        context.commands.add({QStringLiteral("never"), QStringLiteral("Dark never"), {}, {}, [] {}, [] { return false; }});
    }
    static QStringList titles(const PalettePresenter& palette) {
        QStringList list;
        for (const PaletteEntry& entry : palette.entries()) list.append(entry.title);
        return list;
    }
};

TEST_F(Palette, OffersPagesAndCommandsAtOnceAndRunsLater) {
    PalettePresenter palette(context.app, {{QStringLiteral("data"), QStringLiteral("Data"), QStringLiteral("data")}});
    EXPECT_EQ(titles(palette).size(), 2);
    palette.setTyped(QStringLiteral("dark"));
    EXPECT_EQ(titles(palette), QStringList{QStringLiteral("Dark theme")});
    EXPECT_TRUE(palette.isSearching());
    ASSERT_TRUE(QTest::qWaitFor([&] {
        context.settle();
        return palette.entries().size() == 2;
    }));
    EXPECT_EQ(context.lastOf("runs.list")["where"], "name ~ \"dark\"");
    EXPECT_EQ(palette.entries()[1].kind, PaletteEntry::Kind::kRun);
    palette.entries()[0].run();
    EXPECT_EQ(ran, QStringList{QStringLiteral("dark")});
    palette.entries()[1].run();
    ASSERT_EQ(context.visited.size(), 1U);
    EXPECT_EQ(context.visited[0].first, QStringLiteral("run"));
    EXPECT_EQ(context.visited[0].second, Json({{"run", "abcd"}}));
}

TEST_F(Palette, AnAnswerToAnOlderTextIsDropped) {
    PalettePresenter palette(context.app, {});
    palette.setTyped(QStringLiteral("dark"));
    ASSERT_TRUE(QTest::qWaitFor([&] {
        QCoreApplication::processEvents();
        return context.countOf("runs.list") == 2;
    }));
    palette.setTyped(QStringLiteral("zzz"));
    context.engine->deliver();
    EXPECT_TRUE(palette.entries().isEmpty());
}

TEST(RunSearch, QuotesWhatAPersonTyped) {
    EXPECT_EQ(runSearch(QStringLiteral(" a  b ")), QStringLiteral("name ~ \"a b\""));
    EXPECT_EQ(runSearch(QStringLiteral("a\" or b = \"\\")), QStringLiteral("name ~ \"a\\\" or b = \\\"\\\\\""));
}

TEST(DroppedPaths, GoToTheirPages) {
    QTemporaryDir folder;
    const auto touch = [&](const char* name) {
        const QString path = folder.filePath(QLatin1String(name));
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        return path;
    };
    EXPECT_EQ(pathKind(touch("a.jsonl")), PathKind::kDataset);
    EXPECT_EQ(pathKind(touch("b.CSV.gz")), PathKind::kDataset);
    EXPECT_EQ(pathKind(touch("c.yaml")), PathKind::kExperiment);
    EXPECT_EQ(pathKind(touch("d.gguf")), PathKind::kModel);
    EXPECT_EQ(pathKind(touch("e.exe")), PathKind::kUnknown);
    EXPECT_EQ(pathKind(folder.filePath(QStringLiteral("none.txt"))), PathKind::kMissing);
    touch("model/config.json");
    touch("texts/one.txt");
    EXPECT_EQ(pathKind(folder.filePath(QStringLiteral("model"))), PathKind::kModel);
    EXPECT_EQ(pathKind(folder.filePath(QStringLiteral("texts"))), PathKind::kDataset);
    const auto routes = routePaths({folder.filePath(QStringLiteral("e.exe")), folder.filePath(QStringLiteral("a.jsonl")), folder.filePath(QStringLiteral("c.yaml")), folder.filePath(QStringLiteral("b.CSV.gz"))});
    ASSERT_EQ(routes.size(), 3);
    EXPECT_EQ(routes[0].first, QStringLiteral("data"));
    EXPECT_EQ(routes[0].second.size(), 2);
    EXPECT_EQ(routes[1].first, QStringLiteral("experiment"));
    EXPECT_TRUE(routes[2].first.isEmpty());
}

TEST(History, GoesBackAndForwardAndForgetsWhatLayAhead) {
    PageHistory history;
    EXPECT_FALSE(history.back());
    const PageHistory::Place home{QStringLiteral("home")}, runs{QStringLiteral("runs")}, run{QStringLiteral("run"), {{"run", "a"}}}, data{QStringLiteral("data")};
    for (const auto& place : {home, runs, runs, run}) history.visit(place);
    EXPECT_EQ(history.back(), runs);
    EXPECT_EQ(history.back(), home);
    EXPECT_FALSE(history.back());
    EXPECT_EQ(history.forward(), runs);
    history.visit(data);
    EXPECT_FALSE(history.canGoForward());
    EXPECT_EQ(history.back(), runs);
    for (int i = 0; i < 500; ++i) history.visit({QStringLiteral("run"), {{"run", i}}});
    size_t steps = 0;
    while (history.back()) ++steps;
    EXPECT_EQ(steps, PageHistory::kMost - 1);
}

TEST(Notices, AreKeptCountedAndRead) {
    Context context;
    NoticeLog log(context.notifier);
    context.notifier.notify({.title = QStringLiteral("one")});
    context.notifier.notify({.title = QStringLiteral("two")});
    context.notifier.notify({.title = QStringLiteral("two")});
    ASSERT_EQ(log.entries().size(), 2);
    EXPECT_EQ(log.entries()[0].notice.title, QStringLiteral("two"));
    EXPECT_EQ(log.entries()[0].times, 2);
    EXPECT_EQ(log.unread(), 3);
    log.markRead();
    EXPECT_EQ(log.unread(), 0);
    for (int i = 0; i < 300; ++i) context.notifier.notify({.title = QString::number(i)});
    EXPECT_EQ(log.entries().size(), NoticeLog::kMost);
}

TEST(Notices, AnErrorBringsMessageHintAndContext) {
    Context context;
    context.notifier.error(QStringLiteral("It failed"), Error(ErrorCode::kDiskFull, "no room", "free some").with("while writing"));
    ASSERT_EQ(context.notices.size(), 1U);
    EXPECT_EQ(context.notices[0].severity, Severity::kError);
    EXPECT_EQ(context.notices[0].detail, QStringLiteral("no room\nfree some"));
    EXPECT_EQ(context.notices[0].technical, QStringLiteral("disk_full\nwhile writing"));
}

}  // namespace
}  // namespace assay
