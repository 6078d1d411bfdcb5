#include <assay/models/format.h>

#include <gtest/gtest.h>

#include <QLocale>
#include <cmath>
#include <limits>

using namespace assay::models;

namespace {

const double kInf = std::numeric_limits<double>::infinity();
const double kNan = std::numeric_limits<double>::quiet_NaN();

// With plain spaces, so that an expectation can be typed.
std::string text(QString s) { return s.replace(QChar(0xa0), QLatin1Char(' ')).toStdString(); }

class Format : public testing::Test {
protected:
    void SetUp() override { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
};

TEST_F(Format, NumbersShowTheAskedDigits) {
    EXPECT_EQ(text(formatNumber(3.3954)), "3.395");
    EXPECT_EQ(text(formatNumber(0.0004312)), "0.0004312");
    EXPECT_EQ(text(formatNumber(12345)), "12,345");
    EXPECT_EQ(text(formatNumber(12345.6)), "12,346");
    EXPECT_EQ(text(formatNumber(0)), "0");
    EXPECT_EQ(text(formatNumber(-0.0)), "0");
    EXPECT_EQ(text(formatNumber(-2.5)), "−2.500");
    EXPECT_EQ(text(formatNumber(7)), "7");
    EXPECT_EQ(text(formatNumber(1e-7)), "1.000e-07");
    EXPECT_EQ(text(formatNumber(kNan)), "NaN");
    EXPECT_EQ(text(formatNumber(kInf)), "∞");
    EXPECT_EQ(text(formatNumber(-kInf)), "−∞");
}

TEST_F(Format, RoundingUpToTheNextPowerKeepsTheDigits) {
    EXPECT_EQ(text(formatNumber(9.99996)), "10.00");
    EXPECT_EQ(text(formatNumber(0.99999)), "1.000");
    EXPECT_EQ(text(formatNumber(9999.97)), "10,000");
}

TEST_F(Format, ALargeNumberIsNeverShownWithoutItsScale) {
    for (const double value : {25000.0, 25e6, 25e9, 25e12}) {
        EXPECT_NE(text(formatCompact(value)), "25");
        EXPECT_NE(text(formatBytes(value)), "25");
        EXPECT_NE(text(formatNumber(value)), "25");
        EXPECT_NE(text(formatCount(value)), "25");
    }
    EXPECT_EQ(text(formatCompact(25000)), "25 k");
    EXPECT_EQ(text(formatCompact(12.4e6)), "12.4 M");
    EXPECT_EQ(text(formatCompact(999)), "999");
    EXPECT_EQ(text(formatCompact(999600)), "1.00 M");
    EXPECT_EQ(text(formatCompact(0)), "0");
    EXPECT_EQ(text(formatCompact(-25000)), "−25 k");
    EXPECT_EQ(text(formatCompact(kNan)), "NaN");
}

TEST_F(Format, BytesAreDecimal) {
    EXPECT_EQ(text(formatBytes(0)), "0 B");
    EXPECT_EQ(text(formatBytes(999)), "999 B");
    EXPECT_EQ(text(formatBytes(1000)), "1.00 kB");
    EXPECT_EQ(text(formatBytes(2.69e9)), "2.69 GB");
    EXPECT_EQ(text(formatBytes(1.076e9)), "1.08 GB");
    EXPECT_EQ(text(formatBytes(538e6)), "538 MB");
    EXPECT_EQ(text(formatBytes(5e15)), "5,000 TB");
}

TEST_F(Format, DurationsChangeUnitWhereRoundingDoes) {
    EXPECT_EQ(text(formatSeconds(0)), "0 s");
    EXPECT_EQ(text(formatSeconds(41e-6)), "41 µs");
    EXPECT_EQ(text(formatSeconds(0.412)), "412 ms");
    EXPECT_EQ(text(formatSeconds(0.9996)), "1.00 s");
    EXPECT_EQ(text(formatSeconds(9.31)), "9.31 s");
    EXPECT_EQ(text(formatSeconds(59.94)), "59.9 s");
    EXPECT_EQ(text(formatSeconds(59.99)), "1:00");
    EXPECT_EQ(text(formatSeconds(60)), "1:00");
    EXPECT_EQ(text(formatSeconds(181)), "3:01");
    EXPECT_EQ(text(formatSeconds(3599.6)), "1 h 0 min");
    EXPECT_EQ(text(formatSeconds(4 * 3600 + 12 * 60)), "4 h 12 min");
    EXPECT_EQ(text(formatSeconds(2 * 86400 + 3 * 3600)), "2 d 3 h");
    EXPECT_EQ(text(formatSeconds(-181)), "−3:01");
    EXPECT_EQ(text(formatSeconds(kNan)), "NaN");
    EXPECT_EQ(text(formatSeconds(kInf)), "∞");
    EXPECT_EQ(text(formatSeconds(1e300)), "∞");   // more than any clock counts
}

TEST_F(Format, MoneyAndEnergy) {
    EXPECT_EQ(text(formatUsd(0)), "$0");
    EXPECT_EQ(text(formatUsd(0.004)), "$0.0040");
    EXPECT_EQ(text(formatUsd(12.34)), "$12.34");
    EXPECT_EQ(text(formatUsd(0.999)), "$1.00");
    EXPECT_EQ(text(formatUsd(-1.5)), "−$1.50");
    EXPECT_EQ(text(formatJoules(812)), "812 J");
    EXPECT_EQ(text(formatJoules(0.42 * 3.6e6)), "420 Wh");
    EXPECT_EQ(text(formatJoules(1.5 * 3.6e6)), "1.50 kWh");
}

TEST_F(Format, FractionsAndChanges) {
    EXPECT_EQ(text(formatPercent(0.124)), "12.4 %");
    EXPECT_EQ(text(formatPercent(-0.0001)), "0.0 %");
    EXPECT_EQ(text(formatChange(-0.796)), "−79.6 %");
    EXPECT_EQ(text(formatChange(0.027)), "+2.7 %");
    EXPECT_EQ(text(formatChange(0.0001)), "0.0 %");
    EXPECT_EQ(text(formatChange(kNan)), "NaN");
}

TEST_F(Format, TheErrorDecidesTheDigits) {
    EXPECT_EQ(text(formatPlusMinus(1.02713, 0.0031)), "1.0271 ± 0.0031");
    EXPECT_EQ(text(formatPlusMinus(123.4, 12.0)), "123 ± 12");
    EXPECT_EQ(text(formatPlusMinus(1.5, 0.0)), "1.500 ± 0");
    EXPECT_EQ(text(formatPlusMinus(1.5, std::nullopt)), "1.500");
    EXPECT_EQ(text(formatPlusMinus(1.5, kNan)), "1.500");
    EXPECT_EQ(text(formatPlusMinus(kNan, 0.1)), "NaN");
}

TEST_F(Format, MetricsByNameAndSuffix) {
    EXPECT_EQ(text(formatMetric(QStringLiteral("system/rss_bytes"), 2.69e9)), "2.69 GB");
    EXPECT_EQ(text(formatMetric(QStringLiteral("train/step_seconds"), 0.398)), "398 ms");
    EXPECT_EQ(text(formatMetric(QStringLiteral("speed/ttft_ms"), 412)), "412 ms");
    EXPECT_EQ(text(formatMetric(QStringLiteral("cost/usd"), 0.0057)), "$0.0057");
    EXPECT_EQ(text(formatMetric(QStringLiteral("train/tokens_per_s"), 5432)), "5,432");
    EXPECT_EQ(text(formatMetric(QStringLiteral("accuracy/same_top1"), 0.981)), "98.1 %");
    EXPECT_EQ(text(metricUnit(QStringLiteral("x/y"))), "");
    EXPECT_EQ(text(metricUnit(QStringLiteral("train/loss"))), "nats/token");
    EXPECT_EQ(text(metricLabel(QStringLiteral("my/metric"))), "my/metric");
}

// Every name that a stage writes into its summary (engine/train/kinds, engine/infer/kinds) reads as words.
TEST_F(Format, ResultsHaveNamesForPeople) {
    for (const char* metric : {"data/documents", "data/tokens", "data/loss_tokens", "data/dropped", "data/padding_fraction", "data/seconds", "data/mb_per_s", "data/eval_documents", "data/eval_tokens",
                               "data/eval_bytes", "data/bigram_nll", "data/wait_seconds", "train/loss", "train/steps", "train/total_steps", "train/tokens", "train/labelled_tokens", "train/running_seconds",
                               "train/skipped_steps", "eval/loss", "eval/perplexity", "eval/perplexity_se", "eval/bits_per_byte", "memory/weights_bytes", "memory/gradients_bytes", "memory/optimizer_bytes",
                               "memory/activations_bytes", "model/parameters", "model/parameters_without_embeddings", "generate/tokens", "quantize/int8/perplexity", "quantize/int4-g32/bits_per_weight",
                               "bench/dequantized Q4_1/decode_tokens_per_s", "cost/usd"})
        EXPECT_FALSE(metricLabel(QString::fromLatin1(metric)).contains(QLatin1Char('/')) && !metricLabel(QString::fromLatin1(metric)).contains(QStringLiteral("tokens/s"))) << metric;
    EXPECT_EQ(text(metricLabel(QStringLiteral("quantize/int8/perplexity_ratio"))), "Perplexity ratio (int8)");
    EXPECT_EQ(text(metricLabel(QStringLiteral("bench/int4-g32/decode_tokens_per_s"))), "Decode, tokens/s (int4-g32)");
    EXPECT_EQ(text(metricLabel(QStringLiteral("quantize/int8/new_measure"))), "quantize/int8/new_measure");
    EXPECT_EQ(text(formatMetric(QStringLiteral("data/tokens"), 4070658)), "4,070,658") << "a count keeps its digits";
    EXPECT_EQ(text(formatMetric(QStringLiteral("data/padding_fraction"), 0.124)), "12.4 %");
    EXPECT_EQ(text(formatMetric(QStringLiteral("data/mb_per_s"), 9.7044)), "9.70 MB/s");
    EXPECT_EQ(text(formatMetric(QStringLiteral("quantize/int8/same_top1"), 0.9613)), "96.1 %");
}

TEST_F(Format, TextFromDataCannotTurnOrHideWhatIsAroundIt) {
    EXPECT_EQ(text(plain(QString::fromUtf8("a\nb\tc"))), "a b c");
    EXPECT_EQ(text(plain(QStringLiteral("a") + QChar(0x202e) + QStringLiteral("b") + QChar(0x2066) + QChar(0x200f) + QChar(0x061c))), "ab");
    EXPECT_EQ(plain(QString(QChar(0x1b))), QString(QChar(0x241b)));
    EXPECT_EQ(plain(QString(QChar(0x7f))), QString(QChar(0x2421)));
    EXPECT_EQ(plain(QString(QChar(0x85))), QStringLiteral(" "));          // next line: a line end too
    EXPECT_EQ(plain(QString(QChar(0x9b))), QString(QChar(0xfffd)));       // C1: what a terminal would obey
    EXPECT_EQ(plain(QString::fromUtf8("עברית <b>x</b>")), QString::fromUtf8("עברית <b>x</b>"));
    EXPECT_EQ(shortened(QStringLiteral("abcdefghij"), 10), QStringLiteral("abcdefghij"));
    EXPECT_EQ(shortened(QStringLiteral("abcdefghijk"), 10).size(), 10);
    EXPECT_EQ(shortened(QStringLiteral("abcdefghijk"), 10), QStringLiteral("abcdef…ijk"));
}

TEST_F(Format, ShorteningNeverHalvesACharacter) {
    const QString faces = QString::fromUtf8("😀😀😀😀😀😀😀😀");
    for (int most = 1; most < 16; ++most) {
        const QString cut = shortened(faces, most);
        EXPECT_LE(cut.size(), most);
        EXPECT_EQ(cut, QString::fromUtf8(cut.toUtf8())) << most;   // a lone surrogate does not survive UTF-8
    }
}

TEST_F(Format, Times) {
    EXPECT_EQ(text(formatTime({})), "—");
    EXPECT_EQ(text(formatAgo({}, QDateTime::currentDateTimeUtc())), "—");
    const QDateTime now(QDate(2026, 11, 30), QTime(12, 0), Qt::UTC);
    EXPECT_EQ(text(formatAgo(now.addSecs(-59), now)), "just now");
    EXPECT_EQ(text(formatAgo(now.addSecs(60), now)), "just now");   // a clock that is ahead
    EXPECT_EQ(text(formatAgo(now.addSecs(-180), now)), "3 min ago");
    EXPECT_EQ(text(formatAgo(now.addSecs(-7200), now)), "today 10:00");
    EXPECT_EQ(text(formatAgo(now.addDays(-1), now)), "yesterday 12:00");
    EXPECT_EQ(text(formatAgo(now.addDays(-28), now)), "2026-11-02");
}

TEST_F(Format, OtherLanguagesWriteTheirOwnDigitsGroups) {
    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    EXPECT_EQ(text(formatNumber(12345.6)), "12.346");
    EXPECT_EQ(text(formatNumber(3.3954)), "3,395");
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
}

}  // namespace
