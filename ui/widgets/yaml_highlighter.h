#pragma once
// Colours of YAML, one line at a time: keys, strings, numbers and constants, comments, block scalars. The state of a
// block is the indentation of an open block scalar, so that a change re-reads only the lines it touches.

#include <QSyntaxHighlighter>

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

class YamlHighlighter final : public QSyntaxHighlighter {
    Q_OBJECT
public:
    using QSyntaxHighlighter::QSyntaxHighlighter;

protected:
    void highlightBlock(const QString& text) override;
};

}  // namespace assay::widgets
