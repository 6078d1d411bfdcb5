"""`assay plan` against the tensor peak that a real small run of the same file reports."""
import json
import os
import subprocess
import sys
import tempfile

BIN = sys.argv[1]
SPEC = """
assay: 1
name: planned
kind: pipeline
stages: [prepare, train]
data:
  train: {path: corpus.txt}
  document: paragraph
  tokenizer: bytes
  sequence_length: 64
  packing: %s
model:
  from: {family: %s, layers: 3, hidden: 96, heads: 4, context: 64, vocab: auto}
train: {steps: 4, global_batch: 16, micro_batch: %d}
"""
CASES = [("gpt2", "best_fit", 16), ("llama", "none", 8)]


def assay(store, *arguments):
    done = subprocess.run([os.path.join(BIN, "assay"), "--store", store, "--json", *arguments], capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


def main():
    with tempfile.TemporaryDirectory(prefix="assay-plan-") as folder:
        store = os.path.join(folder, "store")
        os.environ["ASSAY_CACHE"] = os.path.join(folder, "cache")
        with open(os.path.join(folder, "corpus.txt"), "w", encoding="utf-8") as f:
            for i in range(400):
                f.write("the quick brown fox number %d jumps over the lazy dog, and again it jumps.\n" % i * 3 + "\n")
        failures = []
        try:
            for family, packing, micro in CASES:
                path = os.path.join(folder, family + ".yaml")
                with open(path, "w", encoding="utf-8") as f:
                    f.write(SPEC % (packing, family, micro))
                plan = assay(store, "plan", path)
                run = assay(store, "run", path)
                planned = max(s["memory"]["peak_bytes"] for s in plan["stages"])
                measured = run["summary"]["system/tensor_bytes_peak"]
                error = planned / measured - 1
                print("%s: planned %d, measured %d bytes: %+.2f %%" % (family, planned, measured, 100 * error))
                if abs(error) > 0.10:
                    failures.append(family)
                if plan["fits"] == "too_big" or any(w["blocks"] for w in plan["warnings"]):
                    failures.append(family + ": a run that worked was refused")
        finally:
            subprocess.run([os.path.join(BIN, "assay"), "--store", store, "engine", "stop"], capture_output=True, timeout=60)
        assert not failures, failures


main()
