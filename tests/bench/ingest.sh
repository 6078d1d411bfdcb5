#!/bin/bash
# Metric points per second from the event file to an answer of the store; bytes per point; cost of one append. Median of
# three runs. Usage: ingest.sh BIN_DIR [ROWS]
set -euo pipefail
for _ in 1 2 3; do "$1/bench_ingest" "${2:-200000}"; done | sort -t: -k5 -g | sed -n 2p
