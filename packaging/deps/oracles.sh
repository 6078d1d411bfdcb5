#!/usr/bin/env bash
# The reference implementations of oracles.txt in a Python environment of their own, $cache/oracles-light. Prints the path
# of its Python. A second call does nothing; another list of versions makes it anew.
set -euo pipefail
# shellcheck source=packaging/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
list=$root/packaging/deps/oracles.txt
environment=$cache/oracles-light
wanted=$(sha256sum "$list" | cut -d' ' -f1)

whole() { [[ -x $environment/bin/python && -f $environment/.assay-stamp && $(<"$environment/.assay-stamp") == "$wanted" ]]; }

if ! whole; then
    mkdir -p "$cache"
    exec 9>"$cache/.oracles-lock"
    flock 9
    if ! whole; then
        say 'installing the reference implementations that tests compare with'
        rm -rf "$environment"
        "$(find_python)" -m venv "$environment"
        for attempt in 1 2 3; do
            "$environment/bin/python" -m pip install --quiet --no-deps --require-hashes --only-binary=:all: --no-input \
                --disable-pip-version-check --requirement "$list" </dev/null >&2 && break
            ((attempt < 3)) || die 1 "the packages of packaging/deps/oracles.txt could not be installed; check the network and pip's index settings"
            sleep $((attempt * 5))
        done
        printf '%s' "$wanted" >"$environment/.assay-stamp"
    fi
fi
printf '%s\n' "$environment/bin/python"
