#include <assay/style/tokens.h>
#include <gtest/gtest.h>

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include "make_pages.h"
#include "page_support.h"

namespace assay {
namespace {

using test::Context;
using test::part;

struct SettingsPage : testing::Test {
    Context context;
    std::unique_ptr<pages::Page> page{pages::makeSettingsPage(context.app, nullptr)};
    SettingsPage() {
        page->resize(1104, 774);
        page->show();
    }
};

TEST_F(SettingsPage, APriceIsTakenWhenItIsOne) {
    auto* hour = part<QLineEdit>(*page, "settings-usd-per-hour");
    EXPECT_EQ(hour->text(), QStringLiteral("0.08"));
    EXPECT_EQ(test::unnamed(*page), QStringList());
    test::picture(*page, QStringLiteral("settings"));
    const auto type = [&](const char* text) {
        hour->setFocus();
        hour->selectAll();
        QTest::keyClicks(hour, QLatin1String(text));
        QTest::keyClick(hour, Qt::Key_Return);
    };
    type("much");
    EXPECT_TRUE(part(*page, "settings-price-problem")->isVisible());
    EXPECT_TRUE(context.settings.value(QStringLiteral("cost.usd_per_hour")).is_null());
    type("1,25");
    EXPECT_FALSE(part(*page, "settings-price-problem")->isVisible());
    EXPECT_EQ(context.settings.value(QStringLiteral("cost.usd_per_hour")), 1.25);
    EXPECT_TRUE(part(*page, "settings-reset")->isEnabled());
    QTest::mouseClick(part(*page, "settings-reset"), Qt::LeftButton);
    EXPECT_EQ(hour->text(), QStringLiteral("0.08"));
    EXPECT_FALSE(part(*page, "settings-reset")->isEnabled());
}

TEST_F(SettingsPage, LanguageAndThemeAreStored) {
    auto* language = part<QComboBox>(*page, "settings-language");
    language->setFocus();
    QTest::keyClick(language, Qt::Key_End);
    EXPECT_EQ(context.settings.text(QStringLiteral("language")), QStringLiteral("zh_CN"));
    QTest::keyClick(language, Qt::Key_Home);
    EXPECT_TRUE(context.settings.value(QStringLiteral("language")).is_null());
}

}  // namespace
}  // namespace assay
