#!/usr/bin/env bash
# packaging/dev studio: the window when this version builds one, else the newest report in the browser.
set -euo pipefail
# shellcheck source=packaging/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

"$root/packaging/tasks/build.sh"
if [[ -x $bin/assay-studio ]]; then
    exec "$bin/assay-studio" "$@"
fi
shopt -s nullglob
newest=
for report in "$demo_store"/reports/*.html; do
    [[ -z $newest || $report -nt $newest ]] && newest=$report
done
[[ -n $newest ]] || die 3 'there is no report to look at; packaging/dev demo makes one'
printf 'newest report: %s\n' "$newest"
open_file "$newest"
