// A report is English, also in files that others read; the window says the same in the person's language.
#include <assay/presenters/compare_figures.h>

#include <QCoreApplication>

namespace assay::presenters {
namespace {

QString reportText(const char* english) { return QCoreApplication::translate("report", english); }

// Inside a sentence a label starts small, unless it is an abbreviation.
QString inSentence(const report::Metric& metric) {
    QString text = metricTitle(metric);
    if (text.size() > 1 && text[1].isLower()) text[0] = text[0].toLower();
    return text;
}

}  // namespace

QString metricTitle(const report::Metric& metric) { return reportText(metric.label); }
QString metricMeaning(const report::Metric& metric) { return reportText(metric.definition); }

QString warningText(const report::Warning& warning) {
    QString text = reportText(warning.form.c_str());
    qsizetype from = 0;
    for (const std::string& argument : warning.arguments) {
        const QString value = reportText(argument.c_str());   // the name of a metric, or a value as it is
        const qsizetype at = text.indexOf(QLatin1String("{}"), from);
        if (at < 0) break;
        text.replace(at, 2, value);
        from = at + value.size();
    }
    if (!warning.setups.empty()) text = reportText(QT_TRANSLATE_NOOP("report", "%1: %2")).arg(QString::fromStdString(warning.setups), text);
    return QString::fromStdString(report::clean(text.toStdString(), 300));
}

QString answerReason(const report::Comparison& comparison, bool found) {
    if (comparison.target) {
        const report::Metric* metric = report::findMetric(comparison.target->metric);
        if (!metric) return {};
        const QString target = QStringLiteral("%1 %2 %3").arg(inSentence(*metric), QString::fromStdString(report::relationSign(comparison.target->relation)), QString::fromStdString(report::exact(comparison.target->value)));
        return found ? reportText(QT_TRANSLATE_NOOP("report", "cheapest set-up with %1")).arg(target) : target;
    }
    const report::Metric* cost = report::findMetric(comparison.x);
    if (!found || !cost) return reportText(QT_TRANSLATE_NOOP("report", "Cost or accuracy was not measured."));
    return reportText(QT_TRANSLATE_NOOP("report", "lowest %1 on the frontier; no target was set")).arg(inSentence(*cost));
}

}  // namespace assay::presenters
