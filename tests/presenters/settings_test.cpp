#include <assay/presenters/settings.h>
#include <assay/presenters/settings_presenter.h>
#include <gtest/gtest.h>

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "context.h"

namespace assay {
namespace {

using presenters::Settings;
using presenters::SettingsPresenter;

QByteArray contents(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

TEST(Settings, ComeBackAfterARestart) {
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("new/assay/studio.json"));
    {
        Settings settings(path);
        settings.set(QStringLiteral("theme"), "dark");
        settings.set(QStringLiteral("tour.done"), true);
        settings.set(QStringLiteral("gone"), 1);
        settings.set(QStringLiteral("gone"), nullptr);
    }
    Settings settings(path);
    EXPECT_EQ(settings.text(QStringLiteral("theme")), QStringLiteral("dark"));
    EXPECT_TRUE(settings.flag(QStringLiteral("tour.done"), false));
    EXPECT_TRUE(settings.value(QStringLiteral("gone")).is_null());
    EXPECT_TRUE(settings.trouble().isEmpty());
}

TEST(Settings, AreWrittenWithinASecondWithoutBeingAsked) {
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("studio.json"));
    Settings settings(path);
    settings.set(QStringLiteral("theme"), "dark");
    EXPECT_FALSE(QFile::exists(path));
    EXPECT_TRUE(QTest::qWaitFor([&] { return QFile::exists(path); }, 3000));
}

TEST(Settings, ADamagedFileIsSetAsideAndSaidSo) {
    for (const QByteArray& damage : {QByteArray("{\"theme\": \"da"), QByteArray("[1, 2]"), QByteArray("\xff\xfe\x00", 3), QByteArray()}) {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("studio.json"));
        QFile file(path);
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(damage);
        file.close();
        Settings settings(path);
        EXPECT_EQ(settings.text(QStringLiteral("theme"), QStringLiteral("system")), QStringLiteral("system"));
        EXPECT_TRUE(settings.trouble().contains(path + QStringLiteral(".unreadable")));
        EXPECT_EQ(contents(path + QStringLiteral(".unreadable")), damage);
        settings.set(QStringLiteral("theme"), "dark");
        settings.flush();
        EXPECT_EQ(Settings(path).text(QStringLiteral("theme")), QStringLiteral("dark"));
    }
}

TEST(Settings, AValueOfAnotherTypeIsTheFallback) {
    Settings settings{QString()};
    settings.set(QStringLiteral("theme"), 3);
    settings.set(QStringLiteral("flag"), "yes");
    EXPECT_EQ(settings.text(QStringLiteral("theme"), QStringLiteral("system")), QStringLiteral("system"));
    EXPECT_FALSE(settings.flag(QStringLiteral("flag"), false));
}

TEST(Settings, OnlyAChangeIsTold) {
    Settings settings{QString()};
    QSignalSpy changed(&settings, &Settings::changed);
    settings.set(QStringLiteral("a"), 1);
    settings.set(QStringLiteral("a"), 1);
    settings.set(QStringLiteral("b"), nullptr);
    EXPECT_EQ(changed.count(), 1);
}

TEST(SettingsPage, PricesAreNumbersOrSaidToBeNone) {
    EXPECT_EQ(SettingsPresenter::price(QStringLiteral("0.08")), 0.08);
    EXPECT_EQ(SettingsPresenter::price(QStringLiteral(" $1,5 ")), 1.5);
    EXPECT_EQ(SettingsPresenter::price(QStringLiteral("0")), 0.0);
    for (const char* wrong : {"", "abc", "-1", "nan", "inf", "1e9", "1,000.5", "1..2"}) EXPECT_FALSE(SettingsPresenter::price(QLatin1String(wrong))) << wrong;
}

TEST(SettingsPage, DefaultsStandUntilSomethingIsTypedAndComeBack) {
    test::Context context;
    SettingsPresenter presenter(context.app);
    EXPECT_DOUBLE_EQ(presenter.usdPerHour(), 0.08);
    EXPECT_FALSE(presenter.isChanged());
    EXPECT_TRUE(presenter.setUsdPerHour(QStringLiteral("2,5")).isEmpty());
    EXPECT_DOUBLE_EQ(presenters::defaultUsdPerHour(context.settings), 2.5);
    EXPECT_FALSE(presenter.setUsdPerHour(QStringLiteral("much")).isEmpty());
    EXPECT_DOUBLE_EQ(presenter.usdPerHour(), 2.5);
    presenter.setTheme(QStringLiteral("dark"));
    EXPECT_TRUE(presenter.isChanged());
    presenter.resetAll();
    EXPECT_FALSE(presenter.isChanged());
    EXPECT_DOUBLE_EQ(presenter.usdPerHour(), 0.08);
    ASSERT_EQ(context.notices.size(), 1U);
    context.notices[0].action();   // undo
    EXPECT_DOUBLE_EQ(presenter.usdPerHour(), 2.5);
    EXPECT_EQ(presenter.theme(), QStringLiteral("dark"));
}

TEST(SettingsPage, ADamagedPriceInTheFileIsTheDefault) {
    test::Context context;
    context.settings.set(QStringLiteral("cost.usd_per_hour"), -3.0);
    context.settings.set(QStringLiteral("cost.usd_per_kwh"), "dear");
    EXPECT_DOUBLE_EQ(presenters::defaultUsdPerHour(context.settings), 0.08);
    EXPECT_DOUBLE_EQ(presenters::defaultUsdPerKwh(context.settings), 0.15);
}

}  // namespace
}  // namespace assay
