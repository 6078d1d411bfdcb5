#!/usr/bin/env python3
"""Two data-parallel processes of one thread on the 6L/384 GPT, batch 12 × 256, fp32: assay-worker against PyTorch's
DistributedDataParallel over Gloo, in turn. Usage: data_parallel.py BIN PEER_PYTHON|- TEXT ROUNDS STEPS. See data_parallel.sh."""
import json
import os
import pathlib
import socket
import statistics
import subprocess
import sys
import tempfile

bin_dir, python, text, rounds, steps = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
here = pathlib.Path(__file__).parent

SPEC = """assay: 1
name: data-parallel
kind: train
seed: 1337
threads: 1
data:
  train: {{path: {text}, format: text}}
  document: file
  tokenizer: bytes
  sequence_length: 256
  packing: concat
  workers: 1
model:
  from: {{family: gpt2, layers: 6, hidden: 384, heads: 6, context: 256, tie_embeddings: true}}
train:
  steps: {steps}
  global_batch: 12
  micro_batch: {micro}
  optimizer: {{lr: 1e-3, betas: [0.9, 0.99]}}
  schedule: {{name: constant}}
  checkpoint: {{every: 100000}}
  parallel: {{data: {ranks}, zero: {zero}}}
"""


def both(commands):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    world = str(len(commands))
    processes = []
    for rank, command in enumerate(commands):
        environment = dict(os.environ, RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE=world, LOCAL_WORLD_SIZE=world, MASTER_ADDR="127.0.0.1", MASTER_PORT=port,
                           OMP_NUM_THREADS="1", GOMP_SPINCOUNT="1000")
        processes.append(subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
    outs = [p.communicate(timeout=900) for p in processes]
    for p, (_, err) in zip(processes, outs):
        if p.returncode != 0:
            sys.exit(f"{p.args[0]} ended with {p.returncode}: {err[-2000:]}")
    return outs[0][0]


def ours(work, ranks, zero=0):
    (work / "spec.yaml").write_text(SPEC.format(text=text, steps=steps, ranks=ranks, zero=zero, micro=12 // ranks))
    checked = json.loads(subprocess.run([bin_dir / "assay", "check", work / "spec.yaml", "--json"], capture_output=True, text=True).stdout)
    if not checked["ok"]:
        sys.exit(json.dumps(checked["problems"]))
    folder = pathlib.Path(tempfile.mkdtemp(dir=work))
    (folder / "job.json").write_text(json.dumps({"assay_job": 1, "run": "0" * 13, "run_folder": str(folder), "store_folder": str(work / "store"), "attempt": 1,
                                                 "resume": False, "spec": checked["resolved"], "setups": []}))
    both([[bin_dir / "assay-worker", "--job", folder / "job.json"]] * ranks)
    rows = [json.loads(line) for line in (folder / "events.rank0.jsonl").read_text().splitlines() if '"type":"metric"' in line]
    vocabulary = json.loads((folder / "artifacts/model/config.json").read_text())["vocab_size"]
    return statistics.median(1e3 * row["v"]["train/step_seconds"] for row in rows[3:]), vocabulary


def peer(vocabulary):
    out = both([[python, here / "data_parallel_peer.py", str(steps), str(vocabulary), text]] * 2)
    return json.loads(out.splitlines()[-1])


with tempfile.TemporaryDirectory() as name:
    work = pathlib.Path(name)
    two, sharded, theirs, version = [], [], [], None
    for _ in range(rounds):
        ms, vocabulary = ours(work, 2)
        two.append(ms)
        if python != "-":
            answer = peer(vocabulary)
            theirs.append(statistics.median(answer["ms"][3:]))
            version = answer["torch"]
        sharded.append(ours(work, 2, zero=1)[0])
    one = ours(work, 1)[0]

line = (f"2 processes × 1 thread: ours {statistics.median(two):.0f} ms/step ({min(two):.0f} - {max(two):.0f}, {rounds} runs), ZeRO 1 {statistics.median(sharded):.0f} ms; "
        f"one process {one:.0f} ms")
if theirs:
    ratio = statistics.median(a / b for a, b in zip(two, theirs))
    line += f"; PyTorch {version} DDP + Gloo {statistics.median(theirs):.0f} ms ({min(theirs):.0f} - {max(theirs):.0f}), ratio {ratio:.3f} (target at most 1.0)"
else:
    line += "; no PyTorch 2.11.0 found, so no ratio"
print(line, f"; load {os.getloadavg()[0]:.1f}")
