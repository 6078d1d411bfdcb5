#pragma once
#include <assay/presenters/compare_presenter.h>
#include <assay/widgets/card.h>

#include <QWidget>

class QGridLayout;

namespace assay::pages {

// The set-up that answers the question, what it saves and costs, how sure that is, and how it was measured.
class AnswerCard final : public QWidget {
    Q_OBJECT
public:
    explicit AnswerCard(QWidget* parent = nullptr);
    void set(const presenters::ComparePresenter::Answer& answer);
    QSize sizeHint() const override;
    QString headline() const;
    QString sensitivity() const;

private:
    widgets::PlainLabel* headline_;
    QLabel *why_, *sensitivity_, *measured_;
    widgets::StatTile *saves_, *accuracy_, *speed_;
    QWidget* figures_;
    QWidget* differences_;
    QGridLayout* grid_;
};

}  // namespace assay::pages
