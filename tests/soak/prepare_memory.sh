#!/usr/bin/env bash
# Memory of preparing does not grow with the file: a generated file of SOAK_GB (10) of JSON rows, exact and near duplicates
# among them, goes through the whole of `data prepare` in at most SOAK_RSS_MIB (500) of resident memory. Needs as much free
# disk again, and with near duplicates as much once more. BENCH_BIN (build/release/bin) and SOAK_DEDUPLICATE (none exact near)
# may be set.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
bin=${BENCH_BIN:-$here/../../build/release/bin}
gigabytes=${SOAK_GB:-10} limit=${SOAK_RSS_MIB:-500}
work=$(mktemp -d "${SOAK_DIR:-${TMPDIR:-/tmp}}/assay-soak-XXXXXX")
trap 'rm -rf "$work"' EXIT
python3 - "$work/rows.jsonl" "$gigabytes" <<'PY'
import random, sys
random.seed(1)
words = ["".join(random.choice("aeioubcdfglmnprst") for _ in range(random.randint(2, 9))) for _ in range(50000)]
blocks = []
for _ in range(400):
    rows = []
    for _ in range(250):
        rows.append('{"text": "' + " ".join(random.choices(words, k=random.randint(5, 150))) + ' %d"}\n')
    blocks.append("".join(rows))
size, n = int(float(sys.argv[2]) * 1e9), 0
with open(sys.argv[1], "w") as out:
    while out.tell() < size:
        n += 1
        block = random.choice(blocks)
        out.write(block % tuple([n] * 250))
PY
ls -l "$work/rows.jsonl"
for how in ${SOAK_DEDUPLICATE:-none exact near}; do
    rm -rf "$work/cache"
    out=$(BENCH_DEDUPLICATE=$how "$bin/bench_prepare" "$work/rows.jsonl" bytes "$work/cache" 2048 best_fit)
    echo "deduplicate $how: $out"
    rss=$(sed -E 's/.*"peak_rss_mib":([0-9]+).*/\1/' <<<"$out")
    ((rss <= limit)) || { echo "more than $limit MiB"; exit 1; }
done
