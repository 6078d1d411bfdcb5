#!/usr/bin/env bash
# 20 times SIGKILL at a random moment of training, saves included, then resume: the final weights and moments must be those
# of an unbroken run, byte by byte. SOAK_KILLS (20), SOAK_SEED (random), SOAK_BIN (build/release/bin) may be set.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
exec python3 "$here/resume.py" "${SOAK_BIN:-$here/../../build/release/bin}" "${SOAK_KILLS:-20}" "${SOAK_SEED:-}"
