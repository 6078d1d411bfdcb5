#!/usr/bin/env bash
# packaging/dev studio [OPTIONS] [FILE]...: builds and opens the window. Without --store or --engine it opens the demo's store
# when the demo was run and no other store is there yet.
set -euo pipefail
# shellcheck source=packaging/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

"$root/packaging/tasks/build.sh"
own=${ASSAY_STORE:-${XDG_DATA_HOME:-$HOME/.local/share}/assay}
store=()
if [[ ! " $* " =~ \ --(store|engine)[=\ ] && -d $demo_store && ! -d $own ]]; then
    store=(--store "$demo_store")
fi
exec "$bin/assay-studio" "${store[@]}" "$@"
