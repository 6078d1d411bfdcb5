#include <assay/config/config.h>
#include <assay/core/durable.h>
#include <assay/core/ids.h>
#include <assay/models/format.h>
#include <assay/presenters/engine_session.h>
#include <assay/presenters/home_presenter.h>
#include <assay/presenters/installed_file.h>

namespace assay::presenters {
namespace {

constexpr int kHomeSoonMs = 250, kProgressMs = 1000;

QList<models::RunRow> rowsOf(const Json& reply) {
    QList<models::RunRow> rows;
    if (auto runs = reply.find("runs"); runs != reply.end() && runs->is_array())
        for (const Json& row : *runs) rows.append(models::runRowFromJson(row));
    return rows;
}

struct Submission {
    Json spec;
    std::string yaml;
};

Result<Submission> demoSubmission() {
    ASSAY_TRY(const QString path, installedFile(QStringLiteral("experiments/quickstart/kjv-gpt.yaml")));
    ASSAY_TRY(config::Loaded loaded, config::loadSpecFile(path.toStdString()));
    ASSAY_TRY_VOID(config::requireValid(loaded, path.toStdString()));
    ASSAY_TRY(std::string yaml, readFile(path.toStdString(), size_t{1} << 20));
    return Submission{std::move(loaded.resolved), std::move(yaml)};
}

}  // namespace

HomePresenter::HomePresenter(AppContext& context, QObject* parent) : QObject(parent), context_(context), machine_(context.session) {
    timer_.setSingleShot(true);
    connect(&timer_, &QTimer::timeout, this, &HomePresenter::ask);
    connect(&machine_, &MachineWatch::changed, this, &HomePresenter::machineChanged);
    connect(&context.session, &EngineSession::resynchronized, this, [this] { later(0); });
    connect(&context.session, &EngineSession::runChanged, this, [this] { later(kHomeSoonMs); });
    connect(&context.session, &EngineSession::runRemoved, this, [this] { later(kHomeSoonMs); });
    connect(&context.session, &EngineSession::event, this, [this](const QString&, const QString& type) {
        if (type == QLatin1String("progress")) later(kProgressMs);
    });
}

void HomePresenter::setVisible(bool visible) {
    if (visible == visible_) return;
    visible_ = visible;
    machine_.setActive(visible);
    if (visible) later(0);
}

// Many events, one question: an earlier one that waits longer is brought forward, never pushed back.
void HomePresenter::later(int milliseconds) {
    if (!visible_) return;
    if (timer_.isActive() && timer_.remainingTime() <= milliseconds) return;
    timer_.start(milliseconds);
}

void HomePresenter::ask() {
    if (!visible_ || !context_.session.isLive()) return;
    if (asking_) {
        again_ = true;
        return;
    }
    asking_ = true;
    const Json active = {{"where", "status = running or status = queued or status = starting or status = stopping"}, {"parents_only", true}, {"sort", "created_at"}, {"limit", kMostActive}};
    const Json recent = {{"parents_only", true}, {"sort", "-created_at"}, {"limit", kMostRecent}};
    context_.session.call(QStringLiteral("runs.list"), active, this, [this](Result<Json> reply) {
        if (reply) active_ = rowsOf(*reply);
    });
    context_.session.call(QStringLiteral("runs.list"), recent, this, [this](Result<Json> reply) {
        asking_ = false;
        if (reply) {
            recent_ = rowsOf(*reply);
            total_ = jsonIntegerOr(*reply, "total", recent_.size());
            loaded_ = true;
            error_.reset();
        } else if (reply.error().code != ErrorCode::kUnreachable) {   // a lost link has a banner of its own
            error_ = reply.error();
        }
        Q_EMIT changed();
        if (std::exchange(again_, false)) later(kHomeSoonMs);
    });
}

QList<NextStep> HomePresenter::nextSteps() const { return loaded_ ? nextStepsFor(active_, recent_) : QList<NextStep>(); }

void HomePresenter::runDemo() {
    if (submitting_) return;
    auto demo = demoSubmission();
    if (!demo) return context_.notifier.error(tr("The demo cannot be started"), demo.error());
    submitting_ = true;
    Q_EMIT changed();
    Json params = {{"spec", std::move(demo->spec)}, {"yaml", std::move(demo->yaml)}, {"idempotency_key", randomHex(16)}};
    context_.session.call(QStringLiteral("runs.submit"), std::move(params), this, [this](Result<Json> reply) {
        submitting_ = false;
        Q_EMIT changed();
        if (!reply) return context_.notifier.error(tr("The demo cannot be started"), reply.error());
        openRun(QString::fromStdString(jsonStringOr(*reply, "run", "")));
    });
}

void HomePresenter::openRun(const QString& id) { context_.navigator.navigate(QStringLiteral("run"), {{"run", id.toStdString()}}); }

void HomePresenter::openDataset() { context_.navigator.navigate(QStringLiteral("data"), {{"open", true}}); }

void HomePresenter::stopRun(const QString& id) {
    context_.session.call(QStringLiteral("runs.stop"), {{"run", id.toStdString()}, {"discard", false}}, this, [this](Result<Json> reply) {
        if (!reply) context_.notifier.error(tr("The run cannot be stopped"), reply.error());
    });
}

QList<NextStep> nextStepsFor(const QList<models::RunRow>& active, const QList<models::RunRow>& recent) {
    constexpr qsizetype kMost = 3;
    QList<NextStep> steps;
    const auto name = [](const models::RunRow& run) { return models::shortened(run.name, 40); };
    const auto withStatus = [&](const char* status) -> const models::RunRow* {
        for (const models::RunRow& run : recent)
            if (run.status == QLatin1String(status)) return &run;
        return nullptr;
    };
    if (const auto* failed = withStatus("failed"))
        steps.append({QStringLiteral("failed"), QStringLiteral("error"), QObject::tr("See why “%1” failed").arg(name(*failed)),
                      QObject::tr("Its page shows the error, what to do about it, and the log."), QStringLiteral("run"), {{"run", failed->id.toStdString()}}});
    if (const auto* cut = withStatus("interrupted"))
        steps.append({QStringLiteral("resume"), QStringLiteral("resume"), QObject::tr("Resume “%1”").arg(name(*cut)),
                      QObject::tr("It goes on from its last checkpoint."), QStringLiteral("run"), {{"run", cut->id.toStdString()}}});
    Json done = Json::array();
    for (const models::RunRow& run : recent)
        if (run.status == QLatin1String("done")) done.push_back(run.id.toStdString());
    if (!done.empty())
        steps.append({QStringLiteral("compare"), QStringLiteral("compare"), QObject::tr("Compare cost and accuracy"),
                      done.size() == 1 ? QObject::tr("Set every version of your model beside the base.") : QObject::tr("%1 finished runs can be set side by side.").arg(done.size()),
                      QStringLiteral("compare"), {{"runs", done}}});
    if (steps.size() < kMost && !recent.isEmpty() && active.isEmpty())
        steps.append({QStringLiteral("experiment"), QStringLiteral("experiment"), QObject::tr("Plan the next experiment"),
                      QObject::tr("Memory, time and cost are shown before it starts."), QStringLiteral("experiment"), Json::object()});
    if (steps.size() < kMost)
        steps.append({QStringLiteral("data"), QStringLiteral("data"), QObject::tr("Look at your own data"),
                      QObject::tr("Drop a file on the window to see rows, problems and tokens."), QStringLiteral("data"), Json::object()});
    return steps.mid(0, kMost);
}

}  // namespace assay::presenters
