#include <assay/presenters/engine_session.h>
#include <assay/presenters/series_source.h>

#include <QTimer>
#include <cmath>
#include <limits>

namespace assay::presenters {
namespace {

constexpr int kUpdateMs = 100;   // at most ten updates a second reach the screen

struct Sample {
    double step = 0, seconds = 0, tokens = 0, value = 0;
};

std::vector<Sample> samplesOf(const Json& points) {
    std::vector<Sample> samples;
    samples.reserve(points.size());
    for (const Json& point : points)
        if (point.is_array() && point.size() == 4)
            samples.push_back({numberFromJson(point[0]), numberFromJson(point[1]), numberFromJson(point[2]), numberFromJson(point[3])});
    return samples;
}

}  // namespace

struct SeriesSource::Private {
    Private(EngineSession& engine, QString runId, QString name) : session(engine), run(std::move(runId)), metric(std::move(name)) {}
    EngineSession& session;
    QString run, metric;
    int maxPoints = 2000;
    XAxis axis = XAxis::kStep;
    double usdPerSecond = 0, joulesPerSecond = 0;
    double firstStep = std::numeric_limits<double>::quiet_NaN(), lastStep = firstStep;
    std::vector<Sample> samples;   // as the engine gave them, then live ones
    std::vector<Sample> whole;     // those of the whole curve, while it is zoomed
    qint64 total = 0;
    bool sampled = false, loading = false, again = false;
    std::optional<Error> error;
    Curve curve;
    QTimer publish;

    bool zoomed() const { return std::isfinite(firstStep) && std::isfinite(lastStep); }

    // The steps of the nearest known points outside low … high; NaN where there is none on that side.
    std::pair<double, double> stepsAround(const std::vector<Sample>& known, double low, double high) const {
        double before = std::numeric_limits<double>::quiet_NaN(), after = before;
        for (const Sample& sample : known) {   // ascending in step, and so in everything that is counted up with it
            const double x = xOf(sample);
            if (x <= low) before = sample.step;
            if (x >= high && std::isnan(after)) after = sample.step;
        }
        return {before, after};
    }

    double xOf(const Sample& sample) const {
        switch (axis) {
            case XAxis::kStep: return sample.step;
            case XAxis::kTime: return sample.seconds;
            case XAxis::kTokens: return sample.tokens;
            case XAxis::kCost: return sample.seconds * usdPerSecond;
            case XAxis::kEnergy: return sample.seconds * joulesPerSecond;
        }
        return sample.step;
    }

