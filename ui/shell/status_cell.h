#pragma once
#include <assay/style/tokens.h>

#include <QAbstractButton>

namespace assay::shell {

// Caption in text2 and value in text, with a dot or a small meter: one glance. A button when something lies behind it.
class StatusCell final : public QAbstractButton {
    Q_OBJECT
public:
    StatusCell(const QString& caption, QWidget* parent = nullptr);
    void set(const QString& value, const QString& tip = {});
    void setAfter(const QString& text);              // in text2 behind the value
    void setDot(style::Tone tone);
    void setMeter(double fraction);                  // NaN: none
    void setOpens(bool opens);                       // takes focus and clicks
    QString value() const { return value_; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void describe();
    QString caption_, value_, after_;
    double fraction_;
    bool dot_ = false;
    style::Tone tone_ = style::Tone::kNeutral;
};

}  // namespace assay::shell
