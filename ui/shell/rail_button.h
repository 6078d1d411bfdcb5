#pragma once
#include <QAbstractButton>

namespace assay::shell {

// A row of the rail: icon, word, and the accent behind it while its page is shown.
class RailButton final : public QAbstractButton {
    Q_OBJECT
public:
    RailButton(const QString& icon, const QString& text, QWidget* parent = nullptr);
    void setCollapsed(bool collapsed);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    QString icon_;
    bool collapsed_ = false, hovered_ = false;
};

// The mark and the name of the program at the top of the rail.
class BrandMark final : public QWidget {
    Q_OBJECT
public:
    explicit BrandMark(QWidget* parent = nullptr);
    void setCollapsed(bool collapsed);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    bool collapsed_ = false;
};

}  // namespace assay::shell
