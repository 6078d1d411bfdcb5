#!/usr/bin/env bash
# Cold start of the window, its idle processor time and its memory, with 10,000 runs in the store. Targets: usable (first list
# shown) within 700 ms, under 1 % of a core idle, under 200 MB. STUDIO_RUNS (10000), BENCH_ROUNDS (5), BENCH_BIN
# (build/release/bin) may be set. Needs Xvfb, or a display of its own.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
exec python3 -B "$here/studio_start.py" "${BENCH_BIN:-$here/../../build/release/bin}" "${STUDIO_RUNS:-10000}" "${BENCH_ROUNDS:-5}"
