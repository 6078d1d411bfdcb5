#pragma once
#include <assay/presenters/engine_session.h>
#include <assay/presenters/run_presenter.h>
#include <assay/presenters/settings.h>

#include <QElapsedTimer>
#include <QTimer>
#include <map>

namespace assay::presenters {

struct RunPresenter::Private {
    RunPresenter& self;
    AppContext& context;
    QString id;
    Json document = Json::object();
    models::RunRow row;
    std::optional<Error> error;
    bool loaded = false;
    int generation = 0;                       // of the opened run: older answers are dropped
    QTimer publish, reload;
    double lastSeconds = 0;                   // running time when it was last told
    QElapsedTimer sinceTold;
    Json latest = Json::object();             // newest value of each metric
    QString stage;                            // of a pipeline: the training stage, whose curves are shown; else empty
    std::map<QString, std::unique_ptr<SeriesSource>> series;
    std::vector<Mark> marks;
    QList<Json> samples;
    Json plan;                                // null: none yet
    bool planNow = false, planAsked = false;
    QString planTrouble;
    Json proof;                               // runs.get of the newest check of the training; null: none is known
    bool proofAsking = false, verifying = false;
    Json baseline;                            // runs.get of the pinned run
    bool logWanted = false, logBusy = false, logAgain = false;
    int64_t logBegin = 0, logEnd = 0;

    Private(RunPresenter& s, AppContext& c) : self(s), context(c) {}
    void load();
    void take(const QString& type, const Json& event);
    void takeMetrics(const Json& event);
    void takeNames(const Json& values);       // keys: metrics that have points
    void askStageMetrics();
    void told(double seconds);
    void askPlan();
    QString trained() const;                  // id of the one run that trains here
    void askProof();
    void askBaseline();
    void followLog();
    void act(const QString& method, Json params, const QString& what);
    double measured(const char* metric) const;   // summary, else the newest value; NaN
    double measuredPeak(const char* metric) const;   // of a run with stages: the largest among them
    const Json& spec() const;
    const Json* trainChild() const;           // of a pipeline: the row of its training stage
    void changedSoon();
};

}  // namespace assay::presenters
