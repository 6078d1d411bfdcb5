#pragma once
#include <assay/presenters/engine_session.h>
#include <assay/presenters/runs_presenter.h>
#include <assay/presenters/settings.h>

#include <QTimer>

namespace assay::presenters {

inline constexpr int kRefreshMs = 500;    // changes elsewhere gather so long before the list is asked for again
inline constexpr int kLiveMs = 100;       // rows on screen change at most ten times a second

struct RunsPresenter::Private {
    RunsPresenter& self;
    AppContext& context;
    models::RunTableModel model;
    QString filter, kind, groupKey, sortKey = QStringLiteral("created_at");
    bool sortDescending = true, showStages = false, showTries = false, differencesOnly = false;
    Quick quick = Quick::kAll;
    FilterCheck check;
    QStringList columns;
    std::optional<Error> error;
    bool loading = false, listed = false;
    QString warning;
    qint64 total = 0, allRuns = -1;
    int generation = 0;                    // of the query: older answers are dropped
    QList<Json> groupValues;
    QTimer refreshTimer, liveTimer, undoTimer;
    std::map<QString, Json> live;          // newest row of each run since the last tick
    QSet<QString> metricKeys, specKeys;    // seen so far
    QString pinned, pinnedName;
    QStringList removing;                  // hidden, not removed yet

    Private(RunsPresenter& s, AppContext& c) : self(s), context(c) {}
    QString where(const QString& more = {}) const;
    Json listParams(const QString& more, qint64 offset, int limit) const;
    void query(bool keepRows);
    void queryGroups(int mine, bool keepRows);
    void askPage(int group, qint64 first, int count);
    QString groupWhere(int group) const;
    void takeWarnings(const Json& reply);
    void learn(const models::RunRow& row);
    void applyColumns();
    void loadPinned();
    void finishRemoving();
    void each(const QList<models::RunRow>& runs, const QString& method, const Json& extra, const QString& what);
};

}  // namespace assay::presenters
