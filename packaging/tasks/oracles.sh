#!/usr/bin/env bash
# packaging/dev oracles [NAME]...: makes golden files again with the reference implementations, in a Python environment
# of its own ($ORACLE_PYTHON). A script tests/golden/NAME/make.sh states what it needs in requirements.txt beside it.
set -euo pipefail
# shellcheck source=packaging/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

"$root/packaging/deps/deps.sh"
shopt -s nullglob
names=("$@")
if ((${#names[@]} == 0)); then
    for script in "$root"/tests/golden/*/make.sh; do
        names+=("$(basename "$(dirname "$script")")")
    done
fi
((${#names[@]})) || die 3 'tests/golden holds no make.sh'

environment=$cache/oracles
export ORACLE_PYTHON=$environment/bin/python
[[ -x $ORACLE_PYTHON ]] || "$(find_python)" -m venv "$environment"
for name in "${names[@]}"; do
    folder=$root/tests/golden/$name
    [[ -f $folder/make.sh ]] || die 2 "there is no tests/golden/$name/make.sh"
    if [[ -f $folder/requirements.txt ]]; then
        "$ORACLE_PYTHON" -m pip install --quiet --disable-pip-version-check --requirement "$folder/requirements.txt" >&2
    fi
    say "oracle $name"
    (cd "$folder" && PATH=$environment/bin:$PATH bash make.sh)
done
