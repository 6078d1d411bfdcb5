#!/usr/bin/env bash
# Time from `assay run` to the first optimizer step of a small model: engine, worker, data and model included, on a store of its
# own, in turn with the import of PyTorch and the first step of the same model in Python. Target: at most 1.5 s. BENCH_ROUNDS
# (5), BENCH_BIN (build/release/bin) may be set. Without a Python environment that has PyTorch ($PEERS_DIR/venv or the cache's
# oracles/*) only our time is printed.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/support/peer.sh
source "$here/../support/peer.sh"
find_peer safetensors
exec python3 -B "$here/first_step.py" "${BENCH_BIN:-$here/../../build/release/bin}" "${BENCH_ROUNDS:-5}" "$python"
