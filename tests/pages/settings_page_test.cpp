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

// The captions stand in one column over both cards, no wider than the longest of them.
TEST_F(SettingsPage, CaptionsTakeNoMoreRoomThanTheyNeed) {
    QCoreApplication::processEvents();
    int widest = 0, left = -1;
    for (const auto* caption : page->findChildren<QLabel*>(QStringLiteral("settings-caption"))) widest = std::max(widest, caption->sizeHint().width());
    for (const char* name : {"settings-language", "settings-usd-per-hour"}) {
        auto* field = part(*page, name);
        const int x = field->mapTo(page.get(), QPoint()).x();
        EXPECT_TRUE(left < 0 || left == x) << name;
        left = x;
    }
    const auto* first = page->findChildren<QLabel*>(QStringLiteral("settings-caption")).front();
    EXPECT_EQ(left, first->mapTo(page.get(), QPoint()).x() + widest + 16);
    EXPECT_TRUE(part(*page, "settings-units") && part(*page, "settings-units")->accessibleName().startsWith(QStringLiteral("Units: Bytes")));
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
