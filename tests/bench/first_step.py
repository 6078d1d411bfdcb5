#!/usr/bin/env python3
"""See first_step.sh. Usage: first_step.py BIN_DIR ROUNDS PYTHON_WITH_TORCH_OR_EMPTY"""
import json, os, pathlib, statistics, subprocess, sys, tempfile, time

bin_dir, rounds, python = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2]), sys.argv[3]
here = pathlib.Path(__file__).resolve().parent
repository = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.append(str(repository / "tests" / "support"))
from harness import wait_until  # noqa: E402

SPEC = """assay: 1
name: first-step
kind: train
data: {train: {path: TEXT, format: text}, document: paragraph, tokenizer: bytes, sequence_length: 64}
model: {from: {family: gpt2, layers: 4, hidden: 128, heads: 4, context: 64}}
train: {steps: 5, global_batch: 12, optimizer: {lr: 1e-3}}
"""


def first_metric(store):
    """Seconds since the epoch at which the first row of metrics was seen; what came before it is kept for the table."""
    moments = {}

    def look():
        for path in store.glob("runs/*/events.rank0.jsonl"):
            moments.setdefault("worker", time.time())
            for line in path.read_text().splitlines():
                try:
                    record = json.loads(line)
                except json.JSONDecodeError:  # a line that is being written
                    continue
                if record["type"] == "phase":
                    moments.setdefault(record["name"], record["time"])
                if record["type"] == "metric":
                    return time.time()
                if record["type"] == "end":
                    sys.exit(f"the run ended before its first step: {line}")
        return None

    return wait_until(look, 120, "the first step", interval=0.002), moments


def ours(work):
    store = work / "store"
    start = time.time()
    process = subprocess.Popen([bin_dir / "assay", "run", work / "spec.yaml", "--store", store, "--json"], stdout=subprocess.DEVNULL)
    done, moments = first_metric(store)
    process.wait()
    subprocess.run([bin_dir / "assay", "engine", "stop", "--store", store, "--json"], stdout=subprocess.DEVNULL)
    return done - start, {name: at - start for name, at in moments.items()}


def theirs(inputs):
    start = time.time()
    subprocess.run([python, here / "train_step_peer.py", inputs, "cpu", "eager", "1", "2"], stdout=subprocess.DEVNULL, check=True)
    return time.time() - start


mine, other, parts = [], [], []
shared = tempfile.TemporaryDirectory()
if python:
    subprocess.run([python, here / "train_step_inputs.py", shared.name, "cpu", "1"], check=True)
for _ in range(rounds):
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        (work / "spec.yaml").write_text(SPEC.replace("TEXT", str(repository / "LICENSE")))
        seconds, moments = ours(work)
        mine.append(seconds)
        parts.append(moments)
    if python:
        other.append(theirs(shared.name))
text = f"first step: {statistics.median(mine):.2f} s after `assay run` ({min(mine):.2f} - {max(mine):.2f}, {rounds} runs, target at most 1.5)"
if other:
    ratio = statistics.median(a / b for a, b in zip(mine, other))
    text += f"; Python with PyTorch 2.11: {statistics.median(other):.2f} s, ratio {ratio:.2f}"
else:
    text += "; no PyTorch 2.11.0 found, so no ratio"
print(text, f"; load {os.getloadavg()[0]:.1f}")
print("on the way (median s): " + ", ".join(f"{name} {statistics.median(p[name] for p in parts if name in p):.2f}" for name in parts[0]))
