#pragma once
// The selected model: facts, tensors, set-ups made from it, and what can be done with it.

#include <assay/presenters/models_presenter.h>
#include <assay/widgets/card.h>
#include <assay/widgets/controls.h>

class QPlainTextEdit;
class QStackedWidget;

namespace assay::models {
class JsonTableModel;
}
namespace assay::widgets {
class TableView;
}

namespace assay::pages {

class ModelDetails final : public QWidget {
    Q_OBJECT
public:
    explicit ModelDetails(presenters::ModelsPresenter& presenter, presenters::Notifier& notifier, QWidget* parent = nullptr);
    void refresh();

private:
    QWidget* makeActions();
    void refreshFacts(const Json& model);
    void refreshTables(const Json& model);
    presenters::ModelsPresenter& presenter_;
    presenters::Notifier& notifier_;
    widgets::Card* card_;
    widgets::EmptyState* empty_;
    QWidget* body_;
    widgets::ErrorPanel *broken_, *error_;
    widgets::SegmentedControl* which_;
    QStackedWidget* stack_;
    widgets::KeyValueList* facts_;
    widgets::TableView *tensors_, *setups_;
    models::JsonTableModel *tensorModel_, *setupModel_;
    widgets::ProgressLine* progress_;
    QPlainTextEdit* template_;
    QPushButton *experiment_, *quantize_, *try_, *copy_, *run_;
    QString shownTensors_;
};

}  // namespace assay::pages
