#pragma once
// One run: what it is, where it stands, what it measured, and what can be done to it. Live from the session's events;
// what happened before is asked for when the run is opened and whenever the stream starts anew.

#include <assay/models/run_row.h>
#include <assay/presenters/app_context.h>
#include <assay/presenters/series_source.h>

#include <QObject>
#include <memory>
#include <vector>

namespace assay::presenters {

class RunPresenter final : public QObject {
    Q_OBJECT
public:
    struct Mark {            // a place on the step axis
        double step = 0;
        QString text;
    };
    struct MemoryPart {
        QString label;
        double bytes = 0;
        int color = 0;       // data colour; −1: neutral
    };
    struct Memory {
        std::vector<MemoryPart> parts;   // empty: not measured; one part: only the peak is known
        double peak = 0, capacity = 0;   // capacity 0: unknown
    };
    struct Prediction {
        QString key, label, predicted, measured, change;   // change empty: cannot be told
        double fraction = 0;                               // measured / predicted − 1
        double predictedValue = 0, measuredValue = 0;      // NaN: not known
        double bound = 0;                                  // ± that the prediction stated, as a fraction; NaN: none
        QString stated;                                    // "±20 %", "exact"
        bool beyond = false;                               // off by more than was stated
        QString why;                                       // then, when the run has ended: one sentence
    };
    enum class Level { kGood, kInfo, kWarning, kBad };
    struct Proof {                                         // of resuming: steps done again and compared bit by bit
        Level level = Level::kInfo;
        QString title, detail;
        QStringList notes;
        QString run;                                       // the check; on the page of the check: the run that trained
        QDateTime time;                                    // when it was asked for
        bool active = false;                               // under way
    };
    struct Check {
        Level level = Level::kInfo;
        QString text;
    };

    explicit RunPresenter(AppContext& context, QObject* parent = nullptr);
    ~RunPresenter() override;

    void open(const QString& id);
    const QString& id() const;
    bool isLoaded() const;
    bool isStale() const;
    const std::optional<Error>& error() const;
    const models::RunRow& row() const;
    const Json& document() const;              // of runs.get
    QString title() const;
    QString subtitle() const;                  // "train · gpt2 · full · corpus.txt"
    bool hasChildren() const;

    double elapsedSeconds() const;             // NaN: has not started
    double costUsd() const;                    // so far; NaN: no price
    QString statusLine() const;                // "454 / 640 steps · 3:01 elapsed · 1:14 left · $0.0040 so far"
    double fraction() const;                   // NaN: unknown while it runs
    double totalSteps() const;                 // NaN: unknown

    QStringList metrics() const;
    SeriesSource* series(const QString& metric);   // owned here; lives as long as the run is open
    void saveSeries(const QStringList& metrics, const QString& path);   // every point of them as CSV
    double usdPerSecond() const;               // 0: unknown
    double joulesPerSecond() const;
    const std::vector<Mark>& marks() const;    // resumed sessions

    Memory memory() const;
    std::vector<Prediction> predictions() const;
    QString predictionNote() const;            // "predicted with the experiment", "predicted now", why there is none
    std::vector<Check> checks() const;
    std::optional<Proof> proof() const;        // the newest check of this run's training; of a check, its own result
    bool canBeVerified() const;                // there is one training here

    QString yaml() const;                      // the resolved spec
    // Rows {id, key, base, value}: settings that differ from the defaults, or from the pinned baseline.
    QList<Json> differencesToDefaults() const;
    QList<Json> differencesToBaseline() const;
    QString baselineName() const;              // empty: none is pinned
    QList<Json> lineage() const;               // rows {id, relation, name, detail, status?, run?}
    QList<Json> stages() const;                // rows of the runs directly below, as runs.get gives them
    QList<Json> dataFacts() const;             // rows {id, name, value}
    const QList<Json>& samples() const;        // {step, prompt, text}

    void showLog();                            // asks for the end of the log and follows it from then on
    void askOlderLog();

    QString whyNotStop() const;
    QString whyNotResume() const;
    QString whyNotRemove() const;
    QString whyNotVerify() const;
    QString whyNotOpenFolder() const;
    void stop(bool discard);
    void resume();
    void verifyResume();
    void fork();
    void compare();
    void remove();
    void openRun(const QString& id);
    void pin();                                // as the baseline of every table

Q_SIGNALS:
    void changed();                            // at most ten times a second
    void opened();                             // another run, or loaded for the first time
    void metricsChanged();
    void samplesChanged();
    void logReset(const QString& text);
    void logAppended(const QString& text);
    void logPrepended(const QString& text);

private:
    struct Private;
    std::unique_ptr<Private> d_;
};

}  // namespace assay::presenters
