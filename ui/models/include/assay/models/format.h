#pragma once
// Numbers and times as people read them, in the language of the application's default QLocale. One place for each rule,
// so that a value reads the same on every page, in the report and in a tooltip. Pure functions, any thread.

#include <QDateTime>
#include <QString>
#include <optional>

namespace assay::models {

QString notMeasured();                              // "—": what stands where there is no number; never 0
QString formatNumber(double value, int significant = 4);   // 0.0004312, 3.395, 12,345; "NaN", "∞", "−∞"; minus is U+2212
QString formatCount(double value);                  // 12,345
QString formatCompact(double value);                // 12.4 M, 25 k
QString formatBytes(double bytes);                  // 2.69 GB (decimal units; 3 significant digits)
QString formatSeconds(double seconds);              // 41 µs, 412 ms, 9.31 s, 3:01, 4 h 12 min, 2 d 3 h
QString formatUsd(double usd);                      // $0.0040, $12.34
QString formatJoules(double joules);                // 812 J, 0.42 kWh
QString formatPercent(double fraction, int decimals = 1);   // 0.124 → 12.4 %
QString formatChange(double fraction, int decimals = 1);    // −0.796 → −79.6 %, 0.027 → +2.7 %
QString formatPlusMinus(double value, std::optional<double> standardError, int significant = 4);  // 1.0271 ± 0.0031
QString formatMetric(const QString& metric, double value);  // by the metric's standard name or its suffix (_bytes, _seconds, usd …)
QString metricUnit(const QString& metric);          // "nats/token", "tokens/s", "bytes", ""
QString metricLabel(const QString& metric);         // "train/loss" → "Training loss"; unknown: the name itself
QString formatAgo(const QDateTime& time, const QDateTime& now);  // just now, 3 min ago, yesterday 14:02, 2026-11-02
QString formatTime(const QDateTime& time);          // local time, 14:02:11 today, else with the date
QString shortened(const QString& text, int most);   // … in the middle; direction controls removed; one line
QString plain(const QString& text);                 // control and direction characters made visible or removed; never markup

}  // namespace assay::models
