#pragma once
// Runs side by side: fetches their trees, builds the comparison (engine/report), follows them while they run, and writes
// the report. What a page shows of it is here; how, is the page's.

#include <assay/models/run_row.h>
#include <assay/presenters/app_context.h>
#include <assay/presenters/compare_figures.h>
#include <assay/presenters/series_source.h>

#include <QObject>
#include <memory>

namespace assay::presenters {

class ComparePresenter final : public QObject {
    Q_OBJECT
public:
    struct Answer {
        QString headline, why;
        QString saves, accuracy, speed;        // empty: cannot be said
        QString accuracyLabel;                 // what the accuracy is of
        QString sensitivity, measured;         // sentences
        QList<Json> differences;               // rows {id, key, base, value}
    };
    struct CurveRun {
        QString id, name;
        int color = 0;
        double usdPerSecond = 0;
    };
    // Draws a report to a file; for .pdf, which needs more than this library may know.
    using PdfWriter = std::function<Result<report::Written>(const std::string& path, const report::ReportInput& input)>;

    explicit ComparePresenter(AppContext& context, QObject* parent = nullptr);
    ~ComparePresenter() override;

    void open(const QStringList& runs, const QString& baseline = {});   // both as an argument gives them
    void addRuns(const QStringList& runs);
    void removeRun(const QString& run);
    const QStringList& runs() const;           // ids, in order of their colours
    QString runName(const QString& run) const;
    bool isEmpty() const { return runs().isEmpty(); }
    bool isLoading() const;
    bool isStale() const;
    const std::optional<Error>& error() const;

    const report::Comparison& comparison() const;
    void setBaseline(const QString& setup);
    void setTarget(const QString& text);       // "METRIC<=VALUE"; empty: none. Kept when it is wrong: see targetError().
    const QString& targetText() const;
    QString targetError() const;
    // Axes of the chart. Empty: what the comparison proposes.
    void setAxes(const QString& x, const QString& y);
    const report::Metric& xMetric() const;
    const report::Metric& yMetric() const;
    std::vector<const report::Metric*> measuredMetrics() const;

    bool comparesTrainings() const;            // no inference was measured: rows have "step" and "memory"
    QString subtitle() const;                  // "9 set-ups · SmolLM2-135M"
    int colorOf(const QString& setup) const;
    QString setupTitle(const report::Setup& setup) const;   // "int8 · experiment"
    // Rows of the table of differences to the baseline: texts, numbers and the badge, one a set-up.
    const QList<Json>& rows() const;
    QString answerSetup() const;               // id of the set-up that the answer names; empty: none
    Answer answer() const;
    QStringList warnings() const;
    // Keys in which set-ups differ, each with the value of every set-up: rows {id, key, values: [text]}.
    QList<Json> configRows() const;

    QList<CurveRun> curveRuns() const;         // training runs below the compared ones
    // Runs to choose from, newest first; those that are compared already are left out.
    void askCandidates(const QString& search);
    const QList<models::RunRow>& candidates() const;

    void setPdfWriter(PdfWriter writer);
    void exportReport(const QString& path);    // format by the ending: .html, .pdf, .csv, .json
    bool isExporting() const;

    Json state() const;
    void restore(const Json& state);

Q_SIGNALS:
    void changed();
    void candidatesChanged();
    void exportDone(const QString& path);
    void exportFailed(const QString& what, const QString& hint);

private:
    struct Private;
    std::unique_ptr<Private> d_;
};

}  // namespace assay::presenters
