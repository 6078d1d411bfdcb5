#!/usr/bin/env bash
# packaging/dev fuzz [SECONDS]: runs every fuzz target of tests/fuzz under the sanitizers, SECONDS (default 60) each.
set -euo pipefail
# shellcheck source=packaging/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

seconds=${1:-60}
[[ $seconds =~ ^[0-9]+$ ]] || die 2 "fuzz takes a number of seconds, not \"$seconds\""
"$root/packaging/deps/deps.sh"
export ASSAY_FUZZ_SECONDS=$seconds
run_scripts "$root/tests/fuzz"
