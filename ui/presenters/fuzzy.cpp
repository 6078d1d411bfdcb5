#include <assay/presenters/fuzzy.h>

namespace assay::presenters {
namespace {

bool startsWord(const QString& text, qsizetype at) { return at == 0 || !text[at - 1].isLetterOrNumber() || (text[at].isUpper() && text[at - 1].isLower()); }

}  // namespace

int fuzzyScore(const QString& typed, const QString& text) {
    QString wanted;
    for (QChar c : typed)
        if (!c.isSpace()) wanted += c.toLower();
    if (wanted.isEmpty()) return 1;
    const QString lower = text.toLower();
    if (lower.size() != text.size()) return lower.contains(wanted) ? 10 : 0;   // letters that change length: plain search
    // A whole hit beats scattered letters, whatever their places.
    if (const auto at = lower.indexOf(typed.trimmed().toLower()); at >= 0)
        return 1000 + (startsWord(text, at) ? 500 : 0) - static_cast<int>(std::min<qsizetype>(at, 100)) - static_cast<int>(std::min<qsizetype>(text.size(), 200)) / 4;
    int score = 0;
    qsizetype at = -1;
    for (QChar c : wanted) {
        // The next start of a word with this letter, else the next letter.
        const qsizetype next = lower.indexOf(c, at + 1);
        if (next < 0) return 0;
        qsizetype best = next;
        if (next != at + 1)
            for (qsizetype i = next; i < lower.size(); ++i)
                if (lower[i] == c && startsWord(text, i)) {
                    // only when what follows still fits
                    best = i;
                    break;
                }
        score += best == at + 1 ? 12 : startsWord(text, best) ? 10 : 2;
        at = best;
    }
    return std::max(1, score - static_cast<int>(std::min<qsizetype>(text.size(), 200)) / 8);
}

}  // namespace assay::presenters
