#!/usr/bin/env bash
# The optimizer step of a small GPT against eager PyTorch of the same version, in turn (A B A B …) on the same threads and
# text. BENCH_ROUNDS (5), BENCH_THREADS (2), BENCH_CONFIGS ("cpu gpu"), BENCH_BIN (build/release/bin) may be set. Without a
# Python environment that has PyTorch ($PEERS_DIR/venv or the cache's oracles/*) only our time is printed.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
bin=${BENCH_BIN:-$here/../../build/release/bin}
cache=${ASSAY_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/assay}
threads=${BENCH_THREADS:-2}
rounds=${BENCH_ROUNDS:-5}
text=()
[[ -f $cache/assets/kjv/kjv.txt ]] && text=("$cache/assets/kjv/kjv.txt")

python=
for candidate in "${PEERS_DIR:-/nonexistent}/venv/bin/python" "$cache"/oracles/*/bin/python "$cache"/oracles/bin/python; do
    if [[ -x $candidate ]] && "$candidate" -c 'import torch, sys; sys.exit(not torch.__version__.startswith("2.11.0"))' 2>/dev/null; then
        python=$candidate
        break
    fi
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMP_NUM_THREADS=$threads
for config in ${BENCH_CONFIGS:-cpu gpu}; do
    steps=$([[ $config == cpu ]] && echo 60 || echo 8)
    for ((round = 0; round < rounds; ++round)); do
        "$bin/bench_train_step" "$config" "$steps" "$threads" "${text[@]}" >>"$work/$config.ours"
        [[ -z $python ]] || "$python" "$here/train_step_peer.py" "$config" "$steps" "$threads" "${text[@]}" >>"$work/$config.peer"
    done
    python3 - "$config" "$work/$config.ours" "$work/$config.peer" <<'PY'
import json, os, statistics, sys
config, ours, peer = sys.argv[1:]
def medians(path):
    return [statistics.median(json.loads(line)["ms"][3:]) for line in open(path)] if os.path.exists(path) else []
a, b = medians(ours), medians(peer)
text = f"{config}: ours {statistics.median(a):.2f} ms/step ({min(a):.2f} - {max(a):.2f}, {len(a)} runs)"
if b:
    ratios = [x / y for x, y in zip(a, b)]
    text += f", PyTorch eager {statistics.median(b):.2f} ms ({min(b):.2f} - {max(b):.2f}), ratio {statistics.median(ratios):.3f} (target at most 1.0)"
else:
    text += "; no PyTorch 2.11.0 found, so no ratio"
print(text, f"; load {os.getloadavg()[0]:.1f}")
PY
done
