#!/usr/bin/env bash
# Encoding speed of the known tokenizer families beside PyPI tokenizers, in turn, with the ids compared; times of bad shapes; two
# threads against one. Required: 20 times the peer on English, 200 ms for 10^6 bytes of any shape. tokenize.py says more.
# Usage: tokenize.sh [FAMILY,…] [TEXT,…]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=packaging/common.sh
source "$here/../../packaging/common.sh"
exec "$here/../support/oracle.sh" "$cache" "$here/tokenize.py" "${BENCH_BIN:-$bin}" "$@"
