# shellcheck shell=bash
# Sourced by benches whose peer is PyTorch 2.11.
# find_peer MODULE...: sets `python` to a Python that has PyTorch 2.11 and the modules, empty when there is none. It is looked for in
# $PEERS_DIR/venv and in the cache's oracles.
export PYTHONSAFEPATH=1  # a file of tests/bench has the name of a module of the standard library

find_peer() {
    local cache=${ASSAY_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/assay} candidate module imports="import torch, sys"
    for module in "$@"; do imports+=", $module"; done
    python=
    for candidate in "${PEERS_DIR:-/nonexistent}/venv/bin/python" "$cache"/oracles/*/bin/python "$cache"/oracles/bin/python; do
        if [[ -x $candidate ]] && "$candidate" -c "$imports; sys.exit(not torch.__version__.startswith('2.11.0'))" 2>/dev/null; then
            python=$candidate
            return
        fi
    done
}
