#!/usr/bin/env bash
# packaging/dev translate: reads the words of ui/, app/studio and the engine's tables of settings and metrics into
# resources/i18n/assay_*.ts. New ones are marked unfinished until somebody translates them (Qt Linguist, or a text editor);
# the build makes .qm files of them. --to FOLDER updates copies there and leaves the files alone (tests/i18n compares them).
set -euo pipefail
# shellcheck source=packaging/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
target=
if [[ ${1-} == --to && $# -eq 2 ]]; then
    target=$(cd "$2" && pwd)
elif (($# != 0)); then
    die 2 'translate takes no arguments, or --to FOLDER'
fi

lupdate=
for candidate in /usr/lib/qt6/bin/lupdate lupdate6 lupdate; do
    # lupdate of Debian may be a wrapper for a Qt that is not there.
    if command -v "$candidate" >/dev/null && "$candidate" -version >/dev/null 2>&1; then
        lupdate=$candidate
        break
    fi
done
[[ -n $lupdate ]] || die 3 'lupdate was not found; run packaging/dev deps'
cd "$root"
if [[ -n $target ]]; then
    cp resources/i18n/assay_*.ts "$target"
else
    target=resources/i18n
fi

# Tables of the engine mark their texts with L("..."), a macro that lupdate does not look into.
words=$(mktemp -d)
trap 'rm -rf "$words"' EXIT
marked() { # CONTEXT FILE...
    local context=$1 table
    shift
    for table in "$@"; do
        sed -E "s/\\bL\\(\"/QT_TRANSLATE_NOOP(\"$context\", \"/g" "$table" >"$words/$context-$(basename "$table")"
    done
}
marked schema engine/config/schema_*.cpp
marked report engine/report/{metrics,comparison,collect,prediction,prediction_reasons}.cpp

# Without line numbers: a moved line is no change of a translation. English needs a file for its plurals only.
update() { "$lupdate" -silent -locations none -no-obsolete -source-language en "$@" 2> >(grep -v 'Qualifying with unknown\|undeclared qualified class' >&2 || true); }
update -target-language zh_CN ui app/studio "$words" -ts "$target/assay_zh_CN.ts"
update -pluralonly -target-language en ui app/studio -ts "$target/assay_en.ts"
for file in "$target"/assay_*.ts; do
    printf '%s: %s texts, not translated yet: %s\n' "$(basename "$file")" "$(grep -c '<source>' "$file")" "$(grep -c 'type="unfinished"' "$file" || true)"
done
