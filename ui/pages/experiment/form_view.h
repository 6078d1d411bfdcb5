#pragma once
// The form: the sections of the presenter in two columns, simple or complete.

#include <QScrollArea>

#include "field_row.h"

namespace assay::pages {

class FormView final : public QScrollArea {
    Q_OBJECT
public:
    FormView(presenters::ExperimentPresenter& presenter, QWidget* parent);
    void setAdvanced(bool on);
    void refresh();
    void highlight(const QString& key);   // of the line that the editor is at; empty: none
    void focusField(const QString& key);
    FieldRow* row(const QString& key) const;

Q_SIGNALS:
    void focused(const QString& key);
    void browseAsked(const QString& key);

private:
    void rebuild();
    QStringList shape() const;
    bool shows(const presenters::FormField& field) const;

    presenters::ExperimentPresenter& presenter_;
    bool advanced_ = false;
    QStringList shape_;
    std::vector<FieldRow*> rows_;
};

}  // namespace assay::pages
