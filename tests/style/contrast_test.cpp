// WCAG 2.1 AA for every pair of text and background that widgets use.
#include <assay/style/tokens.h>
#include <gtest/gtest.h>

using namespace assay::style;

namespace {

struct Pair {
    const char* name;
    QColor text, back;
    double least;
};

std::vector<Pair> pairs(const Tokens& t) {
    std::vector<Pair> all = {
        {"button text on accent", t.onAccent, t.accent, 4.5},
        {"text 3 on background", t.text3, t.background, 4.5},
        {"text 3 on surface", t.text3, t.surface, 4.5},
        {"good on its background", t.good, t.goodBackground, 4.5},
        {"warn on its background", t.warn, t.warnBackground, 4.5},
        {"bad on its background", t.bad, t.badBackground, 4.5},
        {"accent on its background", t.accent, t.accentBackground, 4.5},
        {"text on warn background", t.text, t.warnBackground, 4.5},
        {"text on bad background", t.text, t.badBackground, 4.5},
        {"text 2 on warn background", t.text2, t.warnBackground, 4.5},
        {"text 2 on bad background", t.text2, t.badBackground, 4.5},
    };
    for (const auto& [name, color] : {std::pair("text", t.text), {"text 2", t.text2}, {"accent", t.accent}, {"good", t.good}, {"warn", t.warn}, {"bad", t.bad}})
        for (const QColor& back : {t.background, t.surface}) all.push_back({name, color, back, 4.5});
    for (const QColor& color : {t.text, t.text2})
        for (const QColor& back : {t.sunken, t.accentBackground}) all.push_back({"text on sunken or selected", color, back, 4.5});
    // WCAG 1.4.11: what carries meaning without being text.
    for (const QColor& color : t.data) all.push_back({"data colour on surface", color, t.surface, 3.0});
    for (const QColor& back : {t.background, t.surface}) all.push_back({"focus ring", t.accent, back, 3.0});
    all.push_back({"edge of a check box", t.text3, t.surface, 3.0});
    return all;
}

}  // namespace

TEST(Contrast, KnownRatios) {
    EXPECT_DOUBLE_EQ(contrastRatio(Qt::white, Qt::black), 21.0);   // by definition
    EXPECT_DOUBLE_EQ(contrastRatio(Qt::black, Qt::white), 21.0);
    EXPECT_DOUBLE_EQ(contrastRatio(QColor(0x777777), QColor(0x777777)), 1.0);
    EXPECT_NEAR(contrastRatio(QColor(0x777777), Qt::white), 4.48, 0.005);   // the usual example of a grey that just fails
}

TEST(Contrast, EveryPairReachesAa) {
    for (const Theme theme : {Theme::kLight, Theme::kDark})
        for (const Pair& pair : pairs(tokens(theme)))
            EXPECT_GE(contrastRatio(pair.text, pair.back), pair.least)
                << (theme == Theme::kLight ? "light: " : "dark: ") << pair.name << " " << pair.text.name().toStdString() << " on " << pair.back.name().toStdString();
}

TEST(Tokens, BothThemesAreComplete) {
    for (const Theme theme : {Theme::kLight, Theme::kDark}) {
        const Tokens& t = tokens(theme);
        for (const QColor& color : {t.background, t.surface, t.sunken, t.line, t.text, t.text2, t.text3, t.accent, t.accentBackground, t.onAccent, t.good,
                                    t.goodBackground, t.warn, t.warnBackground, t.bad, t.badBackground}) {
            EXPECT_TRUE(color.isValid());
            EXPECT_EQ(color.alpha(), 255);
        }
        for (size_t i = 0; i < t.data.size(); ++i)
            for (size_t j = i + 1; j < t.data.size(); ++j) EXPECT_NE(t.data[i], t.data[j]);
    }
    EXPECT_GT(tokens(Theme::kLight).surface.lightness(), 200);
    EXPECT_LT(tokens(Theme::kDark).surface.lightness(), 60);
}

TEST(Tokens, IndicesWrapAndPairWithMarkers) {
    EXPECT_EQ(dataColor(7), dataColor(0));
    EXPECT_EQ(dataColor(-1), dataColor(6));
    EXPECT_EQ(dataMarker(-7), dataMarker(0));
    for (int i = 0; i < 7; ++i)
        for (int j = i + 1; j < 7; ++j) EXPECT_NE(dataMarker(i), dataMarker(j));
}
