#pragma once
// Rows of horizontal bars with a name before and a figure behind: a value, optionally with what it was expected to be above
// it and the band that was allowed. GUI thread. Texts are plain; the rows are read out as the accessible description.

#include <assay/style/tokens.h>

#include <QWidget>
#include <limits>
#include <vector>

namespace assay::widgets {

class BarRows final : public QWidget {
    Q_OBJECT
public:
    struct Row {
        QString label, text;                                        // text: behind the bar; may be empty
        double value = 0;                                           // not finite: no bar
        double expected = std::numeric_limits<double>::quiet_NaN(); // upper, neutral bar; not finite: none
        double band = 0;                                            // ± as a fraction of `expected`
        style::Tone tone = style::Tone::kAccent;
        bool strong = false;                                        // name and figure in full colour
    };
    explicit BarRows(QWidget* parent = nullptr);
    // One scale for all rows compares them with each other; else each row has its own, and only its two bars compare.
    void setRows(std::vector<Row> rows, bool oneScale);
    const std::vector<Row>& rows() const { return rows_; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<Row> rows_;
    bool oneScale_ = false;
};

}  // namespace assay::widgets
