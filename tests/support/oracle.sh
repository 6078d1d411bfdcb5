#!/usr/bin/env bash
# oracle.sh CACHE SCRIPT ARGUMENT...: runs a Python test with the reference implementations in CACHE.
set -euo pipefail
cache=$1
shift
python=$cache/oracles-light/bin/python
if [ ! -x "$python" ]; then
    echo "the reference implementations are not in $cache/oracles-light; run: packaging/dev deps --tests" >&2
    exit 1
fi
export ASSAY_CACHE="$cache" PYTHONDONTWRITEBYTECODE=1 TOKENIZERS_PARALLELISM=false HF_HUB_OFFLINE=1 LC_ALL=C.UTF-8 TZ=UTC
exec "$python" "$@"
