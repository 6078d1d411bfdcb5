#!/usr/bin/env bash
# The step of a mixture of 4 experts (2 for each token) against the dense model of equal active FLOP, in turn on the same threads. The
# mixture's ratio must stay at or below 1.15. BENCH_ROUNDS (9), BENCH_THREADS (2), BENCH_BIN (build/release/bin) may be set.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
bin=${BENCH_BIN:-$here/../../build/release/bin}
threads=${BENCH_THREADS:-2}
export OMP_NUM_THREADS=$threads MKL_NUM_THREADS=$threads
exec "$bin/bench_moe_step" "${BENCH_ROUNDS:-9}" "$threads"
