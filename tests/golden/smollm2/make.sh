#!/usr/bin/env bash
# Makes the goldens of this folder again; some minutes, 3 GB of memory. packaging/dev oracles smollm2 prepares $ORACLE_PYTHON.
set -euo pipefail
exec "${ORACLE_PYTHON:-python3}" "$(dirname "${BASH_SOURCE[0]}")/make.py" "$@"
