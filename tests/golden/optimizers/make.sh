#!/usr/bin/env bash
# Makes the goldens of this folder again. packaging/dev oracles optimizers prepares $ORACLE_PYTHON.
set -euo pipefail
exec "${ORACLE_PYTHON:-python3}" "$(dirname "${BASH_SOURCE[0]}")/make.py" "$@"
