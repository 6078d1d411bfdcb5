# shellcheck shell=bash
# What the scripts of packaging/ share. Sourced, after `set -euo pipefail`.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=${ASSAY_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/assay}
bin=$root/build/release/bin
export root cache bin

say() { printf '%s\n' "$*" >&2; }

# die CODE MESSAGE: 1 failed, 2 bad usage, 3 something is not there.
die() {
    local code=$1
    shift
    say "packaging/dev: $*"
    exit "$code"
}

in_ci() { [[ ${CI:-} == true || ${CI:-} == 1 ]]; }

# A Python with pip: Debian's own first, whatever virtual environment is active.
find_python() {
    local candidate
    for candidate in /usr/bin/python3 python3; do
        if "$candidate" -m pip --version >/dev/null 2>&1; then
            printf '%s\n' "$candidate"
            return
        fi
    done
    die 3 'no python3 with pip was found; run packaging/dev deps'
}

# As many compilers as there are cores, and no more than memory holds (a LibTorch file takes up to 2 GiB).
build_jobs() {
    local cores memory
    cores=$(nproc)
    memory=$(awk '/^MemAvailable:/ {print int($2 / 2097152)}' /proc/meminfo)
    ((memory < 1)) && memory=1
    ((cores < memory)) && printf '%s\n' "$cores" || printf '%s\n' "$memory"
}

# Opens a file in the desktop's viewer where there is a desktop.
open_file() {
    if [[ -n ${DISPLAY:-}${WAYLAND_DISPLAY:-} ]] && command -v xdg-open >/dev/null; then
        xdg-open "$1" >/dev/null 2>&1 &
    fi
}

# run_scripts FOLDER [NAME]...: runs FOLDER/NAME.sh (all by default) to the end and fails when one of them failed.
run_scripts() {
    local folder=$1 name script failed=()
    shift
    local names=("$@")
    if ((${#names[@]} == 0)); then
        for script in "$folder"/*.sh; do
            [[ -f $script ]] && names+=("$(basename "$script" .sh)")
        done
    fi
    ((${#names[@]})) || die 3 "${folder#"$root"/} holds no scripts"
    for name in "${names[@]}"; do
        script=$folder/$name.sh
        [[ -f $script ]] || die 2 "there is no ${script#"$root"/}"
        say "== $name"
        bash "$script" || failed+=("$name")
    done
    ((${#failed[@]} == 0)) || die 1 "failed: ${failed[*]}"
}

demo_store=${XDG_DATA_HOME:-$HOME/.local/share}/assay-demo
experiments_store=${ASSAY_EXPERIMENTS_STORE:-${XDG_DATA_HOME:-$HOME/.local/share}/assay-experiments}
export demo_store experiments_store
