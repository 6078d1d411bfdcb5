// Curves with all their points as CSV: asked for in pieces, whole or not there.
#include <assay/presenters/series_export.h>
#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <sys/resource.h>

#include "context.h"

namespace assay {
namespace {

using test::Context;

struct SeriesExport : testing::Test {
    Context context;
    QTemporaryDir folder;
    QObject owner;
    bool broken = false;
    SeriesExport() {
        context.prepare = [this](client::FakeEngineClient& engine) {
            engine.on("runs.list", [](const Json&) { return Result<Json>(test::runList({})); });
            engine.on("metrics.query", [this](const Json& params) -> Result<Json> {
                EXPECT_FALSE(params.contains("max_points"));
                if (params["name"] == "eval/loss") return fail(ErrorCode::kNotFound, "no such metric");
                if (!params.contains("from_step")) return Json{{"points", {{1, 0.5, 100, 3.0}, {2, 1.0, 200, "nan"}}}, {"next_step", 3}};
                if (broken) return fail(ErrorCode::kIo, "cannot read", "check the disk");
                EXPECT_EQ(params["from_step"], 3);
                return Json{{"points", {{3, 1.5, 300, -0.25}}}, {"next_step", nullptr}};
            });
        };
        context.connect();
    }
    void save(const QString& path) {
        presenters::saveSeries(context.app, &owner, {{QStringLiteral("r1"), QStringLiteral("=1+1, \"x\""), QStringLiteral("train/loss")}, {QStringLiteral("r1"), QStringLiteral("n"), QStringLiteral("eval/loss")}}, path);
        ASSERT_TRUE(QTest::qWaitFor([&] {
            context.settle();
            return !context.notices.empty();
        }));
    }
};

TEST_F(SeriesExport, HoldsEveryPointOfEveryPiece) {
    const QString path = folder.filePath(QStringLiteral("curve.csv"));
    save(path);
    EXPECT_EQ(context.notices[0].severity, presenters::Severity::kGood);
    EXPECT_TRUE(context.notices[0].detail.contains(QStringLiteral("curve.csv")));
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_EQ(file.readAll().toStdString(), "run,name,metric,step,seconds,tokens,value\r\n"
                                            "r1,\"'=1+1, \"\"x\"\"\",train/loss,1,0.5,100,3.0\r\n"
                                            "r1,\"'=1+1, \"\"x\"\"\",train/loss,2,1.0,200,nan\r\n"
                                            "r1,\"'=1+1, \"\"x\"\"\",train/loss,3,1.5,300,-0.25\r\n");
}

TEST_F(SeriesExport, AFailureOnTheWayLeavesTheOldFile) {
    const QString path = folder.filePath(QStringLiteral("curve.csv"));
    {
        QFile old(path);
        ASSERT_TRUE(old.open(QIODevice::WriteOnly));
        old.write("old");
    }
    broken = true;
    save(path);
    EXPECT_EQ(context.notices[0].severity, presenters::Severity::kError);
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_EQ(file.readAll(), QByteArray("old"));
    EXPECT_EQ(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden).size(), 1);
}

TEST_F(SeriesExport, AFullDiskIsSaidAndNothingIsLeft) {
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const rlimit small{50, before.rlim_max};   // the head fits, the first piece does not
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    const QString path = folder.filePath(QStringLiteral("curve.csv"));
    save(path);
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    ASSERT_EQ(context.notices.size(), 1u);
    EXPECT_EQ(context.notices[0].severity, presenters::Severity::kError);
    EXPECT_TRUE((context.notices[0].detail + context.notices[0].technical).contains(path));
    EXPECT_TRUE(QDir(folder.path()).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot));
}

TEST_F(SeriesExport, PlacesThatCannotBeWrittenAreSaid) {
    const QStringList places{folder.filePath(QStringLiteral("not/there/curve.csv")), folder.path()};
    for (const QString& path : places) {
        save(path);
        ASSERT_EQ(context.notices.size(), 1u) << qPrintable(path);
        EXPECT_EQ(context.notices[0].severity, presenters::Severity::kError);
        context.notices.clear();
    }
}

}  // namespace
}  // namespace assay
