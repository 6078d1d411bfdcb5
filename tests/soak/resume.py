"""Kill loop of a training worker without an engine: resume.py BIN KILLS [SEED]. See resume.sh."""
import hashlib, json, os, pathlib, random, signal, subprocess, sys, tempfile, time

bin_dir, kills = pathlib.Path(sys.argv[1]), int(sys.argv[2])
seed = int(sys.argv[3]) if len(sys.argv) > 3 and sys.argv[3] else random.randrange(2**32)
rng = random.Random(seed)
STEPS, EVERY = 300, 3

SPEC = f"""
assay: 1
name: kill-loop
kind: train
seed: 7
threads: 1
data:
  train: {{path: corpus.txt}}
  eval: {{path: corpus.txt, split: last 5%}}
  tokenizer: bytes
  sequence_length: 64
  packing: best_fit
model:
  from: {{family: gpt2, layers: 2, hidden: 64, heads: 2, context: 64, dropout: 0.1}}
train:
  steps: {STEPS}
  global_batch: 4
  micro_batch: 2
  optimizer: {{lr: 1e-3}}
  schedule: {{name: cosine, warmup: 10, min_lr: 1e-4}}
  checkpoint: {{every: {EVERY}, keep: 2, background: true}}
  eval_every: 50
"""


def records(folder, kind):
    path = folder / "events.rank0.jsonl"
    out = []
    for line in path.read_text(errors="replace").splitlines() if path.exists() else []:
        try:
            record = json.loads(line)
        except json.JSONDecodeError:
            continue  # torn by a kill
        if record.get("type") == kind:
            out.append(record)
    return out


def committed(folder):
    steps = [int(p.name[5:]) for p in (folder / "checkpoints").glob("step-*") if (p / "manifest.json").exists()]
    return sorted(steps)


def start(work, folder, spec, attempt):
    folder.mkdir(parents=True, exist_ok=True)
    job = {"assay_job": 1, "run": "0" * 13, "run_folder": str(folder), "store_folder": str(work / "store"), "attempt": attempt,
           "resume": attempt > 1, "spec": spec, "setups": []}
    (folder / "job.json").write_text(json.dumps(job))
    log = open(folder / "log.txt", "ab")
    return subprocess.Popen([bin_dir / "assay-worker", "--job", folder / "job.json"], stdout=log, stderr=log)


def digests(folder):
    last = folder / "checkpoints" / f"step-{STEPS}"
    files = [last / "model.safetensors", last / "optimizer.safetensors", folder / "artifacts/model/model.safetensors"]
    return [hashlib.sha256(f.read_bytes()).hexdigest() for f in files]


def finish(work, folder, spec, attempt):
    worker = start(work, folder, spec, attempt)
    if worker.wait(timeout=300) != 0:
        sys.exit(f"worker failed: {(folder / 'log.txt').read_text()[-2000:]}")


with tempfile.TemporaryDirectory() as name:
    work = pathlib.Path(name)
    words = [line.split() for line in pathlib.Path(__file__).parent.parent.parent.joinpath("LICENSE").read_text().splitlines()]
    (work / "corpus.txt").write_text("\n".join(" ".join(w) for w in words if w) + "\n")
    (work / "spec.yaml").write_text(SPEC)
    checked = subprocess.run([bin_dir / "assay", "check", work / "spec.yaml", "--json"], capture_output=True, text=True)
    spec = json.loads(checked.stdout)["resolved"]
    assert spec, checked.stdout
    finish(work, work / "whole", spec, 1)
    wanted = digests(work / "whole")

    done, during_save, round_number, resumed_at = 0, 0, 0, []
    while done < kills:
        round_number += 1
        folder, attempt = work / f"broken{round_number}", 1
        while done < kills:
            worker = start(work, folder, spec, attempt)
            attempt += 1
            first = max([0] + committed(folder))
            goal, save_wanted = first + rng.randrange(1, STEPS // 4), rng.random() < 0.5
            deadline = time.monotonic() + 120
            while worker.poll() is None and time.monotonic() < deadline:
                reached = max([0] + committed(folder))
                saving = list((folder / "checkpoints").glob(".step-*.tmp"))
                if reached > 0 and reached >= goal and (saving or not save_wanted):
                    break
                time.sleep(rng.random() * 0.003)  # the moment of the kill is what is random here
            if worker.poll() is not None:
                assert worker.returncode == 0, (folder / "log.txt").read_text()[-2000:]
                break
            saving = bool(list((folder / "checkpoints").glob(".step-*.tmp")))
            worker.send_signal(signal.SIGKILL)
            worker.wait()
            done, during_save = done + 1, during_save + saving
        else:
            finish(work, folder, spec, attempt)
        assert digests(folder) == wanted, f"bits differ after kills in round {round_number} (seed {seed})"
        here = records(folder, "resumed")
        assert all(r["step"] > 0 and r["replayed_steps"] >= 0 for r in here), here
        resumed_at += [(r["step"], r["replayed_steps"]) for r in here]
    print(f"{done} kills ({during_save} during a save), seed {seed}; resumed at (step, replayed): {resumed_at}; weights and moments equal byte by byte")
