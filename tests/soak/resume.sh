#!/usr/bin/env bash
# 100 times SIGKILL at random moments spread over training, saves included, then resume: the final weights and moments must be
# those of an unbroken run, byte by byte. One half kills a worker by itself, the other a rank of two, the engine or both, where
# the engine has to start the ranks again. SOAK_KILLS (100), SOAK_SEED (random), SOAK_BIN (build/release/bin) may be set.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
bin=${SOAK_BIN:-$here/../../build/release/bin} kills=${SOAK_KILLS:-100}
python3 "$here/resume.py" "$bin" $((kills / 2)) "${SOAK_SEED:-}"
exec python3 "$here/../integration/ranks.py" "$bin" soak $((kills - kills / 2)) "${SOAK_SEED:-}"
