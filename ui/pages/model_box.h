#pragma once
// A box to choose a model in: what the engine knows, or a reference typed by hand.

#include <assay/presenters/model_choices.h>

#include <QComboBox>

namespace assay::pages {

class ModelBox final : public QComboBox {
    Q_OBJECT
public:
    // `none`: text of a first entry that chooses no model; empty: there is none.
    ModelBox(presenters::ModelChoices& choices, const QString& none, QWidget* parent = nullptr);
    QString reference() const;
    void setReference(const QString& reference);

Q_SIGNALS:
    void chosen(const QString& reference);

private:
    void fill();
    presenters::ModelChoices& choices_;
    QString none_, wanted_;
};

}  // namespace assay::pages
