#pragma once
#include <assay/presenters/home_presenter.h>

#include <QAbstractButton>

namespace assay::pages {

// What could be done next, as one wide button: icon, title, a sentence.
class NextStepRow final : public QAbstractButton {
    Q_OBJECT
public:
    explicit NextStepRow(const presenters::NextStep& step, QWidget* parent = nullptr);
    QSize sizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    int heightAt(int width) const;
    QRect textBox(int width) const;
    QString icon_, title_, text_;
};

}  // namespace assay::pages
