#include "yaml_highlighter.h"

#include <assay/style/tokens.h>

#include <QRegularExpression>

namespace assay::widgets {
namespace {

constexpr int kLongestLine = 10'000;   // longer ones stay uncoloured: nobody reads them, and typing must not wait

constexpr int kLongText = 2000;        // lines; up to here everything is coloured at once

// State of a block: −1 is Qt's "never read".
int stateOf(int open, bool waits) { return (open + 1) * 2 + (waits ? 1 : 0); }
int openOf(int state) { return state < 0 ? -1 : state / 2 - 1; }
bool waits(const QTextBlock& block) { return block.userState() >= 0 && block.userState() % 2 == 1; }

bool isPlainEnd(const QString& text, int at, bool flow) {
    const QChar c = text[at];
    if (c == QLatin1Char('#') && (at == 0 || text[at - 1].isSpace())) return true;
    if (c == QLatin1Char(':') && (at + 1 >= text.size() || text[at + 1].isSpace() || (flow && QStringLiteral(",]}").contains(text[at + 1])))) return true;
    return flow && QStringLiteral(",[]{}").contains(c);
}

bool isNumberOrConstant(const QString& word) {
    static const QRegularExpression pattern(QStringLiteral("^(?:[-+]?(?:\\d[\\d_]*)?\\.?\\d+(?:[eE][-+]?\\d+)?|[-+]?\\.(?:inf|Inf|INF)|\\.(?:nan|NaN|NAN)|0x[0-9a-fA-F]+|true|false|null|True|False|Null|TRUE|FALSE|NULL|~)$"));
    return pattern.match(word).hasMatch();
}

int quotedEnd(const QString& text, int start) {
    const QChar quote = text[start];
    for (int i = start + 1; i < text.size(); ++i) {
        if (quote == QLatin1Char('"') && text[i] == QLatin1Char('\\')) ++i;
        else if (text[i] == quote) {
            if (quote == QLatin1Char('\'') && i + 1 < text.size() && text[i + 1] == quote) ++i;
            else return i + 1;
        }
    }
    return static_cast<int>(text.size());
}

bool colonFollows(const QString& text, int at) {
    while (at < text.size() && text[at] == QLatin1Char(' ')) ++at;
    return at < text.size() && text[at] == QLatin1Char(':') && (at + 1 >= text.size() || text[at + 1].isSpace());
}

}  // namespace

YamlLine readYamlLine(const QString& text, int open) {
    YamlLine line;
    int i = 0;
    while (i < text.size() && text[i] == QLatin1Char(' ')) ++i;
    const int indent = i;
    if (open >= 0) {
        if (i == text.size() || indent > open) {  // inside a block scalar
            line.open = open;
            if (i < text.size()) line.pieces.push_back({0, static_cast<int>(text.size()), YamlPiece::kText});
            return line;
        }
    }
    if (text.size() > kLongestLine) return line;
    int depth = 0;
    while (i < text.size()) {
        const QChar c = text[i];
        if (c.isSpace() || c == QLatin1Char(',') || c == QLatin1Char(':')) {
            ++i;
        } else if (c == QLatin1Char('#') && (i == 0 || text[i - 1].isSpace())) {
            line.pieces.push_back({i, static_cast<int>(text.size()) - i, YamlPiece::kComment});
            break;
        } else if (c == QLatin1Char('[') || c == QLatin1Char('{')) {
            ++depth;
            ++i;
        } else if (c == QLatin1Char(']') || c == QLatin1Char('}')) {
            depth = std::max(0, depth - 1);
            ++i;
        } else if (c == QLatin1Char('"') || c == QLatin1Char('\'')) {
            const int end = quotedEnd(text, i);
            line.pieces.push_back({i, end - i, colonFollows(text, end) ? YamlPiece::kKey : YamlPiece::kText});
            i = end;
        } else if (c == QLatin1Char('-') && (i + 1 >= text.size() || text[i + 1].isSpace())) {
            line.pieces.push_back({i, 1, YamlPiece::kMark});
            ++i;
        } else if (depth == 0 && (c == QLatin1Char('|') || c == QLatin1Char('>'))) {
            line.pieces.push_back({i, 1, YamlPiece::kMark});
            line.open = indent;
            ++i;
        } else if (c == QLatin1Char('&') || c == QLatin1Char('*') || c == QLatin1Char('!')) {
            const int start = i;
            while (i < text.size() && !text[i].isSpace() && !QStringLiteral(",]}").contains(text[i])) ++i;
            line.pieces.push_back({start, i - start, YamlPiece::kMark});
        } else {
            const int start = i;
            while (i < text.size() && !isPlainEnd(text, i, depth > 0)) ++i;
            if (i == start) ++i;
            int end = i;
            while (end > start && text[end - 1].isSpace()) --end;
            const bool isKey = i < text.size() && text[i] == QLatin1Char(':');
            if (isKey) line.pieces.push_back({start, end - start, YamlPiece::kKey});
            else if (isNumberOrConstant(text.mid(start, end - start))) line.pieces.push_back({start, end - start, YamlPiece::kNumber});
        }
    }
    return line;
}

void YamlHighlighter::show(const QTextBlock& first, int lines) {
    if (busy_) return;
    busy_ = true;   // colours ask for a repaint, and the repaint for colours
    from_ = first.blockNumber();
    to_ = from_ + lines;
    QTextBlock block = first;
    for (int i = 0; i <= lines && block.isValid(); ++i, block = block.next())
        if (waits(block)) rehighlightBlock(block);
    busy_ = false;
}

void YamlHighlighter::highlightBlock(const QString& text) {
    const int open = openOf(previousBlockState()), number = currentBlock().blockNumber();
    if (document()->blockCount() > kLongText && (number < from_ || number > to_)) {
        const bool mayOpen = open >= 0 || text.contains(QLatin1Char('|')) || text.contains(QLatin1Char('>'));
        return setCurrentBlockState(stateOf(mayOpen ? readYamlLine(text, open).open : -1, true));
    }
    const style::Tokens& t = style::tokens();
    const YamlLine line = readYamlLine(text, open);
    for (const YamlPiece& piece : line.pieces) {
        QColor color = t.text;
        switch (piece.kind) {
            case YamlPiece::kKey: color = t.accent; break;
            case YamlPiece::kText: color = t.good; break;
            case YamlPiece::kNumber: color = t.warn; break;
            case YamlPiece::kComment:
            case YamlPiece::kMark: color = t.text3; break;
        }
        setFormat(piece.start, piece.length, color);
    }
    setCurrentBlockState(stateOf(line.open, false));
}

}  // namespace assay::widgets
