#!/usr/bin/env bash
# The whole path of a user: engine, worker and command. The worker is killed at random moments, saves included, until 20
# kills are done; every `assay runs resume` must start from a committed step above 0 and the final weights must be those of
# an unbroken run, bit by bit. SOAK_BIN (build/release/bin) may be set.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
exec python3 "$here/../integration/real_run.py" "${SOAK_BIN:-$here/../../build/release/bin}" soak
