#!/usr/bin/env bash
# packaging/dev screenshots [FOLDER] [--store DIR]: builds, then takes a picture of every page on a virtual display
# (tests/shots). Without --store it makes short runs of its own first.
set -euo pipefail
# shellcheck source=packaging/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

"$root/packaging/tasks/build.sh"
exec python3 -B "$root/tests/shots/take.py" "$bin" "$@"
