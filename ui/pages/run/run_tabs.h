#pragma once
// The other tabs of a run: any curves, samples, data, settings, lineage.

#include <QWidget>

#include "curve_card.h"

class QComboBox;
class QGridLayout;
class QLabel;
class QPlainTextEdit;

namespace assay::models {
class JsonTableModel;
}
namespace assay::widgets {
class SegmentedControl;
class TableView;
class YamlEditor;
}

namespace assay::pages {

// Any metrics; charts can be added and taken away.
class CurvesTab final : public QWidget {
    Q_OBJECT
public:
    explicit CurvesTab(presenters::RunPresenter& presenter, QWidget* parent = nullptr);
    void setOptions(const CurveOptions& options);
    QStringList shown() const { return shown_; }
    void setShown(const QStringList& metrics);

private:
    void fillChoice();
    void rebuild();
    presenters::RunPresenter& presenter_;
    QComboBox* choice_;
    QGridLayout* grid_;
    QWidget* empty_;
    QStringList shown_;
    QList<CurveCard*> cards_;
    CurveOptions options_;
    bool chosen_ = false;   // by the person: else what the run has
};

class SamplesTab final : public QWidget {
    Q_OBJECT
public:
    explicit SamplesTab(presenters::RunPresenter& presenter, QWidget* parent = nullptr);

private:
    void refresh();
    presenters::RunPresenter& presenter_;
    models::JsonTableModel* model_;
    widgets::TableView* table_;
    QPlainTextEdit* text_;
};

class DataTab final : public QWidget {
    Q_OBJECT
public:
    explicit DataTab(presenters::RunPresenter& presenter, QWidget* parent = nullptr);
};

class ConfigTab final : public QWidget {
    Q_OBJECT
public:
    explicit ConfigTab(presenters::RunPresenter& presenter, QWidget* parent = nullptr);

private:
    void refresh();
    presenters::RunPresenter& presenter_;
    widgets::SegmentedControl* mode_;
    QLabel* note_;
    widgets::YamlEditor* yaml_;
    models::JsonTableModel* model_;
    widgets::TableView* table_;
};

class LineageTab final : public QWidget {
    Q_OBJECT
public:
    explicit LineageTab(presenters::RunPresenter& presenter, QWidget* parent = nullptr);
};

}  // namespace assay::pages
