#pragma once
#include <assay/models/run_row.h>
#include <assay/widgets/card.h>
#include <assay/widgets/controls.h>

namespace assay::pages {

// A run that is on its way: name, state, progress, and a button that opens it.
class RunProgressRow final : public QWidget {
    Q_OBJECT
public:
    explicit RunProgressRow(QWidget* parent = nullptr);
    void set(const models::RunRow& run);

Q_SIGNALS:
    void opened(const QString& run);
    void stopWanted(const QString& run);

private:
    QString id_;
    widgets::PlainLabel* name_;
    widgets::Badge* status_;
    widgets::ProgressLine* progress_;
    QPushButton *open_, *stop_;
};

}  // namespace assay::pages
