#!/usr/bin/env python3
"""Runs of several ranks with the real programs: killed, stopped and silent ranks, and the same weights as one process.

Usage: ranks.py BIN_DIR SCENARIO   (see SCENARIOS below; soak takes the number of kills and a seed)
"""
import array
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from harness import Assay, Failure, check, equal, tiny_text, wait_until  # noqa: E402

SPEC = """assay: 1
name: ranks
kind: train
seed: 7
threads: 1
data:
  train: {{path: text.txt, format: text}}
  eval: {{path: text.txt, split: last 10%}}
  document: line
  tokenizer: bytes
  sequence_length: 64
  packing: best_fit
  workers: 1
model:
  from: {{family: gpt2, layers: 2, hidden: 64, heads: 2, context: 64, dropout: {dropout}}}
train:
  steps: {steps}
  global_batch: 8
  micro_batch: {micro}
  optimizer: {{name: {optimizer}, lr: {lr}}}
  schedule: {{name: cosine, warmup: 5, min_lr: 1e-4}}
  checkpoint: {{every: {every}, keep: 2, background: true}}
  parallel: {{data: {ranks}, zero: {zero}}}
"""


def submit(assay, *, steps=200, every=10, ranks=2, zero=1, micro=2, dropout=0.1, optimizer="adamw", lr=1e-3):
    tiny_text(assay.root / "text.txt")
    spec = assay.root / "ranks.yaml"
    spec.write_text(SPEC.format(steps=steps, every=every, ranks=ranks, zero=zero, micro=micro, dropout=dropout, optimizer=optimizer, lr=lr))
    return assay.call("run", spec, "--detach")["run"]


def show(assay, run):
    return assay.call("runs", "show", run)


def wait_done(assay, run, wanted=("done",), seconds=180):
    def look():
        row = show(assay, run)
        if row["status"] in wanted:
            return row
        if row["status"] in ("failed", "cancelled", "interrupted"):
            raise Failure(f"run is {row['status']}: {row['reason']}\n{(assay.run_folder(run) / 'log.txt').read_text()[-3000:]}")
        return None
    return wait_until(look, seconds, f"status {wanted}")


def committed(assay, run):
    return sorted(int(p.name[5:]) for p in (assay.run_folder(run) / "checkpoints").glob("step-*") if (p / "manifest.json").exists())


def rank_pid(assay, run, rank):
    """The process that wrote the newest hello of that rank's event file."""
    path = assay.run_folder(run) / f"events.rank{rank}.jsonl"
    hellos = [json.loads(line) for line in path.read_text().splitlines() if '"type":"hello"' in line] if path.exists() else []
    return hellos[-1]["pid"] if hellos and hellos[-1]["pid"] in assay.pids("assay-worker") else None


def model_bytes(assay, run):
    return (assay.run_folder(run) / "artifacts/model/model.safetensors").read_bytes()


def floats(data):
    size = int.from_bytes(data[:8], "little")
    out = {}
    for name, entry in json.loads(data[8:8 + size]).items():
        if name != "__metadata__":
            begin, end = entry["data_offsets"]
            out[name] = array.array("f", data[8 + size + begin:8 + size + end])
    return out


def reference(bin_dir, **options):
    with Assay(bin_dir) as assay:
        run = submit(assay, **options)
        row = wait_done(assay, run)
        check("run/restarts" not in row["summary"], f"restarted: {row['summary']}")
        return model_bytes(assay, run), assay.call("runs", "metrics", run, "train/loss")["points"]


def killed(bin_dir):
    """SIGKILL of rank 1, then of rank 0: the run starts again by itself and ends with the bits of an unbroken one."""
    wanted, curve = reference(bin_dir)
    with Assay(bin_dir) as assay:
        run = submit(assay)
        for kill, rank in enumerate((1, 0), 1):
            before = max([0] + committed(assay, run))
            wait_until(lambda: max([0] + committed(assay, run)) >= before + 20 and rank_pid(assay, run, rank), 120, "progress")
            if kill == 1:
                equal(sorted(r["pid"] for r in show(assay, run)["ranks"] if r["running"]), sorted(assay.pids("assay-worker")), "processes of `runs show`")
            os.kill(rank_pid(assay, run, rank), signal.SIGKILL)
            wait_until(lambda: show(assay, run)["summary"].get("run/restarts") == kill, 60, f"restart {kill}")
        row = wait_done(assay, run)
        check(row["resumed_from_step"] > 0, f"resumed from {row['resumed_from_step']}")
        equal(hashlib.sha256(model_bytes(assay, run)).hexdigest(), hashlib.sha256(wanted).hexdigest(), "weights after two kills")
        points = assay.call("runs", "metrics", run, "train/loss")["points"]
        equal([(p[0], p[3]) for p in points], [(p[0], p[3]) for p in curve], "train/loss")
        log = assay.call("runs", "log", run, expect=None)
        check("rank 1 died: signal 9" in (assay.run_folder(run) / "log.txt").read_text(), f"log: {log}")


