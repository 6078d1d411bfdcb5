#include <assay/models/format.h>
#include <assay/presenters/engine_session.h>
#include <assay/presenters/machine_watch.h>

#include <cmath>
#include <limits>

namespace assay::presenters {

MachineWatch::MachineWatch(EngineSession& session, QObject* parent) : QObject(parent), session_(session) {
    timer_.setInterval(kPeriodMs);
    connect(&timer_, &QTimer::timeout, this, &MachineWatch::ask);
    connect(&session, &EngineSession::linkChanged, this, [this] {
        if (session_.isLive()) {
            supported_ = true;
            ask();
        } else if (!machine_.is_null()) {   // figures of a machine that cannot be seen are not shown as its present ones
            machine_ = nullptr;
            Q_EMIT changed();
        }
    });
    connect(&session, &EngineSession::runChanged, this, [this] {   // a queue that moved is shown at once
        if (active_ && timer_.remainingTime() > 300) timer_.start(300);
    });
}

void MachineWatch::setActive(bool active) {
    if (active == active_) return;
    active_ = active;
    if (!active) return timer_.stop();
    timer_.start(kPeriodMs);
    ask();
}

void MachineWatch::ask() {
    if (timer_.isActive() && timer_.interval() != kPeriodMs) timer_.start(kPeriodMs);
    if (!active_ || asking_ || !supported_ || !session_.isLive()) return;
    asking_ = true;
    session_.call(QStringLiteral("engine.machine"), Json::object(), this, [this](Result<Json> reply) {
        asking_ = false;
        if (reply)
            machine_ = std::move(*reply);
        else if (reply.error().code == ErrorCode::kNotFound)
            supported_ = false;
        else
            return;
        Q_EMIT changed();
    }, 10);
}

double MachineWatch::cpuFraction() const {
    return machine_.is_object() ? jsonDoubleOr(machine_, "cpu_fraction", std::numeric_limits<double>::quiet_NaN())
                                : std::numeric_limits<double>::quiet_NaN();
}

QString MachineWatch::cpuText() const {
    const double fraction = cpuFraction();
    return std::isfinite(fraction) ? models::formatPercent(fraction, 0) : models::notMeasured();
}

QString MachineWatch::memoryText() const {
    const double total = machine_.is_object() ? jsonDoubleOr(machine_, "memory_total_bytes", 0) : 0;
    if (total <= 0) return models::notMeasured();
    return tr("%1 of %2").arg(models::formatBytes(jsonDoubleOr(machine_, "memory_used_bytes", 0)), models::formatBytes(total));
}

QString MachineWatch::diskText() const {
    if (!machine_.is_object() || !machine_.contains("disk_free_bytes")) return models::notMeasured();
    return tr("%1 free").arg(models::formatBytes(jsonDoubleOr(machine_, "disk_free_bytes", 0)));
}

QString MachineWatch::queueText() const {
    if (!machine_.is_object()) return models::notMeasured();
    const auto running = jsonIntegerOr(machine_, "runs_running", 0), queued = jsonIntegerOr(machine_, "runs_queued", 0);
    if (!running && !queued) return tr("nothing runs");
    return queued ? tr("%1 running, %2 waiting").arg(running).arg(queued) : tr("%1 running").arg(running);
}

}  // namespace assay::presenters
