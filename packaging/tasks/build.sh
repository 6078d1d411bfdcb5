#!/usr/bin/env bash
# packaging/dev build: everything into build/release, optimised. --tests: with what the tests compare with.
set -euo pipefail
# shellcheck source=packaging/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

preset=release
options=()
deps=()
targets=()
in_ci && preset=ci
while (($#)); do
    case $1 in
        --werror) preset=ci ;;
        --cuda)
            deps+=(--cuda)
            options+=(-DASSAY_CUDA_PLUGIN=ON)
            ;;
        --tests) deps+=(--tests) ;;
        -*) die 2 "build does not know \"$1\"; usage: packaging/dev build [--werror] [--cuda] [--tests] [TARGET]..." ;;
        *) targets+=("$1") ;;
    esac
    shift
done

"$root/packaging/deps/deps.sh" "${deps[@]}"
cd "$root"
cmake --preset "$preset" "${options[@]}" >&2
ninja -C build/release -j "$(build_jobs)" "${targets[@]}" >&2
