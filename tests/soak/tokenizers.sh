#!/usr/bin/env bash
# Tokenizers against the reference implementations on more than 200,000 fuzzed texts; CI does a share of them.
set -euo pipefail
# shellcheck source=packaging/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../../packaging/common.sh"
"$root/packaging/deps/deps.sh" --tests
exec "$root/tests/support/oracle.sh" "$cache" "$root/tests/golden/tokenizers/live_test.py" "$root/build/release/bin" 1900
