#pragma once
// Colours of YAML, one line at a time: keys, strings, numbers and constants, comments, block scalars. The state of a
// block is the indentation of an open block scalar and whether colours are missing, so that a change re-reads only the lines
// it touches.

#include <QSyntaxHighlighter>
#include <QTextBlock>

namespace assay::widgets {

struct YamlPiece {
    enum Kind { kKey, kText, kNumber, kComment, kMark };
    int start = 0, length = 0;
    Kind kind = kText;
};
struct YamlLine {
    std::vector<YamlPiece> pieces;
    int open = -1;   // indentation of a block scalar that goes on below; −1: none
};
YamlLine readYamlLine(const QString& text, int open);

// In long texts only the lines on screen are coloured; the others wait until they are scrolled to.
class YamlHighlighter final : public QSyntaxHighlighter {
    Q_OBJECT
public:
    using QSyntaxHighlighter::QSyntaxHighlighter;
    void show(const QTextBlock& first, int lines);   // colours those of them that wait

protected:
    void highlightBlock(const QString& text) override;

private:
    int from_ = 0, to_ = 100;   // block numbers
    bool busy_ = false;
};

}  // namespace assay::widgets
