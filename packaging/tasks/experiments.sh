#!/usr/bin/env bash
# packaging/dev experiments [NAME]...: runs the experiments of experiments/techniques that the store does not hold yet, all
# or the named ones, and writes the table in experiments/README.md from what the store holds. A second call runs nothing
# and writes the same table. --table: writes the table only.
set -euo pipefail
# shellcheck source=packaging/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

"$root/packaging/tasks/build.sh" assay assay-engine assay-worker
mkdir -p "$experiments_store"
exec "$(find_python)" -B "$root/packaging/tasks/experiments/run.py" --assay "$bin/assay" --store "$experiments_store" \
    --folder "$root/experiments/techniques" --readme "$root/experiments/README.md" "$@"
