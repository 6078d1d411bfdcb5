#pragma once
// The first page: what runs, what ran, the machine, and what to do next.

#include <assay/models/run_row.h>
#include <assay/presenters/app_context.h>
#include <assay/presenters/machine_watch.h>

#include <QTimer>
#include <optional>

namespace assay::presenters {

struct NextStep {
    QString id, icon, title, text, page;
    Json argument = Json::object();
};

class HomePresenter final : public QObject {
    Q_OBJECT
public:
    static constexpr int kMostRecent = 8, kMostActive = 6;
    explicit HomePresenter(AppContext& context, QObject* parent = nullptr);
    void setVisible(bool visible);                 // asks for nothing while it is not seen

    bool isLoaded() const { return loaded_; }      // a list has come
    bool isFirstStart() const { return loaded_ && total_ == 0; }
    qint64 total() const { return total_; }
    const QList<models::RunRow>& active() const { return active_; }
    const QList<models::RunRow>& recent() const { return recent_; }
    QList<NextStep> nextSteps() const;
    const MachineWatch& machine() const { return machine_; }
    const std::optional<Error>& error() const { return error_; }

    void runDemo();                                // submits the quickstart experiment, then opens its run
    bool isSubmitting() const { return submitting_; }
    void openRun(const QString& id);
    void openDataset();
    void stopRun(const QString& id);

Q_SIGNALS:
    void changed();
    void machineChanged();

private:
    void ask();
    void later(int milliseconds);
    AppContext& context_;
    MachineWatch machine_;
    QTimer timer_;
    QList<models::RunRow> active_, recent_;
    qint64 total_ = 0;
    std::optional<Error> error_;
    bool visible_ = false, loaded_ = false, asking_ = false, again_ = false, submitting_ = false;
};

// From what ran last: look at a failure, resume what was cut off, compare, quantize, bring own data. At most three.
QList<NextStep> nextStepsFor(const QList<models::RunRow>& active, const QList<models::RunRow>& recent);

}  // namespace assay::presenters