def silent(bin_dir):
    """A rank that stands still is given up after ASSAY_RANK_TIMEOUT, killed, and the run goes on from its checkpoint."""
    with Assay(bin_dir) as assay:
        assay.environment["ASSAY_RANK_TIMEOUT"] = "4"
        run = submit(assay, zero=0)
        pid = wait_until(lambda: committed(assay, run) and rank_pid(assay, run, 1), 120, "a checkpoint")
        os.kill(pid, signal.SIGSTOP)
        wait_until(lambda: show(assay, run)["summary"].get("run/restarts") == 1, 60, "the restart")
        wait_done(assay, run)
        check("rank 1 did not answer" in (assay.run_folder(run) / "log.txt").read_text(), "the log does not say which rank")


def stopped(bin_dir):
    """`runs stop` ends all ranks at one step with a checkpoint; `runs resume` goes on to the same bits."""
    wanted, _ = reference(bin_dir)
    with Assay(bin_dir) as assay:
        run = submit(assay, every=1000)
        wait_until(lambda: assay.call("runs", "metrics", run, "train/loss", expect=None).get("points"), 120, "a first point")
        assay.call("runs", "stop", run)
        wait_done(assay, run, ("cancelled",))
        equal(assay.pids("assay-worker"), [], "workers after the stop")
        steps = committed(assay, run)
        check(steps, "stop left no checkpoint")
        equal(assay.call("runs", "resume", run)["resumed_from_step"], steps[-1], "resumed_from_step")
        wait_done(assay, run)
        check(model_bytes(assay, run) == wanted, "weights differ after stop and resume")


def equal_to_one(bin_dir):
    """Two and four processes over Gloo, with and without ZeRO and accumulation, train what one process trains."""
    options = dict(steps=8, every=1000, dropout=0, optimizer="sgd", lr=0.3)  # steps along the gradients themselves
    one = floats(reference(bin_dir, ranks=1, zero=0, micro=8, **options)[0])
    layouts = ((2, 0, 4), (2, 0, 1), (2, 1, 2), (4, 0, 2), (4, 1, 1))
    runs = {f"{ranks} ranks, zero {zero}, micro_batch {micro}": floats(reference(bin_dir, ranks=ranks, zero=zero, micro=micro, **options)[0]) for ranks, zero, micro in layouts}
    for what, weights in runs.items():
        most = max(abs(a - b) for name in one for a, b in zip(one[name], weights[name]))
        check(0 < most < 1e-5, f"{what}: weights differ by {most} after 8 steps")


def torchrun_environment(bin_dir):
    """Workers that somebody else started, told who they are by torchrun's variables only."""
    wanted, _ = reference(bin_dir, steps=20)
    with Assay(bin_dir) as assay:
        tiny_text(assay.root / "text.txt")
        (assay.root / "ranks.yaml").write_text(SPEC.format(steps=20, every=10, ranks=2, zero=1, micro=2, dropout=0.1, optimizer="adamw", lr=1e-3))
        spec = assay.call("check", assay.root / "ranks.yaml")["resolved"]
        folder = assay.root / "run"
        folder.mkdir()
        (folder / "job.json").write_text(json.dumps({"assay_job": 1, "run": "0" * 13, "run_folder": str(folder), "store_folder": str(assay.store),
                                                     "attempt": 1, "resume": False, "spec": spec, "setups": []}))
        import socket
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        workers = []
        for rank in range(2):
            environment = dict(assay.environment, RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE="2", LOCAL_WORLD_SIZE="2", GROUP_RANK="0", MASTER_ADDR="127.0.0.1",
                               MASTER_PORT=str(port), TORCHELASTIC_RESTART_COUNT="0", TORCHELASTIC_MAX_RESTARTS="0", TORCHELASTIC_RUN_ID="none", TORCHELASTIC_USE_AGENT_STORE="False")
            workers.append(subprocess.Popen([str(assay.bin / "assay-worker"), "--job", str(folder / "job.json")], env=environment, stderr=subprocess.PIPE, text=True))
        for worker in workers:
            _, err = worker.communicate(timeout=120)
            equal(worker.returncode, 0, f"exit code ({err[-2000:]})")
        check((folder / "artifacts/model/model.safetensors").read_bytes() == wanted, "weights differ from the run that the engine started")


