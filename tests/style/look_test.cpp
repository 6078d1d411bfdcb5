// Fonts, icons and the switch of themes, with an application.
#include <assay/style/icons.h>
#include <assay/style/theme_notifier.h>
#include <assay/style/tokens.h>
#include <gtest/gtest.h>

#include <QApplication>
#include <QCheckBox>
#include <QDir>
#include <QFontDatabase>
#include <QFontInfo>
#include <QFontMetricsF>
#include <QPainter>
#include <QPushButton>
#include <QSignalSpy>
#include <QStyle>
#include <QStyleOption>

using namespace assay::style;

namespace {

QStringList iconNames() {
    QStringList names;
    for (const QString& file : QDir(QStringLiteral(ASSAY_SOURCE_DIR "/resources/icons")).entryList({QStringLiteral("*.svg")})) names.append(file.chopped(4));
    return names;
}

bool shows(const QImage& image, const QColor& color) {
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (image.pixelColor(x, y) == color) return true;
    return false;
}

}  // namespace

TEST(Fonts, DigitsHaveOneWidthInEveryWeight) {
    for (const Type type : {Type::kBody, Type::kSecondary, Type::kSmall, Type::kTitle, Type::kCardTitle, Type::kFigure, Type::kMono}) {
        const QFontMetricsF metrics(font(type));
        for (char16_t digit = u'0'; digit <= u'9'; ++digit) {
            EXPECT_DOUBLE_EQ(metrics.horizontalAdvance(QChar(digit)), metrics.horizontalAdvance(QLatin1Char('0'))) << int(type) << " " << char(digit);
            // Kerning must not undo it: pairs are as wide as pairs of zeros.
            EXPECT_NEAR(metrics.horizontalAdvance(QString(8, QChar(digit))), metrics.horizontalAdvance(QString(8, QLatin1Char('0'))), 1e-6);
        }
        EXPECT_NEAR(metrics.horizontalAdvance(QStringLiteral("17471")), metrics.horizontalAdvance(QStringLiteral("00000")), 1e-6);
    }
}

TEST(Fonts, FamilyAndSizesAreTheEmbeddedOnes) {
    EXPECT_EQ(QFontInfo(font(Type::kBody)).family(), QStringLiteral("Assay Inter"));
    EXPECT_EQ(font(Type::kBody).pixelSize(), 13);
    EXPECT_EQ(font(Type::kSecondary).pixelSize(), 12);
    EXPECT_EQ(font(Type::kSmall).pixelSize(), 11);
    EXPECT_EQ(font(Type::kTitle).pixelSize(), 18);
    EXPECT_TRUE(QFontInfo(font(Type::kMono)).fixedPitch());
    // Three real weights, not one that is thickened: a heavier face is wider.
    const auto width = [](QFont::Weight weight) {
        QFont face = font(Type::kBody);
        face.setWeight(weight);
        EXPECT_EQ(QFontInfo(face).weight(), int(weight));
        return QFontMetricsF(face).horizontalAdvance(QStringLiteral("Perplexity ratio"));
    };
    EXPECT_LT(width(QFont::Normal), width(QFont::Medium));
    EXPECT_LT(width(QFont::Medium), width(QFont::DemiBold));
}

TEST(Fonts, DataIsNotLigated) {
    // "->" of a data row stays two characters wide.
    const QFontMetricsF metrics(font(Type::kBody));
    EXPECT_NEAR(metrics.horizontalAdvance(QStringLiteral("->")), metrics.horizontalAdvance(QLatin1Char('-')) + metrics.horizontalAdvance(QLatin1Char('>')), 1.0);
}

TEST(Icons, EveryDrawingLoadsAndTakesItsTint) {
    const QStringList names = iconNames();
    EXPECT_GE(names.size(), 40);
    for (const QString& name : names) {
        const QImage image = pixmap(name, Qt::red, 20, 2).toImage();
        ASSERT_EQ(image.size(), QSize(40, 40));
        int inked = 0;
        for (int y = 0; y < 40; ++y)
            for (int x = 0; x < 40; ++x) {
                const QColor pixel = image.pixelColor(x, y);
                if (pixel.alpha() < 40) continue;
                ++inked;
                EXPECT_LT(pixel.green() + pixel.blue(), 60) << name.toStdString() << " has a colour of its own";
            }
        EXPECT_GT(inked, 20) << name.toStdString() << " is empty";
    }
}

