#!/usr/bin/env bash
# Time from `assay run` to the first optimizer step of a small model: engine, worker, data and model included, on a store of its
# own, in turn with the import of PyTorch and the first step of the same model in Python. Target: at most 1.5 s. BENCH_ROUNDS
# (5), BENCH_BIN (build/release/bin) may be set. Without a Python environment that has PyTorch ($PEERS_DIR/venv or the cache's
# oracles/*) only our time is printed.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${ASSAY_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/assay}
python=
for candidate in "${PEERS_DIR:-/nonexistent}/venv/bin/python" "$cache"/oracles/*/bin/python "$cache"/oracles/bin/python; do
    if [[ -x $candidate ]] && "$candidate" -c 'import importlib.metadata as m, sys; sys.exit(not m.version("torch").startswith("2.11.0"))' 2>/dev/null; then
        python=$candidate
        break
    fi
done
exec python3 -B "$here/first_step.py" "${BENCH_BIN:-$here/../../build/release/bin}" "${BENCH_ROUNDS:-5}" "$here/train_step_peer.py" "$python"
