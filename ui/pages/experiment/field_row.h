#pragma once
// One setting of the form: label with the mark of a changed value, typical range, and a control for its kind.

#include <assay/presenters/experiment_presenter.h>

#include <QLineEdit>
#include <QWidget>
#include <functional>

class QCheckBox;
class QComboBox;
class QTimer;

namespace assay::widgets {
class SegmentedControl;
class PlainLabel;
}

namespace assay::pages {

// A line edit with its unit at the right, inside.
class UnitEdit final : public QLineEdit {
    Q_OBJECT
public:
    using QLineEdit::QLineEdit;
    void setUnit(const QString& unit);

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void fit();
    QString unit_;
};

class FieldRow final : public QWidget {
    Q_OBJECT
public:
    FieldRow(const presenters::FormField& field, QWidget* parent);
    const QString& key() const { return field_.key; }
    bool isWide() const;
    void update(const presenters::FormField& field);
    void setHighlighted(bool on);
    void focusControl();

Q_SIGNALS:
    void edited(const QString& key, const QString& value);
    void resetAsked(const QString& key);
    void focused(const QString& key);
    void browseAsked(const QString& key);

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    QWidget* makeControl();
    void commit();
    QString tip() const;

    presenters::FormField field_;
    widgets::PlainLabel* label_ = nullptr;
    widgets::PlainLabel* dot_ = nullptr;
    widgets::PlainLabel* typical_ = nullptr;
    widgets::PlainLabel* problem_ = nullptr;
    UnitEdit* edit_ = nullptr;
    QComboBox* combo_ = nullptr;
    QCheckBox* check_ = nullptr;
    widgets::SegmentedControl* segments_ = nullptr;
    QTimer* pause_ = nullptr;
    bool highlighted_ = false, updating_ = false;
};

}  // namespace assay::pages
