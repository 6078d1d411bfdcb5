#!/usr/bin/env bash
# Installs the Debian packages of debian.txt that are missing. Root is asked for only when there is one.
set -euo pipefail
# shellcheck source=packaging/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

command -v dpkg-query >/dev/null ||
    die 1 "this is not a Debian system; install what $root/packaging/deps/debian.txt names by other means"

mapfile -t wanted < <(sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$root/packaging/deps/debian.txt")
declare -A present=()
while read -r name status; do
    [[ $status == installed ]] && present[$name]=1
done < <(dpkg-query --show --showformat='${Package} ${db:Status-Status}\n' "${wanted[@]}" 2>/dev/null || true)

missing=()
for name in "${wanted[@]}"; do
    [[ -n ${present[$name]:-} ]] || missing+=("$name")
done
((${#missing[@]})) || exit 0

say "installing Debian packages: ${missing[*]}"
as_root=()
if ((EUID != 0)); then
    command -v sudo >/dev/null || die 1 "as root, run: apt-get install ${missing[*]}"
    as_root=(sudo)
fi
install_missing() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install --yes --quiet --no-install-recommends "${missing[@]}" </dev/null >&2
}
# A fresh machine has no package lists, an old one has stale lists: the update is made when the first try fails.
if ! install_missing; then
    "${as_root[@]}" apt-get update --quiet </dev/null >&2
    install_missing || die 1 "apt-get could not install: ${missing[*]}"
fi
