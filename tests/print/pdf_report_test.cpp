#include <assay/core/durable.h>
#include <assay/core/hash.h>
#include <assay/print/pdf_report.h>
#include <assay/print/render_command.h>
#include <assay/report/present.h>
#include <gtest/gtest.h>

#include <QGuiApplication>
#include <QProcess>
#include <QTemporaryDir>

#include "sample.h"

namespace assay::print {
namespace {

class PdfReport : public testing::Test {
protected:
    static void SetUpTestSuite() {
        static int argc = 1;
        static char name[] = "test_print";
        static char* argv[] = {name, nullptr};
        if (!qGuiApp) new QGuiApplication(argc, argv);   // lives as long as the process: fonts belong to it
    }
    std::string file(const char* name) {
        const QByteArray keep = qgetenv("ASSAY_PRINT_SAMPLES");
        return (keep.isEmpty() ? folder_.path().toStdString() : keep.toStdString()) + "/" + name;
    }
    static QString tool(const QString& program, const QStringList& arguments) {
        QProcess process;
        process.start(program, arguments);
        EXPECT_TRUE(process.waitForFinished(20000)) << program.toStdString() << " (poppler-utils) did not run";
        EXPECT_EQ(process.exitCode(), 0) << process.readAllStandardError().toStdString();
        return QString::fromUtf8(process.readAllStandardOutput());
    }
    static QString textOf(const std::string& path) { return tool(QStringLiteral("pdftotext"), {QStringLiteral("-layout"), QString::fromStdString(path), QStringLiteral("-")}); }
    static report::ReportInput input(std::vector<Json> runs, const std::string& target = "perplexity_ratio<=1.05") {
        report::ReportInput in;
        in.runs = std::move(runs);
        in.comparison = report::buildComparison(in.runs, {"", target}).value();
        in.series = report::sample::series();
        in.version = "0.1.0";
        in.time = "2026-01-02T03:04:05Z";
        return in;
    }
    QTemporaryDir folder_;
};

TEST_F(PdfReport, HoldsEveryFigureOfTheTable) {
    const report::ReportInput in = input({report::sample::pipeline()});
    const std::string path = file("quickstart.pdf");
    const auto written = writePdfReport(path, in);
    ASSERT_TRUE(written) << written.error().text();
    EXPECT_EQ(written->sha256, sha256Hex(readFile(path).value()));
    const QString text = textOf(path);
    size_t figures = 0;
    for (const report::Setup& s : in.comparison.setups) {
        EXPECT_TRUE(text.contains(QString::fromStdString(report::shortName(s, 48)))) << s.name;
        for (const report::Metric& metric : report::metrics()) {
            if (!(s.*metric.value).value) continue;
            const QString shown = QString::fromStdString(report::shown(metric, *(s.*metric.value).value)), error = QString::fromStdString(report::shownError(metric, s.*metric.value));
            EXPECT_TRUE(text.contains(shown)) << s.name << " " << metric.name << " " << shown.toStdString();
            EXPECT_TRUE(error.isEmpty() || text.contains(QStringLiteral("± ") + error)) << s.name << " " << metric.name << " ± " << error.toStdString();
            ++figures;
        }
    }
    EXPECT_GT(figures, 30u);
    for (const report::Fact& fact : report::answerOf(in.comparison).facts) EXPECT_TRUE(text.contains(QString::fromStdString(fact.value))) << fact.value;
    for (const char* words : {"Answer", "cheapest set-up with perplexity ratio ≤ 1.05", "Example CPU", "What the numbers mean", "page 1 of", "quantize.scheme", "cheapest at target", "baseline"})
        EXPECT_TRUE(text.contains(QString::fromUtf8(words))) << words;
}

TEST_F(PdfReport, FontsAreEmbeddedAndChartsAreVectors) {
    const std::string path = file("vectors.pdf");
    ASSERT_TRUE(writePdfReport(path, input({report::sample::pipeline()})));
    EXPECT_EQ(tool(QStringLiteral("pdfimages"), {QStringLiteral("-list"), QString::fromStdString(path)}).split(QLatin1Char('\n'), Qt::SkipEmptyParts).size(), 2) << "a header and a rule, no picture";
    const QStringList fonts = tool(QStringLiteral("pdffonts"), {QString::fromStdString(path)}).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    ASSERT_GT(fonts.size(), 2);
    for (qsizetype i = 2; i < fonts.size(); ++i) EXPECT_TRUE(fonts[i].contains(QStringLiteral(" yes "))) << fonts[i].toStdString();
}

TEST_F(PdfReport, ALongTableBreaksOverPagesWithItsHeader) {
    std::vector<Json> runs;
    for (int i = 0; i < 15; ++i) runs.push_back(report::sample::pipeline("p" + std::to_string(i), "experiment " + std::to_string(i), i * 0.1));
    const report::ReportInput in = input(runs);
    const std::string path = file("long.pdf");
    ASSERT_TRUE(writePdfReport(path, in));
    const QString text = textOf(path);
    const QStringList pages = text.split(QChar(0x0c), Qt::SkipEmptyParts);
    ASSERT_GT(pages.size(), 4);
    int withHeader = 0;
    for (const QString& page : pages) withHeader += page.contains(QStringLiteral("Set-up")) && page.contains(QStringLiteral("int4-g32"));
    EXPECT_GE(withHeader, 3);
    for (int i = 0; i < pages.size(); ++i) EXPECT_TRUE(pages[i].contains(QStringLiteral("page %1 of %2").arg(i + 1).arg(pages.size()))) << i;
    for (int i = 0; i < 15; ++i) EXPECT_TRUE(text.contains(QStringLiteral("experiment %1").arg(i))) << i;
}

TEST_F(PdfReport, NamesFromOutsideArePlainTextInAnyScript) {
    const std::string hostile = "<b>bold</b> & \xE2\x80\xAEreversed";
    report::ReportInput in = input({report::sample::pipeline("p1", hostile), report::sample::pipeline("p2", "中文实验"), report::sample::pipeline("p3", "שלום"), report::sample::pipeline("p4", std::string(4000, 'x'))});
    in.comparison.warnings.push_back({"{}", {"<script>alert(1)</script>"}, {}});
    const std::string path = file("names.pdf");
    ASSERT_TRUE(writePdfReport(path, in));
    const QString text = textOf(path).normalized(QString::NormalizationForm_KC);   // the font maps some glyphs back to radicals
    EXPECT_TRUE(text.contains(QStringLiteral("<b>bold</b> &"))) << text.left(2000).toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("\\u202e")));
    EXPECT_TRUE(text.contains(QString::fromUtf8("中文实验")));
    EXPECT_TRUE(text.contains(QStringLiteral("<script>")));
    EXPECT_FALSE(text.contains(QString(600, QLatin1Char('x'))));
}

