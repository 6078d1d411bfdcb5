#pragma once
// Small controls beyond Qt's own.

#include <assay/style/tokens.h>

#include <QAbstractButton>
#include <QPushButton>
#include <QWidget>
#include <vector>

class QGridLayout;

namespace assay::widgets {

// Two to five words, one of them chosen. Arrow keys move.
class SegmentedControl final : public QWidget {
    Q_OBJECT
public:
    explicit SegmentedControl(const QStringList& labels, QWidget* parent = nullptr);
    int current() const;
    void setCurrent(int index);
    void setLabels(const QStringList& labels);
Q_SIGNALS:
    void currentChanged(int index);

private:
    std::vector<QAbstractButton*> buttons_;
};

enum class ButtonKind { kPrimary, kNormal, kQuiet, kDanger };
QPushButton* makeButton(const QString& text, ButtonKind kind, const QString& icon = {}, QWidget* parent = nullptr);

// Horizontal stacked bar against a capacity, with a legend below it.
class Meter final : public QWidget {
    Q_OBJECT
public:
    struct Segment {
        QString label;
        double value = 0;
        int color = 0;     // data colour; −1: neutral
        QString text;      // formatted value
    };
    explicit Meter(QWidget* parent = nullptr);
    void setSegments(std::vector<Segment> segments, double capacity);   // above the capacity the rest is drawn as "bad"
    void setLegend(bool rows);       // one row a segment (label left, value right), or one line of text; default rows
    void setBarHeight(int pixels);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<Segment> segments_;
    double capacity_ = 0;
    bool rows_ = true;
    int barHeight_ = 12;
};

// Thin progress line with text at its right: "454 / 640 steps · 3:01 elapsed · 1:14 left".
class ProgressLine final : public QWidget {
    Q_OBJECT
public:
    explicit ProgressLine(QWidget* parent = nullptr);
    void set(double fraction, const QString& text);   // NaN: moving
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void timerEvent(QTimerEvent* event) override;

private:
    double fraction_ = 0;
    QString text_;
    int timer_ = 0, phase_ = 0;
};

// "CPU in use: 12 %": what a screen reader says of a fact, where the eye sees a caption and a value beside it.
QString namedValue(const QString& name, const QString& value);

// Key on the left in text2, value on the right, selectable, plain text.
class KeyValueList final : public QWidget {
    Q_OBJECT
public:
    explicit KeyValueList(QWidget* parent = nullptr);
    struct Row {
        QString key, value, tip;
        int color = -1;   // dot before the key
    };
    void setRows(const std::vector<Row>& rows);

private:
    QGridLayout* grid_;
};

}  // namespace assay::widgets
