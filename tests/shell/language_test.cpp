#include <assay/shell/language.h>
#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QLocale>

#include "desktop_notify.h"
#include "context.h"

namespace assay {
namespace {

using namespace shell;

TEST(Language, PseudoIsFortyPercentLonger) {
    installLanguage(QStringLiteral("pseudo"));
    const QString source = QStringLiteral("Connect to the engine again"), shown = QCoreApplication::translate("x", "Connect to the engine again");
    EXPECT_TRUE(shown.startsWith(QLatin1Char('[') + source));
    EXPECT_NEAR(static_cast<double>(shown.size()) / static_cast<double>(source.size()), 1.4, 0.05);
    installLanguage(QStringLiteral("en"));
    EXPECT_EQ(QCoreApplication::translate("x", "Connect"), QStringLiteral("Connect"));
}

TEST(Language, DecidesHowNumbersAreWritten) {
    installLanguage(QStringLiteral("en"));
    EXPECT_EQ(QLocale().toString(1234.5, 'f', 1), QStringLiteral("1,234.5"));
    installLanguage(QStringLiteral("zh_CN"));
    EXPECT_EQ(QLocale().language(), QLocale::Chinese);
    EXPECT_EQ(installedLanguage(), QStringLiteral("zh_CN"));
    installLanguage(QStringLiteral("en"));
}

TEST(Language, PluralsAndWordsComeFromTheFilesInTheProgram) {
    const auto curves = [](int n) { return QCoreApplication::translate("charts", "%n curve(s)", nullptr, n); };
    installLanguage(QStringLiteral("en"));
    EXPECT_EQ(curves(1), QStringLiteral("1 curve"));
    EXPECT_EQ(curves(2), QStringLiteral("2 curves"));
    installLanguage(QStringLiteral("zh_CN"));
    EXPECT_EQ(curves(2), QStringLiteral("2 条曲线"));
    EXPECT_EQ(QCoreApplication::translate("schema", "Learning rate"), QStringLiteral("学习率"));
    EXPECT_EQ(QCoreApplication::translate("report", "Perplexity"), QStringLiteral("困惑度"));
    EXPECT_EQ(QCoreApplication::translate("filter", "a value"), QStringLiteral("值"));
    EXPECT_EQ(QCoreApplication::translate("format", "just now"), QStringLiteral("刚刚"));
    installLanguage(QStringLiteral("en"));
    EXPECT_EQ(QCoreApplication::translate("schema", "Learning rate"), QStringLiteral("Learning rate"));
}

TEST(Language, AnUnknownChoiceIsTheSystems) {
    EXPECT_TRUE(languages().contains(resolvedLanguage(QStringLiteral("xx"))));
    EXPECT_EQ(resolvedLanguage(QStringLiteral("zh_CN")), QStringLiteral("zh_CN"));
}

TEST(DesktopNotify, TellsOnlyTheEndsOfWholeExperiments) {
    EXPECT_FALSE(DesktopNotify::endText(test::runRow("a", "n", "done")).isEmpty());
    EXPECT_FALSE(DesktopNotify::endText(test::runRow("a", "n", "failed")).isEmpty());
    EXPECT_TRUE(DesktopNotify::endText(test::runRow("a", "n", "running")).isEmpty());
    EXPECT_TRUE(DesktopNotify::endText(test::runRow("a", "n", "cancelled")).isEmpty());   // by the person at this window
    Json stage = test::runRow("a", "n", "done");
    stage["parent"] = "p";
    EXPECT_TRUE(DesktopNotify::endText(stage).isEmpty());
}

}  // namespace
}  // namespace assay
