#!/usr/bin/env bash
# packaging/dev test: builds everything and runs all tests; further arguments go to ctest. On CI the CUDA plugin is
# compiled and linked too. The last lines are ctest's summary, the exit status is ctest's.
set -euo pipefail
# shellcheck source=packaging/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

options=(--tests)
in_ci && options+=(--cuda)
"$root/packaging/tasks/build.sh" "${options[@]}"
cd "$root/build/release"
exec ctest --output-on-failure --no-tests=error --no-label-summary --parallel "$(nproc)" "$@" </dev/null
