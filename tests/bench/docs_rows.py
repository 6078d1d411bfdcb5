#!/usr/bin/env python3
"""Rows {"text": paragraph} of the documentation of the kernel and of Python (Debian linux-doc-6.1 and python3.11-doc, about
43 MB), in the order of their paths; where neither is installed the verses of the King James Bible of the cache's assets.
BENCH_DOCS may name other folders, separated by colons. Usage: docs_rows.py OUT.jsonl"""
import gzip, json, os, pathlib, re, sys

roots = os.environ.get("BENCH_DOCS", "/usr/share/doc/linux-doc-6.1/Documentation:/usr/share/doc/python3.11/html/_sources").split(":")
count = 0
with open(sys.argv[1], "w") as out:
    def row(text):
        global count
        count += 1
        out.write(json.dumps({"text": text}, ensure_ascii=False) + "\n")

    for root in roots:
        for path in sorted(pathlib.Path(root).rglob("*"), key=str):
            if not path.is_file() or not re.search(r"\.(rst|txt)(\.txt)?(\.gz)?$", path.name):
                continue
            data = gzip.open(path).read() if path.name.endswith(".gz") else path.read_bytes()
            for paragraph in re.split(r"\n\s*\n", data.decode("utf-8", "replace")):
                if paragraph.strip():
                    row(paragraph.strip("\n"))
    if count == 0:
        cache = os.environ.get("ASSAY_CACHE") or os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "assay")
        for line in open(os.path.join(cache, "assets/kjv/kjv.txt")):
            if line.strip():
                row(line.rstrip("\n"))
print(count, "rows,", os.path.getsize(sys.argv[1]), "bytes")
