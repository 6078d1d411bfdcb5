#include <assay/core/durable.h>
#include <assay/core/hash.h>
#include <assay/print/pdf_report.h>
#include <assay/report/present.h>

#include <QBuffer>
#include <QGuiApplication>
#include <QPdfWriter>
#include <cmath>

#include "report_charts.h"
#include "sheet.h"

namespace assay::print {
namespace {

using report::Comparison;
using report::Metric;
using report::Setup;

constexpr size_t kColumns = 6;      // metrics side by side on A4; more follow in a table below
constexpr size_t kMostDiffs = 40;

QString words(const std::string& text) { return QString::fromStdString(text); }

std::vector<std::pair<QString, QString>> pairs(const std::vector<report::Fact>& facts, size_t most = 2000) {
    std::vector<std::pair<QString, QString>> out;
    for (const report::Fact& fact : facts) out.emplace_back(fromText(fact.name, 120), fromText(fact.value, most));
    return out;
}

void answer(Sheet& sheet, const Comparison& c) {
    const report::Answer a = report::answerOf(c);
    if (a.headline.empty()) return;
    const style::Tokens& tokens = style::tokens(style::Theme::kLight);
    sheet.heading(QStringLiteral("Answer"));
    sheet.paragraph(fromText(a.headline), style::font(style::Type::kTitle), tokens.text);
    sheet.paragraph(fromText(a.why), style::font(style::Type::kSmall), tokens.text2);
    sheet.space(4);
    sheet.facts(pairs(a.facts));
    sheet.paragraph(fromText(a.note, 1000), style::font(style::Type::kSmall), tokens.text2);
}

// As in the page: the metrics of the chart first, what was never measured left out and named below.
void setups(Sheet& sheet, const Comparison& c) {
    const Setup* base = c.baselineSetup();
    if (!base) return;
    const report::TableColumns chosen = report::tableColumns(c);
    const Metric* x = report::findMetric(c.x);
    sheet.heading(QStringLiteral("Set-ups"), QStringLiteral("± is one standard error"));
    for (size_t first = 0; first < chosen.shown.size(); first += kColumns) {
        const size_t last = std::min(first + kColumns, chosen.shown.size());
        std::vector<Column> columns{{QStringLiteral("Set-up"), {}, false, 150, false}};
        for (size_t m = first; m < last; ++m) {
            const QString unit = QString::fromLatin1(chosen.shown[m]->unit);
            const bool written = unit == QLatin1String("bytes") || unit == QLatin1String("USD") || unit == QLatin1String("bit");   // with each figure
            columns.push_back({QString::fromUtf8(chosen.shown[m]->label), written ? QString() : unit, true, 0, false});
            if (chosen.shown[m] == x && c.setups.size() > 1) columns.push_back({QStringLiteral("to the baseline"), {}, true, 0, false});
        }
        std::vector<Row> rows;
        for (size_t i = 0; i < c.setups.size(); ++i) {
            const Setup& s = c.setups[i];
            Row row;
            row.marker = static_cast<int>(i);
            row.best = s.id == c.cheapest;
            row.cells << fromText(report::shortName(s, 48));
            if (first == 0) {
                QStringList badges;
                for (const std::string& badge : report::badgesOf(c, s)) badges << words(badge);
                row.badges = badges.join(QStringLiteral(" · "));
            }
            for (size_t m = first; m < last; ++m) {
                const Metric& metric = *chosen.shown[m];
                const report::Value& value = s.*metric.value;
                const std::string_view name = metric.name;
                const bool reference = s.id == c.baseline && !value.value && (name == "accuracy.kl_divergence" || name == "accuracy.same_top1");
                QString cell = reference ? QStringLiteral("—") : !value.value ? QStringLiteral("not measured") : words(report::shown(metric, *value.value));
                if (const std::string error = report::shownError(metric, value); !error.empty()) cell += QStringLiteral("\n± ") + words(error);
                if (name.starts_with("speed.") && !metric.lowerIsBetter && s.id != c.baseline)
                    if (const std::string factor = report::times(value, base->*metric.value); !factor.empty()) cell += QLatin1Char('\n') + words(factor);
                row.cells << cell;
                if (&metric == x && c.setups.size() > 1) row.cells << (s.id == c.baseline ? QStringLiteral("—") : words(report::change(value, base->*metric.value)));
            }
            rows.push_back(std::move(row));
        }
        sheet.table(columns, rows);
    }
    sheet.paragraph(fromText(report::measuredHow(c), 4000), style::font(style::Type::kSmall), style::tokens(style::Theme::kLight).text2);
}

void sensitivity(Sheet& sheet, const Comparison& c) {
    const Metric& metric = *report::findMetric("cost.usd_per_1m_output_tokens");
    if (!report::measuredAnywhere(c, metric)) return;
    sheet.heading(QStringLiteral("If the price or the load were other"), QStringLiteral("USD per 1M output tokens; assumed prices, measured speeds"));
    std::vector<Column> columns{{QStringLiteral("Set-up"), {}, false, 170, false}};
    for (const char* title : {"price −20 %", "as stated", "price +20 %", "90 % busy", "60 % busy", "30 % busy"}) columns.push_back({QString::fromUtf8(title), {}, true, 0, false});
    std::vector<Row> rows;
    for (size_t i = 0; i < c.setups.size(); ++i) {
        const report::Value& v = c.setups[i].*metric.value;
        Row row;
        row.marker = static_cast<int>(i);
        row.cells << fromText(report::shortName(c.setups[i], 40));
        for (const double factor : {0.8, 1.0, 1.2, 1 / 0.9, 1 / 0.6, 1 / 0.3}) row.cells << (v.value ? words(report::shown(metric, *v.value * factor)) : QStringLiteral("not measured"));
        rows.push_back(std::move(row));
    }
    sheet.table(columns, rows);
    sheet.paragraph((c.usdPerHour ? QStringLiteral("Stated price: $%1 per hour. ").arg(words(report::exact(*c.usdPerHour))) : QString()) + QStringLiteral("All set-ups scale alike, so their order by cost stays the same."),
                    style::font(style::Type::kSmall), style::tokens(style::Theme::kLight).text2);
}

void curves(Sheet& sheet, const report::ReportInput& input) {
    std::vector<CurveChart> list = curvesOf(input);
    const charts::Look look = charts::paperLook();
    auto draw = [&](CurveChart& one) {
        return [&one, look](QPainter& painter, const QRectF& rect) {
            painter.setFont(look.body);
            painter.setPen(look.tokens.text);
            painter.drawText(QRectF(rect.left(), rect.top(), rect.width(), 16), Qt::AlignLeft | Qt::AlignVCenter, charts::label(one.title, look.body, rect.width()));
            one.chart.paint(painter, rect.adjusted(0, 16, 0, 0), look);
        };
    };
    if (list.empty()) return;
    sheet.heading(QStringLiteral("Curves"), {}, 250);
    for (size_t i = 0; i < list.size(); i += 2)
        sheet.twoDrawings(236, draw(list[i]), i + 1 < list.size() ? std::function<void(QPainter&, const QRectF&)>(draw(list[i + 1])) : nullptr);
}

void differences(Sheet& sheet, const Comparison& c) {
    const std::vector<report::ConfigDifference> all = report::configDifferences(c);
    if (all.empty()) return;
    std::vector<Row> rows;
    for (const report::ConfigDifference& one : all) {
        Row row;
        if (rows.size() == kMostDiffs) {
            row.cells << QStringLiteral("and %1 more").arg(all.size() - kMostDiffs);
            rows.push_back(std::move(row));
            break;
        }
        row.cells << fromText(one.key, 120) << fromText(one.base, 300) << fromText(one.here, 300) << fromText(report::setupNames(c, one), 400);
        rows.push_back(std::move(row));
    }
    sheet.heading(QStringLiteral("Differences in the configuration"), QStringLiteral("to the baseline; — means absent; what all set-ups have alike is left out"));
    sheet.table({{QStringLiteral("Setting"), {}, false, 0, true}, {QStringLiteral("Baseline"), {}, false, 0, true}, {QStringLiteral("Otherwise"), {}, false, 0, true}, {QStringLiteral("In"), {}, false, 130, false}}, rows);
}

void runsAndEnvironment(Sheet& sheet, const report::ReportInput& input) {
    std::vector<Row> rows;
    for (const report::RunLine& run : report::runLines(input)) {
        Row row;
        row.cells << QString(run.depth * 3, QChar(0x00a0)) + fromText(run.name, 80) << fromText(run.id, 60) << fromText(run.kind, 30) << fromText(run.status, 30) << words(run.running) << fromText(run.created, 40);
        rows.push_back(std::move(row));
    }
    if (!rows.empty()) {
        sheet.heading(QStringLiteral("Runs"));
        sheet.table({{QStringLiteral("Name"), {}, false, 0, false}, {QStringLiteral("Id"), {}, false, 150, true}, {QStringLiteral("Kind"), {}, false, 70, false}, {QStringLiteral("Status"), {}, false, 66, false},
                     {QStringLiteral("Running time"), {}, true, 88, false}, {QStringLiteral("Created"), {}, false, 130, false}},
                    rows);
    }
    for (const report::EnvironmentBlock& block : report::environmentsOf(input)) {
        sheet.heading(QStringLiteral("Environment"), fromText(block.runs, 90));
        sheet.definitions(pairs(block.facts, 500));
    }
}

// Returns how many pages there are.
int compose(QByteArray& bytes, const report::ReportInput& input, int pages) {
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    const Comparison& c = input.comparison;
    const QString title = fromText(report::titleOf(input), 160);
    writer.setTitle(title);
    writer.setCreator(QStringLiteral("Assay ") + fromText(input.version, 40));
    QString foot = QStringLiteral("Assay");
    if (!input.version.empty()) foot += QLatin1Char(' ') + fromText(input.version, 40);
    if (!input.time.empty()) foot += QStringLiteral(" · ") + fromText(input.time, 40);
    foot += QStringLiteral(" · ") + title;
    int count = 0;
    {
        Sheet sheet(writer, title, foot, pages);
        const style::Tokens& tokens = style::tokens(style::Theme::kLight);
        QFont large = style::font(style::Type::kTitle);
        large.setPixelSize(22);
        sheet.paragraph(charts::label(title, large, sheet.width() * 2), large, tokens.text);
        QString sub = QStringLiteral("Cost against accuracy · %1 set-up%2").arg(c.setups.size()).arg(c.setups.size() == 1 ? QString() : QStringLiteral("s"));
        if (!input.time.empty()) sub += QStringLiteral(" · ") + fromText(input.time, 40);
        sheet.paragraph(sub, style::font(style::Type::kSmall), tokens.text2);
        answer(sheet, c);
        if (!c.setups.empty()) {
            sheet.heading(QStringLiteral("Cost against accuracy"),
                          QStringLiteral("lower left is better · bars: 95 % · line: frontier") + (c.target ? QStringLiteral(" · ring: cheapest at the target") : QString()), 300);
            charts::ScatterChart scatter = scatterOf(c);
            sheet.drawing(320, [&](QPainter& painter, const QRectF& rect) { scatter.paint(painter, rect, charts::paperLook()); });
        }
        if (!c.warnings.empty()) {
            sheet.heading(QStringLiteral("Mind this"));
            for (size_t i = 0; i < c.warnings.size() && i < 100; ++i) sheet.paragraph(QStringLiteral("• ") + fromText(c.warnings[i].text()), style::font(style::Type::kSmall), tokens.text);
            if (c.warnings.size() > 100) sheet.paragraph(QStringLiteral("and %1 more").arg(c.warnings.size() - 100), style::font(style::Type::kSmall), tokens.text2);
        }
        setups(sheet, c);
        curves(sheet, input);
        sensitivity(sheet, c);
        differences(sheet, c);
        runsAndEnvironment(sheet, input);
        sheet.heading(QStringLiteral("What the numbers mean"));
        sheet.definitions(pairs(report::definitionsOf(c)));
        count = sheet.pages();
    }
    return count;
}

}  // namespace

Result<report::Written> writePdfReport(const std::string& path, const report::ReportInput& input) {
    if (!qGuiApp) return fail(ErrorCode::kInternal, "a PDF needs a QGuiApplication");
    QByteArray counted, bytes;
    const int pages = compose(counted, input, 0);   // once to count the pages, which every footer says
    compose(bytes, input, pages);
    const std::string_view view(bytes.constData(), static_cast<size_t>(bytes.size()));
    ASSAY_TRY_VOID(writeFileDurably(path, view));
    return report::Written{path, sha256Hex(view)};
}

}  // namespace assay::print
