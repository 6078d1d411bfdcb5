#!/usr/bin/env bash
# packaging/dev bench [NAME]...: the speed measurements of tests/bench, all or the named ones.
set -euo pipefail
# shellcheck source=packaging/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

"$root/packaging/tasks/build.sh" --tests
run_scripts "$root/tests/bench" "$@"
