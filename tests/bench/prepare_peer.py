#!/usr/bin/env python3
"""The same job with Hugging Face datasets: load_dataset(json) -> map(tokenize, batched, truncation 512) -> save_to_disk.
Prints one JSON line; seconds = the whole process, job_seconds without imports, peak_rss_mib = of the process and its
children together (polled). Usage: prepare_peer.py ROWS.jsonl TOKENIZER.json OUT NUM_PROC"""
import time
begin = time.monotonic()
import json, os, sys, threading
sys.path.pop(0)  # this folder holds files that are named like packages
rows, tokenizer_path, out, procs = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
os.environ["HF_DATASETS_CACHE"] = out + "-cache"
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_HOME"] = out + "-home"
peak = 0


def tree_rss():
    parents, rss = {}, {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            stat = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
            parents[int(pid)], rss[int(pid)] = int(stat[1]), int(stat[21]) * os.sysconf("SC_PAGE_SIZE")
        except OSError:
            pass
    total, mine = 0, {os.getpid()}
    for _ in range(4):
        mine |= {p for p, parent in parents.items() if parent in mine}
    return sum(rss.get(p, 0) for p in mine)


def watch():
    global peak
    tick = threading.Event()
    while not tick.wait(0.1):
        peak = max(peak, tree_rss())


threading.Thread(target=watch, daemon=True).start()
import datasets
from tokenizers import Tokenizer

datasets.disable_progress_bars()
imported = time.monotonic()
tokenizer = Tokenizer.from_file(tokenizer_path)
tokenizer.no_padding()
tokenizer.enable_truncation(512)


def tokenize(batch):
    return {"input_ids": [e.ids for e in tokenizer.encode_batch(batch["text"])]}


data = datasets.load_dataset("json", data_files=rows, split="train")
data = data.map(tokenize, batched=True, num_proc=procs, remove_columns=["text"])
data.save_to_disk(out)
end = time.monotonic()
tokens = sum(len(x) for b in data.iter(1000) for x in b["input_ids"])
print(json.dumps({"seconds": round(end - begin, 2), "job_seconds": round(end - imported, 2), "tokens": tokens, "rows": len(data), "peak_rss_mib": round(peak / 2**20)}))
