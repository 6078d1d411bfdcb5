#!/usr/bin/env bash
# The plan of a training step against steps that were run: PLAN_SPECS (60) random set-ups (sizes, optimizers, precisions,
# accumulation, dropout, masks), one calibration that has not seen them, no history, PLAN_THREADS (1) threads.
# Fails when a step is predicted more than PLAN_STEP (20) per cent off, or a peak of memory more than PLAN_PEAK (5).
# PLAN_SEED (1) draws others; BENCH_BIN (build/release/bin) may be set.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
bin=${BENCH_BIN:-$here/../../build/release/bin}
out=$(mktemp)
trap 'rm -f "$out"' EXIT
GOMP_SPINCOUNT=1000 "$bin/bench_plan_accuracy" "${PLAN_SPECS:-60}" "${PLAN_THREADS:-1}" "${PLAN_SEED:-1}" >"$out"
python3 "$here/plan_accuracy.py" "$out" "${PLAN_STEP:-20}" "${PLAN_PEAK:-5}"