TEST(Icons, FollowTheThemeWithoutBeingMadeAgain) {
    install(*qApp, ThemeChoice::kLight);
    const QIcon home = icon(QStringLiteral("home"));
    EXPECT_TRUE(shows(home.pixmap(32).toImage(), tokens(Theme::kLight).text2));
    EXPECT_TRUE(shows(home.pixmap(QSize(32, 32), QIcon::Selected).toImage(), tokens(Theme::kLight).accent));
    EXPECT_TRUE(shows(home.pixmap(QSize(32, 32), QIcon::Disabled).toImage(), tokens(Theme::kLight).text3));
    setTheme(ThemeChoice::kDark);
    EXPECT_TRUE(shows(home.pixmap(32).toImage(), tokens(Theme::kDark).text2));
    setTheme(ThemeChoice::kLight);
}

TEST(Theme, SwitchesOnceAndTellsAfterThePaletteIsInPlace) {
    install(*qApp, ThemeChoice::kLight);
    QSignalSpy spy(&themeNotifier(), &ThemeNotifier::themeChanged);
    QColor seen;
    const auto connection = QObject::connect(&themeNotifier(), &ThemeNotifier::themeChanged, [&] { seen = QApplication::palette().color(QPalette::Window); });
    setTheme(ThemeChoice::kDark);
    setTheme(ThemeChoice::kDark);
    EXPECT_EQ(spy.count(), 1);
    EXPECT_EQ(seen, tokens(Theme::kDark).background);
    EXPECT_TRUE(qApp->styleSheet().contains(tokens(Theme::kDark).line.name()));
    EXPECT_FALSE(qApp->styleSheet().contains(QLatin1Char('@')));   // every placeholder was filled
    QObject::disconnect(connection);
    setTheme(ThemeChoice::kLight);
}

TEST(Theme, FollowsTheDesktopOnlyWhenAskedTo) {
    install(*qApp, ThemeChoice::kLight);
    setSystemTheme(Theme::kDark);
    EXPECT_EQ(theme(), Theme::kLight);
    setTheme(ThemeChoice::kSystem);
    EXPECT_EQ(theme(), Theme::kDark);
    setSystemTheme(Theme::kLight);
    EXPECT_EQ(theme(), Theme::kLight);
    EXPECT_EQ(themeChoice(), ThemeChoice::kSystem);
    setTheme(ThemeChoice::kLight);
}

TEST(Theme, ButtonsAreFilledByTheirKind) {
    install(*qApp, ThemeChoice::kLight);
    QPushButton button(QStringLiteral("Start"));
    button.setProperty("kind", QStringLiteral("primary"));
    button.resize(button.sizeHint());
    EXPECT_EQ(button.height(), size::kControlHeight);
    EXPECT_EQ(button.grab().toImage().pixelColor(button.width() / 2, 3), tokens().accent);
    button.setEnabled(false);
    EXPECT_EQ(button.grab().toImage().pixelColor(button.width() / 2, 3), tokens().sunken);
}

TEST(Theme, FocusRingShowsForTheKeyboardOnly) {
    install(*qApp, ThemeChoice::kLight);
    QPushButton button(QStringLiteral("Start"));
    QStyleOptionButton option;
    option.rect = QRect(0, 0, 80, 28);
    option.text = button.text();
    const auto edge = [&](QStyle::State more) {
        option.state = QStyle::State_Enabled | more;
        QImage image(80, 28, QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::white);
        QPainter painter(&image);
        qApp->style()->drawControl(QStyle::CE_PushButton, &option, &painter, &button);
        painter.end();
        return shows(image, tokens().accent);
    };
    EXPECT_FALSE(edge(QStyle::State_HasFocus));
    EXPECT_TRUE(edge(QStyle::State_HasFocus | QStyle::State_KeyboardFocusChange));
}
