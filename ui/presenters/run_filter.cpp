#include <assay/presenters/run_filter.h>

#include <QCoreApplication>

namespace assay::presenters {
namespace {

QString filterText(const char* text) { return QCoreApplication::translate("filter", text); }

bool wordCharacter(QChar c) {
    const ushort code = c.unicode();
    return code >= 0x80 || (code < 0x80 && (c.isLetterOrNumber() || QStringLiteral("_./-@:+").contains(c)));
}

struct Token {
    enum class Kind { kWord, kOperator, kQuoted, kOpen, kClose, kBad } kind = Kind::kBad;
    int begin = 0, end = 0;
    QString text;
};

QList<Token> tokensOf(const QString& text) {
    QList<Token> tokens;
    int at = 0;
    const int size = static_cast<int>(text.size());
    while (at < size) {
        const QChar c = text[at];
        if (c == QLatin1Char(' ') || c == QLatin1Char('\t') || c == QLatin1Char('\n')) {
            ++at;
            continue;
        }
        Token token{.begin = at};
        if (c == QLatin1Char('(') || c == QLatin1Char(')')) {
            token.kind = c == QLatin1Char('(') ? Token::Kind::kOpen : Token::Kind::kClose;
            ++at;
        } else if (QStringLiteral("!<>=~").contains(c)) {
            const QString two = text.mid(at, 2);
            const bool pair = two == QLatin1String("!=") || two == QLatin1String("<=") || two == QLatin1String(">=") || two == QLatin1String("==");
            token.kind = c == QLatin1Char('!') && !pair ? Token::Kind::kBad : Token::Kind::kOperator;
            at += pair ? 2 : 1;
        } else if (c == QLatin1Char('"') || c == QLatin1Char('\'')) {
            ++at;
            while (at < size && text[at] != c) at += text[at] == QLatin1Char('\\') && at + 1 < size ? 2 : 1;
            token.kind = at < size ? Token::Kind::kQuoted : Token::Kind::kBad;
            at = std::min(at + 1, size);
        } else if (wordCharacter(c)) {
            while (at < size && wordCharacter(text[at])) ++at;
            token.kind = Token::Kind::kWord;
        } else {
            ++at;
        }
        token.end = at;
        token.text = text.mid(token.begin, token.end - token.begin);
        tokens.append(token);
    }
    return tokens;
}

bool isWord(const Token& token, const char* word) { return token.kind == Token::Kind::kWord && token.text == QLatin1String(word); }

// What may come next, as a small machine over the tokens.
enum class Want { kKey, kOperator, kValue, kJoin };

QString wantedText(Want want) {
    switch (want) {
        case Want::kKey: return filterText(QT_TRANSLATE_NOOP("filter", "a key, such as status or eval/loss"));
        case Want::kOperator: return filterText(QT_TRANSLATE_NOOP("filter", "a comparison: = != < <= > >= or ~ (contains)"));
        case Want::kValue: return filterText(QT_TRANSLATE_NOOP("filter", "a value"));
        case Want::kJoin: return filterText(QT_TRANSLATE_NOOP("filter", "\"and\", \"or\" or the end"));
    }
    return {};
}

}  // namespace

FilterCheck checkFilter(const QString& text) {
    Want want = Want::kKey;
    int open = 0;
    const QList<Token> tokens = tokensOf(text);
    if (tokens.isEmpty()) return {};
    for (const Token& token : tokens) {
        if (token.kind == Token::Kind::kBad && (token.text.startsWith(QLatin1Char('"')) || token.text.startsWith(QLatin1Char('\''))))
            return {false, true, token.begin, filterText(QT_TRANSLATE_NOOP("filter", "the quote is not closed"))};
        bool fits = false;
        const bool joiner = isWord(token, "and") || isWord(token, "or");
        switch (want) {
            case Want::kKey:
                if (isWord(token, "not")) fits = true;
                if (token.kind == Token::Kind::kOpen) {
                    ++open;
                    fits = true;
                }
                if (!fits && token.kind == Token::Kind::kWord && !joiner) {
                    want = Want::kOperator;
                    fits = true;
                }
                break;
            case Want::kOperator:
                fits = token.kind == Token::Kind::kOperator;
                if (fits) want = Want::kValue;
                break;
            case Want::kValue:
                fits = token.kind == Token::Kind::kWord || token.kind == Token::Kind::kQuoted;
                if (fits) want = Want::kJoin;
                break;
            case Want::kJoin:
                if (joiner) {
                    want = Want::kKey;
                    fits = true;
                } else if (token.kind == Token::Kind::kClose && open > 0) {
                    --open;
                    fits = true;
                }
                break;
        }
        if (!fits)
            return {false, false, token.begin,
                    filterText(QT_TRANSLATE_NOOP("filter", "Expected %1 instead of “%2” at character %3.")).arg(wantedText(want), token.text.left(20)).arg(token.begin + 1)};
    }
    const int end = static_cast<int>(text.size());
    if (want != Want::kJoin) return {false, true, end, filterText(QT_TRANSLATE_NOOP("filter", "Expected %1 at the end.")).arg(wantedText(want))};
    if (open > 0) return {false, true, end, filterText(QT_TRANSLATE_NOOP("filter", "Expected “)” at the end."))};
    return {};
}

FilterPlace filterPlaceAt(const QString& text, int cursor) {
    FilterPlace place;
    Want want = Want::kKey;
    place.begin = cursor;
    for (const Token& token : tokensOf(text.left(cursor))) {
        // The word the cursor stands at the end of is still being typed.
        if (token.end == cursor && (token.kind == Token::Kind::kWord || token.kind == Token::Kind::kBad)) {
            place.begin = token.begin;
            place.word = token.text;
            break;
        }
        if (want == Want::kKey && token.kind == Token::Kind::kWord && !isWord(token, "not") && !isWord(token, "and") && !isWord(token, "or")) {
            place.key = token.text;
            want = Want::kOperator;
        } else if (want == Want::kOperator && token.kind == Token::Kind::kOperator) {
            want = Want::kValue;
        } else if (want == Want::kValue) {
            want = Want::kJoin;
        } else if (want == Want::kJoin && (isWord(token, "and") || isWord(token, "or"))) {
            want = Want::kKey;
        }
    }
    switch (want) {
        case Want::kKey: place.kind = FilterPlace::Kind::kKey; break;
        case Want::kOperator: place.kind = FilterPlace::Kind::kOperator; break;
        case Want::kValue: place.kind = FilterPlace::Kind::kValue; break;
        case Want::kJoin: place.kind = FilterPlace::Kind::kJoin; break;
    }
    if (place.kind != FilterPlace::Kind::kValue) place.key.clear();
    return place;
}

QString filterValue(const QString& text) {
    bool plainWord = !text.isEmpty() && text != QLatin1String("null");
    for (const QChar c : text) plainWord = plainWord && wordCharacter(c);
    if (plainWord) return text;
    QString quoted = text;
    quoted.replace(QLatin1Char('\\'), QLatin1String("\\\\")).replace(QLatin1Char('"'), QLatin1String("\\\""));
    return QLatin1Char('"') + quoted + QLatin1Char('"');
}

}  // namespace assay::presenters
