#!/usr/bin/env bash
# How long training stands still for a checkpoint that is saved in the background, as a share of a step. Target: at most 5 % at
# the size of SmolLM2-135M (1.6 GB of weights and moments). BENCH_MODELS ("small smollm2"), BENCH_THREADS (2), BENCH_BIN
# (build/release/bin), BENCH_FOLDER (where the checkpoints go; a temporary folder) may be set.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
bin=${BENCH_BIN:-$here/../../build/release/bin}
for model in ${BENCH_MODELS:-small smollm2}; do
    work=$(mktemp -d "${BENCH_FOLDER:-${TMPDIR:-/tmp}}/assay-stall-XXXXXX")
    result=$("$bin/bench_checkpoint_stall" "$model" "${BENCH_THREADS:-2}" 13 4 "$work") || { rm -rf "$work"; exit 1; }
    rm -rf "$work"
    python3 - "$model" "$result" <<'PY'
import json, os, sys
r = json.loads(sys.argv[2])
print(f"{sys.argv[1]}: stall {r['stall_seconds'] * 1e3:.1f} ms of a step of {r['step_seconds'] * 1e3:.0f} ms = {r['stall'] * 100:.2f} % (target at most 5 %); "
      f"the step while it is written {r['after_save_seconds'] / r['step_seconds']:.2f} times as long; {r['bytes'] / 1e6:.0f} MB, peak {r['peak_bytes'] / 1e9:.2f} GB; load {os.getloadavg()[0]:.1f}")
PY
done
