#!/usr/bin/env bash
# Two data-parallel processes of one thread against PyTorch's DistributedDataParallel over Gloo, in turn, on the 6L/384 GPT.
# BENCH_ROUNDS (5), BENCH_STEPS (10), BENCH_BIN (build/release/bin) may be set. Without a Python environment that has PyTorch
# ($PEERS_DIR/venv or the cache's oracles/*) only our times are printed.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/support/peer.sh
source "$here/../support/peer.sh"
bin=${BENCH_BIN:-$here/../../build/release/bin}
cache=${ASSAY_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/assay}
find_peer
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
text=$cache/assets/kjv/kjv.txt
if [[ ! -f $text ]]; then
    text=$work/text.txt
    for ((i = 0; i < 200; ++i)); do cat "$here/../../LICENSE"; done >"$text"
fi
exec python3 "$here/data_parallel.py" "$bin" "${python:--}" "$text" "${BENCH_ROUNDS:-5}" "${BENCH_STEPS:-10}"