TEST_F(PdfReport, NothingMeasuredIsAPageThatSaysSo) {
    report::ReportInput in;
    in.runs = {report::sample::stage("r1", "train", 5)};
    in.comparison = report::buildComparison(in.runs).value();
    const std::string path = file("empty.pdf");
    ASSERT_TRUE(writePdfReport(path, in));
    EXPECT_TRUE(textOf(path).contains(QStringLiteral("the runs measured no set-up")));
}

TEST_F(PdfReport, AFileThatCannotBeWrittenIsAnError) {
    const auto written = writePdfReport(folder_.path().toStdString() + "/no/such/folder.pdf", input({report::sample::pipeline()}));
    ASSERT_FALSE(written);
    EXPECT_NE(written.error().code, ErrorCode::kInternal);
}

TEST_F(PdfReport, TheCommandReadsTheInputOfTheCodec) {
    const std::string from = folder_.path().toStdString() + "/input.json", to = folder_.path().toStdString() + "/out.pdf";
    ASSERT_TRUE(writeFileDurably(from, dumpJson(report::reportInputToJson(input({report::sample::pipeline()})))));
    testing::internal::CaptureStdout();
    EXPECT_EQ(renderReport(QString::fromStdString(from), QString::fromStdString(to)), 0);
    const Json answer = parseJson(testing::internal::GetCapturedStdout(), "answer").value();
    EXPECT_EQ(answer["path"], to);
    EXPECT_EQ(answer["sha256"], sha256Hex(readFile(to).value()));
    ASSERT_TRUE(writeFileDurably(from, "{}"));
    testing::internal::CaptureStdout();
    EXPECT_EQ(renderReport(QString::fromStdString(from), QString::fromStdString(to)), 2);
    EXPECT_EQ(parseJson(testing::internal::GetCapturedStdout(), "answer").value()["error"]["code"], "invalid_file");
}

}  // namespace
}  // namespace assay::print
