#!/usr/bin/env bash
# packaging/dev translate: reads the words of ui/ and app/studio into resources/i18n/assay_*.ts. New ones are marked
# unfinished until somebody translates them (Qt Linguist, or a text editor); the build makes .qm files of them.
set -euo pipefail
# shellcheck source=packaging/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
(($# == 0)) || die 2 'translate takes no arguments'

lupdate=
for candidate in /usr/lib/qt6/bin/lupdate lupdate6 lupdate; do
    if command -v "$candidate" >/dev/null; then
        lupdate=$candidate
        break
    fi
done
[[ -n $lupdate ]] || die 3 'lupdate was not found; run packaging/dev deps'
cd "$root"
# Without line numbers: a moved line is no change of a translation.
"$lupdate" -silent -locations none -no-obsolete -source-language en -target-language zh_CN ui app/studio -ts resources/i18n/assay_zh_CN.ts
printf 'words: %s, not translated yet: %s\n' "$(grep -c '<source>' resources/i18n/assay_zh_CN.ts)" "$(grep -c 'type="unfinished"' resources/i18n/assay_zh_CN.ts || true)"
