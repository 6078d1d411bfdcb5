#include <assay/presenters/run_filter.h>

#include <gtest/gtest.h>

using namespace assay::presenters;

namespace {

TEST(RunFilter, AcceptsWhatTheEngineAccepts) {
    for (const char* text : {"", "  ", "lr < 1e-3 and tag = demo", "not (status = done or kind != train)", "name ~ 'two words'", "a=\"x \\\" y\"", "eval/loss<=3.4", "created_at >= 2026-11-30T00:00:00",
                             "not not a = 1", "((a == 1))", "naïve = ü"}) {
        const FilterCheck check = checkFilter(QString::fromUtf8(text));
        EXPECT_TRUE(check.ok) << text << ": " << check.message.toStdString();
    }
}

TEST(RunFilter, SaysWhatIsMissingAndWhere) {
    struct Case {
        const char* text;
        int position;
        bool unfinished;
    };
    for (const Case& c : {Case{"lr", 2, true}, Case{"lr <", 4, true}, Case{"lr < 1 and", 10, true}, Case{"lr < 1 tag = x", 7, false}, Case{"(lr < 1", 7, true}, Case{"lr < 1)", 6, false}, Case{"= 3", 0, false},
                          Case{"a = 'open", 4, true}, Case{"and a = 1", 0, false}, Case{"a = = 1", 4, false}, Case{"a ! 1", 2, false}, Case{"a = 1, b = 2", 5, false}}) {
        const FilterCheck check = checkFilter(QString::fromUtf8(c.text));
        EXPECT_FALSE(check.ok) << c.text;
        EXPECT_EQ(check.position, c.position) << c.text;
        EXPECT_EQ(check.unfinished, c.unfinished) << c.text;
        EXPECT_FALSE(check.message.isEmpty());
    }
}

TEST(RunFilter, KnowsWhatCanStandAtTheCursor) {
    using Kind = FilterPlace::Kind;
    EXPECT_EQ(filterPlaceAt(QString(), 0).kind, Kind::kKey);
    const QString text = QStringLiteral("status = ru and eval/lo");
    FilterPlace place = filterPlaceAt(text, 11);
    EXPECT_EQ(place.kind, Kind::kValue);
    EXPECT_EQ(place.word, QStringLiteral("ru"));
    EXPECT_EQ(place.key, QStringLiteral("status"));
    EXPECT_EQ(place.begin, 9);
    place = filterPlaceAt(text, static_cast<int>(text.size()));
    EXPECT_EQ(place.kind, Kind::kKey);
    EXPECT_EQ(place.word, QStringLiteral("eval/lo"));
    EXPECT_EQ(filterPlaceAt(QStringLiteral("a "), 2).kind, Kind::kOperator);
    EXPECT_EQ(filterPlaceAt(QStringLiteral("a = 1 "), 6).kind, Kind::kJoin);
    EXPECT_EQ(filterPlaceAt(QStringLiteral("not "), 4).kind, Kind::kKey);
}

TEST(RunFilter, QuotesWhatIsNotAWord) {
    EXPECT_EQ(filterValue(QStringLiteral("1e-3")), QStringLiteral("1e-3"));
    EXPECT_EQ(filterValue(QStringLiteral("a b")), QStringLiteral("\"a b\""));
    EXPECT_EQ(filterValue(QStringLiteral("a\"b\\")), QStringLiteral("\"a\\\"b\\\\\""));
    EXPECT_EQ(filterValue(QStringLiteral("null")), QStringLiteral("\"null\""));
    EXPECT_EQ(filterValue(QString()), QStringLiteral("\"\""));
}

}  // namespace
