#pragma once
// One metric of one run as a curve that follows the run: asks `metrics.query` for what the chart can show, again on zoom,
// and appends live points. Non-finite points come apart from the line.

#include <assay/core/json.h>

#include <QObject>
#include <QString>
#include <memory>
#include <vector>

namespace assay::presenters {

class EngineSession;

enum class XAxis { kStep, kTime, kTokens, kCost, kEnergy };
struct CurvePoint {
    double x = 0, y = 0;
};
struct Curve {
    std::vector<CurvePoint> points;     // finite, x ascending
    std::vector<double> nonFinite;      // x of NaN and ±inf
    qint64 total = 0;                   // points in the store in the shown range
    bool sampled = false;               // M4, at most max_points
    double low = 0, high = 0;           // while zoomed: x of the whole curve; low == high: not zoomed, or unknown
};

class SeriesSource final : public QObject {
    Q_OBJECT
public:
    SeriesSource(EngineSession& session, QString run, QString metric, QObject* parent = nullptr);
    ~SeriesSource() override;
    const QString& run() const;
    const QString& metric() const;
    void setMaxPoints(int points);          // 4 per pixel column of the chart
    void setXAxis(XAxis axis, double usdPerSecond = 0, double joulesPerSecond = 0);
    // Range of steps on screen; outside it nothing is asked for. Empty range: everything.
    void setRange(double firstStep, double lastStep);
    // The same in the units of the x axis: asks for the steps between the known points beside the range.
    void setXRange(double low, double high);
    const Curve& curve() const;
    bool isLoading() const;
    const std::optional<Error>& error() const;

Q_SIGNALS:
    void changed();   // at most 10 times a second

private:
    void ask();
    void take(const Json& event);
    struct Private;
    std::unique_ptr<Private> d_;
};

}  // namespace assay::presenters
