#pragma once
// The filter line of run lists while it is typed: what is wrong and where, and what can stand at the cursor. The grammar
// is the engine's (PROTOCOL.md); the engine decides in the end.

#include <QString>
#include <QStringList>

namespace assay::presenters {

struct FilterCheck {
    bool ok = true;
    bool unfinished = false;   // right so far, but something must follow
    int position = 0;          // 0-based place of the trouble
    QString message;           // "expected a value after ="
};
FilterCheck checkFilter(const QString& text);

struct FilterPlace {
    enum class Kind { kKey, kOperator, kValue, kJoin } kind = Kind::kKey;
    int begin = 0;       // where the word under the cursor begins
    QString word;        // what of it stands before the cursor
    QString key;         // of a value: the key it is compared with
};
FilterPlace filterPlaceAt(const QString& text, int cursor);

// A text as a value of a comparison: quoted when it must be.
QString filterValue(const QString& text);

}  // namespace assay::presenters
