#pragma once
// Queue & runs: one query (typed filter, quick filters, sort, group), the table model it fills page by page and live, the
// pinned baseline, and what is done to many runs at once.

#include <assay/models/run_table_model.h>
#include <assay/presenters/app_context.h>
#include <assay/presenters/run_filter.h>

#include <QObject>
#include <QSet>
#include <memory>

namespace assay::presenters {

class RunsPresenter final : public QObject {
    Q_OBJECT
public:
    enum class Quick { kAll, kRunning, kQueued, kFailed, kToday };
    struct KeyInfo {
        QString key, title, section;   // section: "Run", "Results", "Settings"
    };

    explicit RunsPresenter(AppContext& context, QObject* parent = nullptr);
    ~RunsPresenter() override;

    models::RunTableModel& model();

    // The query. Every change asks the engine; the rows of the last answer stay until the new ones are there.
    void setFilter(const QString& text);         // kept when it is wrong: then filterError() says why and nothing is asked
    const QString& filter() const;
    QString filterError() const;
    int filterErrorPosition() const;             // 0-based; −1: none
    void setQuick(Quick quick);
    Quick quick() const;
    void setKind(const QString& kind);           // empty: every kind
    const QString& kind() const;
    void setShowStages(bool on);                 // stages, seeds and sweep members beside their parents
    bool showStages() const;
    void setShowTries(bool on);                  // generate runs of the Try it page (tag try-it)
    bool showTries() const;
    void setSort(const QString& key, bool descending);
    const QString& sortKey() const;
    bool sortDescending() const;
    void setGroupKey(const QString& key);        // empty: no groups
    const QString& groupKey() const;
    void clearFilters();
    bool isFiltered() const;
    QString whereText() const;                   // what the engine is asked

    void setColumns(const QStringList& keys);
    QStringList columns() const;
    QList<KeyInfo> knownKeys() const;            // for the column chooser and completion
    QStringList completions(const FilterPlace& place) const;

    bool isLoading() const;
    bool isStale() const;                        // shown from before the link was lost
    const std::optional<Error>& error() const;   // of the last query
    QString warning() const;                     // of the last answer: a key that no run has
    qint64 total() const;
    qint64 allRuns() const;                      // runs in the store at all; −1: not known yet

    void pin(const QString& id);                 // empty: none
    const QString& pinned() const;
    QString pinnedName() const;
    void setDifferencesOnly(bool on);
    bool differencesOnly() const;

    // Why the action is not possible now for these runs; empty: it is.
    QString whyNotStop(const QList<models::RunRow>& runs) const;
    QString whyNotResume(const QList<models::RunRow>& runs) const;
    QString whyNotRemove(const QList<models::RunRow>& runs) const;
    QString whyNotCompare(const QList<models::RunRow>& runs) const;
    void stop(const QList<models::RunRow>& runs, bool discard);
    void resume(const QList<models::RunRow>& runs);
    void remove(const QList<models::RunRow>& runs);   // gone from the list at once, from the store after kUndoMs
    void undoRemove();
    void compare(const QList<models::RunRow>& runs);
    void open(const QString& id);
    void fork(const QString& id);
    void newExperiment();
    static constexpr int kUndoMs = 8000;
    void setUndoMs(int ms);

    Json state() const;
    void restore(const Json& state);
    void refresh();

Q_SIGNALS:
    void changed();          // query, totals, link, error
    void pinnedChanged();
    void columnsChanged();

private:
    struct Private;
    std::unique_ptr<Private> d_;
};

}  // namespace assay::presenters