def soak(bin_dir, kills=50, seed=None):
    """Kills one rank, the engine or both at random moments spread over runs of two ranks, half of them during a save."""
    seed = random.randrange(2**32) if seed is None else seed
    print(f"seed {seed}", flush=True)
    rng = random.Random(seed)
    steps, every, done, during_save, resumed = 300, 3, {"rank 0": 0, "rank 1": 0, "engine": 0, "engine and rank": 0}, 0, []
    wanted = {zero: reference(bin_dir, steps=steps, every=every, zero=zero)[0] for zero in (0, 1)}
    rounds = 0
    while sum(done.values()) < kills:
        zero = rounds % 2
        rounds += 1
        with Assay(bin_dir) as assay:
            assay.environment["ASSAY_RESTARTS"] = "1000000"
            run = submit(assay, steps=steps, every=every, zero=zero)
            restarts = 0
            while sum(done.values()) < kills:
                goal, save_wanted = max([0] + committed(assay, run)) + rng.randrange(1, steps // 4), rng.random() < 0.5
                victim = rng.choice(list(done))

                def moment():
                    saving = list((assay.run_folder(run) / "checkpoints").glob(".step-*.tmp"))
                    reached = max([0] + committed(assay, run))
                    if reached > 0 and reached >= goal and (saving or not save_wanted):
                        return "saving" if saving else "now"
                    return "over" if (assay.run_folder(run) / "artifacts/model").exists() else None
                when = wait_until(moment, 180, "progress")
                rank = rng.randrange(2) if victim == "engine and rank" else int(victim[-1]) if victim.startswith("rank") else None
                pid = rank_pid(assay, run, rank) if rank is not None else None
                if when == "over" or (rank is not None and pid is None):
                    break
                if victim.startswith("engine"):
                    os.kill(assay.engine_pid(), signal.SIGKILL)
                if pid is not None:
                    os.kill(pid, signal.SIGKILL)
                    row = wait_until(lambda: (lambda r: r if r["status"] == "done" or r["summary"].get("run/restarts", 0) > restarts else None)(show(assay, run)), 120, "a restart")
                    restarts = row["summary"].get("run/restarts", 0)
                show(assay, run)  # the next engine, when there is none
                done[victim] += 1
                during_save += when == "saving"
            wait_done(assay, run)
            check(model_bytes(assay, run) == wanted[zero], f"weights differ after kills (seed {seed}, round {rounds})")
            events = (assay.run_folder(run) / "events.rank0.jsonl").read_text(errors="replace").splitlines()
            here = [json.loads(line)["step"] for line in events if line.startswith('{"type":"resumed"') and line.endswith("}")]
            check(all(step > 0 for step in here), f"resumed from step 0: {here}")
            check(restarts == 0 or here, "restarted without resuming")
            resumed += here
    print(f"{sum(done.values())} kills {done}, {during_save} during a save; resumed from steps {resumed}; weights bit-equal")


SCENARIOS = {f.__name__: f for f in (killed, silent, stopped, equal_to_one, torchrun_environment, soak)}

if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[2] not in SCENARIOS:
        sys.exit(f"usage: {sys.argv[0]} BIN_DIR {'|'.join(SCENARIOS)}")
    try:
        SCENARIOS[sys.argv[2]](sys.argv[1], *(int(a) for a in sys.argv[3:] if a))
    except Failure as failure:
        sys.exit(f"FAILED {sys.argv[2]}: {failure}")
    print(f"passed {sys.argv[2]}")
