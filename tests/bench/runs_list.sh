#!/bin/bash
# Milliseconds in the engine for lists and groups of 30,000 runs (median of 15 calls, JSON included). Fails above 10 ms.
# Usage: runs_list.sh BIN_DIR [RUNS]
set -euo pipefail
"$1/bench_runs_list" "${2:-30000}"