    void rebuild() {
        curve.points.clear();
        curve.nonFinite.clear();
        curve.points.reserve(samples.size());
        for (const Sample& sample : samples) {
            const double x = xOf(sample);
            if (!std::isfinite(x)) continue;
            if (std::isfinite(sample.value))
                curve.points.push_back({x, sample.value});
            else
                curve.nonFinite.push_back(x);
        }
        curve.low = curve.high = 0;
        if (zoomed() && !whole.empty()) {
            curve.low = xOf(whole.front());
            curve.high = xOf(whole.back());
        }
        curve.total = total;
        curve.sampled = sampled;
    }
};

SeriesSource::SeriesSource(EngineSession& session, QString run, QString metric, QObject* parent)
    : QObject(parent), d_(std::make_unique<Private>(session, std::move(run), std::move(metric))) {
    d_->publish.setSingleShot(true);
    d_->publish.setInterval(kUpdateMs);
    connect(&d_->publish, &QTimer::timeout, this, [this] {
        d_->rebuild();
        Q_EMIT changed();
    });
    connect(&session, &EngineSession::resynchronized, this, [this] { ask(); });
    connect(&session, &EngineSession::event, this, [this](const QString& run, const QString& type, const Json& event) {
        if (run == d_->run && type == QLatin1String("metrics")) take(event);
    });
    QTimer::singleShot(0, this, [this] { ask(); });
}

SeriesSource::~SeriesSource() = default;

const QString& SeriesSource::run() const { return d_->run; }
const QString& SeriesSource::metric() const { return d_->metric; }
const Curve& SeriesSource::curve() const { return d_->curve; }
bool SeriesSource::isLoading() const { return d_->loading; }
const std::optional<Error>& SeriesSource::error() const { return d_->error; }

void SeriesSource::setMaxPoints(int points) {
    points = std::max(points, 64);
    if (points == d_->maxPoints) return;
    const bool finer = points > d_->maxPoints;
    d_->maxPoints = points;
    if (finer && d_->sampled) ask();
}

void SeriesSource::setXAxis(XAxis axis, double usdPerSecond, double joulesPerSecond) {
    d_->axis = axis;
    d_->usdPerSecond = usdPerSecond;
    d_->joulesPerSecond = joulesPerSecond;
    if (!d_->publish.isActive()) d_->publish.start();
}

void SeriesSource::setRange(double firstStep, double lastStep) {
    const bool same = (firstStep == d_->firstStep && lastStep == d_->lastStep) || (std::isnan(firstStep) && !d_->zoomed());
    if (same) return;
    if (!d_->zoomed()) d_->whole = d_->samples;
    d_->firstStep = firstStep;
    d_->lastStep = lastStep;
    ask();
}

void SeriesSource::setXRange(double low, double high) {
    if (d_->axis == XAxis::kStep || !std::isfinite(low) || !std::isfinite(high)) return setRange(low, high);
    if (!d_->zoomed()) d_->whole = d_->samples;
    if (d_->whole.empty()) return;
    // What is on screen knows its surroundings finer than the whole curve does, but not what lies beside them.
    auto [first, last] = d_->stepsAround(d_->samples, low, high);
    const auto [coarseFirst, coarseLast] = d_->stepsAround(d_->whole, low, high);
    if (std::isnan(first)) first = std::isnan(coarseFirst) ? d_->whole.front().step : coarseFirst;
    if (std::isnan(last)) last = std::isnan(coarseLast) ? d_->whole.back().step : coarseLast;
    setRange(std::min(first, last), std::max(first, last));
}

void SeriesSource::ask() {
    if (!d_->session.isLive()) return;
    if (d_->loading) {
        d_->again = true;
        return;
    }
    Json params = {{"run", d_->run.toStdString()}, {"name", d_->metric.toStdString()}, {"max_points", d_->maxPoints}};
    if (d_->zoomed()) {
        params["from_step"] = static_cast<int64_t>(std::max(0.0, std::floor(d_->firstStep)));
        params["to_step"] = static_cast<int64_t>(std::max(0.0, std::ceil(d_->lastStep)));
    }
    d_->loading = true;
    d_->session.call(QStringLiteral("metrics.query"), std::move(params), this, [this](Result<Json> reply) {
        d_->loading = false;
        if (reply) {
            d_->error.reset();
            // Live points that overtook the answer stay behind it.
            std::vector<Sample> before = std::exchange(d_->samples, samplesOf(reply->contains("points") ? (*reply)["points"] : Json::array()));
            if (!d_->zoomed())
                for (const Sample& sample : before)
                    if (!d_->samples.empty() && sample.step > d_->samples.back().step) d_->samples.push_back(sample);
            d_->total = jsonIntegerOr(*reply, "total", static_cast<int64_t>(d_->samples.size()));
            d_->sampled = jsonBoolOr(*reply, "sampled", false);
        } else if (reply.error().code != ErrorCode::kNotFound) {   // a metric that has no point yet is an empty curve
            d_->error = reply.error();
        }
        d_->rebuild();
        Q_EMIT changed();
        if (std::exchange(d_->again, false)) ask();
    });
}

// Small batches carry their points; a large one, or a curve that has grown well past what the chart shows, is asked anew.
void SeriesSource::take(const Json& event) {
    const std::string name = d_->metric.toStdString();
    if (d_->zoomed()) return;
    auto points = event.find("points");
    if (points == event.end() || !points->is_array()) {
        auto latest = event.find("latest");
        if (latest != event.end() && latest->contains(name)) ask();
        return;
    }
    bool any = false;
    for (const Json& point : *points) {
        if (!point.is_array() || point.size() != 4 || !point[3].is_object()) continue;
        auto value = point[3].find(name);
        if (value == point[3].end()) continue;
        Sample sample{numberFromJson(point[0]), numberFromJson(point[1]), numberFromJson(point[2]), numberFromJson(*value)};
        // After a resume steps come again: the later session's count.
        while (!d_->samples.empty() && d_->samples.back().step >= sample.step) d_->samples.pop_back();
        d_->samples.push_back(sample);
        ++d_->total;
        any = true;
    }
    if (!any) return;
    if (d_->samples.size() > static_cast<size_t>(d_->maxPoints) + static_cast<size_t>(d_->maxPoints) / 2) return ask();
    if (!d_->publish.isActive()) d_->publish.start();
}

}  // namespace assay::presenters
