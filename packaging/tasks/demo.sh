#!/usr/bin/env bash
# packaging/dev demo: trains a small GPT on the King James text, evaluates it, quantizes it, measures its speed, and
# writes the report that compares the set-ups; with a display it ends in the window, on the comparison.
set -euo pipefail
# shellcheck source=packaging/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
(($# == 0)) || die 2 'demo takes no arguments'

"$root/packaging/tasks/build.sh"
say "running experiments/quickstart/kjv-gpt.yaml (a few minutes)"
result=$("$bin/assay" --store "$demo_store" --json run "$root/experiments/quickstart/kjv-gpt.yaml") || {
    status=$?
    say "$result"
    exit "$status"
}
run=$(python3 -c 'import json, sys; print(json.load(sys.stdin)["run"])' <<<"$result")
mkdir -p "$demo_store/reports"
report=$demo_store/reports/$run.html
"$bin/assay" --store "$demo_store" --quiet report "$run" --out "$report"
"$bin/assay" --store "$demo_store" compare "$run"
printf '\nreport: %s\n' "$report"
if [[ -n ${DISPLAY:-}${WAYLAND_DISPLAY:-} && -x $bin/assay-studio ]] && ! in_ci; then
    exec "$bin/assay-studio" --store "$demo_store" --page compare --runs "$run"
fi
open_file "$report"
