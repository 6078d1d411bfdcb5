#!/bin/bash
# Charts: milliseconds of a first paint and of a zoom frame, share of a core of live updates. Usage: plots.sh BIN_DIR
set -euo pipefail
QT_QPA_PLATFORM=offscreen "$1/bench_plots"
