#pragma once
// The newest finished experiment that measured a cost and an accuracy, as a comparison of its own set-ups: what the first
// page shows of it. Asks the engine once per run, and again only when another run is the newest.

#include <assay/models/run_row.h>
#include <assay/presenters/app_context.h>
#include <assay/report/comparison.h>

namespace assay::presenters {

class LatestComparison final : public QObject {
    Q_OBJECT
public:
    explicit LatestComparison(AppContext& context, QObject* parent = nullptr);
    // The newest runs, newest first. Runs that measured nothing to compare are passed over.
    void setRecent(const QList<models::RunRow>& recent);

    bool isThere() const { return !run_.isEmpty(); }
    const QString& run() const { return run_; }
    const QString& name() const { return name_; }
    const report::Comparison& comparison() const { return comparison_; }
    QString headline() const;   // "int4-g32: 69.2 % less cost, +0.2 % bits per byte"; empty: only the base was measured

Q_SIGNALS:
    void changed();

private:
    void askNext();
    AppContext& context_;
    QStringList candidates_;    // still to be asked for, newest first
    QSet<QString> nothing_;     // asked for, and nothing to compare in them
    QString asking_, run_, name_;
    report::Comparison comparison_;
};

}  // namespace assay::presenters
