#pragma once
#include <assay/presenters/engines_presenter.h>
#include <assay/widgets/card.h>

class QPushButton;

namespace assay::pages {

// One known engine: name and address, what it is doing for this window, and what can be done with it.
class EngineRow final : public QWidget {
    Q_OBJECT
public:
    EngineRow(const presenters::EnginesPresenter::Engine& engine, QWidget* parent = nullptr);
    void setState(const QString& text, style::Tone tone);

Q_SIGNALS:
    void attachWanted(const QString& address);
    void testWanted(const QString& address);
    void removeWanted(const QString& address);

private:
    widgets::Badge* state_;
};

}  // namespace assay::pages
