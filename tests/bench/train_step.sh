#!/usr/bin/env bash
# The optimizer step against PyTorch 2.11 of the same machine: same weights, text, batches, AdamW and clipping, in turn (A B C A B C
# …) on the same threads. cpu: GPT 4×128, batch 12×64; gpu: GPT 6×384, batch 12×256 (both against eager and torch.compile); smol:
# SmolLM2-135M's sizes, batch 4×256 (against transformers, with peak memory). And the largest difference of the losses, and AdamW
# alone against a copy of as many bytes. BENCH_ROUNDS (5), BENCH_THREADS (2), BENCH_CONFIGS ("cpu gpu smol"), BENCH_BIN
# (build/release/bin) may be set. Needs a Python environment with PyTorch 2.11, safetensors and transformers ($PEERS_DIR/venv or the
# cache's oracles/*).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/support/peer.sh
source "$here/../support/peer.sh"
bin=${BENCH_BIN:-$here/../../build/release/bin}
cache=${ASSAY_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/assay}
threads=${BENCH_THREADS:-2}
rounds=${BENCH_ROUNDS:-5}
text=()
[[ -f $cache/assets/kjv/kjv.txt ]] && text=("$cache/assets/kjv/kjv.txt")

find_peer safetensors transformers
if [[ -z $python ]]; then
    echo "train_step: no Python with PyTorch 2.11, safetensors and transformers; set PEERS_DIR (a folder with venv/)"
    exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMP_NUM_THREADS=$threads MKL_NUM_THREADS=$threads HF_HUB_OFFLINE=1
for config in ${BENCH_CONFIGS:-cpu gpu smol}; do
    case $config in
        cpu) steps=60 rate=1e-3 peers=(eager compile) ;;
        gpu) steps=8 rate=1e-3 peers=(eager compile) ;;
        smol) steps=4 rate=1e-4 peers=(eager) ;;
        *) echo "train_step: no configuration $config" && exit 2 ;;
    esac
    inputs=$work/$config
    "$python" "$here/train_step_inputs.py" "$inputs" "$config" 60 "${text[@]}"
    for ((round = 0; round < rounds; ++round)); do
        "$bin/bench_train_step" "$inputs" "$steps" "$threads" "$rate" >>"$work/$config.ours"
        for peer in "${peers[@]}"; do
            "$python" "$here/train_step_peer.py" "$inputs" "$config" "$peer" "$steps" "$threads" >>"$work/$config.$peer"
        done
    done
    if [[ $config == gpu ]]; then  # the losses of 50 steps, once
        "$bin/bench_train_step" "$inputs" 50 "$threads" "$rate" >"$work/$config.ours50"
        "$python" "$here/train_step_peer.py" "$inputs" "$config" eager 50 "$threads" >"$work/$config.eager50"
    fi
    "$python" "$here/train_step_report.py" "$config" "$work/$config" "${peers[@]}"
done
