#!/usr/bin/env bash
# packaging/dev soak [NAME]...: the long tests of tests/soak, all or the named ones. Every one runs; any failure fails.
set -euo pipefail
# shellcheck source=packaging/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

"$root/packaging/tasks/build.sh"
run_scripts "$root/tests/soak" "$@"
