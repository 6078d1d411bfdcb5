#!/usr/bin/env bash
# packaging/dev deps: Debian packages, LibTorch and the assets of the demo. A second call does nothing.
set -euo pipefail
# shellcheck source=packaging/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
here=$root/packaging/deps
export PYTHONDONTWRITEBYTECODE=1

groups=(base)
options=()
while (($#)); do
    case $1 in
        --cuda) groups+=(cuda) ;;
        --cuda-run) groups+=(cuda cuda-run) ;;
        --tests) groups+=(tests) ;;
        --verify) options+=(--verify) ;;
        *) die 2 "deps does not know \"$1\"; usage: packaging/dev deps [--cuda | --cuda-run] [--tests] [--verify]" ;;
    esac
    shift
done

"$here/debian.sh"
[[ " ${groups[*]} " == *' tests '* ]] && "$here/oracles.sh" >/dev/null

# The headers of an installed toolkit serve as well as those of the wheels.
if [[ " ${groups[*]} " == *' cuda '* ]]; then
    # cuda-rest is what LibTorch loads besides a toolkit; with it the plugin can be loaded, without it only linked.
    if toolkit=$("$here/cuda_toolkit.sh"); then groups+=(cuda-rest); else groups+=(cuda-headers); fi
    [[ -n $toolkit && -f $toolkit/include/nccl.h ]] || groups+=(nccl-headers)
fi

python=$(find_python)
mkdir -p "$cache"
# Without --verify the cheap look comes first, unlocked: nearly every call ends here.
if ((${#options[@]} == 0)) && "$python" "$here/cache.py" check "$cache" "${groups[@]}" >/dev/null; then
    exit 0
fi
exec 9>"$cache/.lock"
if ! flock --nonblock 9; then
    say "waiting for another packaging/dev deps on $cache"
    flock 9
fi
exec "$python" "$here/cache.py" install "${options[@]}" "$cache" "${groups[@]}"
