#!/usr/bin/env python3
"""Real engine, real worker, real command: a run that is killed in every way ends with the bits of an unbroken one.

Usage: real_run.py BIN_DIR SCENARIO   (see SCENARIOS below)
"""
import hashlib
import json
import os
import random
import signal
import sys
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from harness import Assay, Failure, check, equal, tiny_spec, tiny_text, wait_until  # noqa: E402


def submit(assay, **options):
    text = assay.root / "text.txt"
    spec = assay.root / "tiny.yaml"
    tiny_text(text)
    tiny_spec(spec, text, **options)
    answer = assay.call("run", spec, "--detach")
    return answer["run"], answer["children"]


def status(assay, run):
    return assay.call("runs", "show", run)["status"]


def wait_for_status(assay, run, wanted, seconds=120):
    def look():
        now = status(assay, run)
        if now in ("failed", "cancelled") and now not in wanted:
            raise Failure(f"run {run} is {now}: {json.dumps(assay.call('runs', 'show', run))[:2000]}")
        return now if now in wanted else None
    return wait_until(look, seconds, f"status {wanted} of {run}")


def child_of_kind(assay, run, kind):
    for child in assay.call("runs", "show", run)["children"]:
        row = child if isinstance(child, dict) else assay.call("runs", "show", child)
        if row["kind"] == kind:
            return row["id"]
    raise Failure(f"run {run} has no child of kind {kind}")


def committed_steps(assay, run):
    folder = assay.run_folder(run) / "checkpoints"
    if not folder.is_dir():
        return []
    return sorted(int(d.name.split("-")[1]) for d in folder.iterdir()
                  if d.name.startswith("step-") and (d / "manifest.json").exists())


def model_hash(assay, run):
    path = assay.run_folder(run) / "artifacts" / "model" / "model.safetensors"
    return hashlib.sha256(path.read_bytes()).hexdigest()


def reference_hash(bin_dir, **options):
    with Assay(bin_dir) as assay:
        run, _ = submit(assay, **options)
        wait_for_status(assay, run, ("done",))
        train = child_of_kind(assay, run, "train")
        points = assay.call("runs", "metrics", train, "train/loss")["points"]
        return model_hash(assay, train), points


def same_curve(points, reference):
    equal([p[0] for p in points], [p[0] for p in reference], "steps of train/loss")
    equal([p[3] for p in points], [p[3] for p in reference], "values of train/loss")


def worker_of(assay):
    return wait_until(lambda: assay.pids("assay-worker"), 60, "a worker process")[0]


def kill_worker(bin_dir):
    """SIGKILL in mid-training, resume: bit-equal weights and one point per step."""
    options = dict(steps=400, every=20)
    wanted, curve = reference_hash(bin_dir, **options)
    with Assay(bin_dir) as assay:
        run, _ = submit(assay, **options)
        train = child_of_kind(assay, run, "train")
        wait_until(lambda: len(committed_steps(assay, train)) >= 2, 90, "two committed checkpoints")
        os.kill(worker_of(assay), signal.SIGKILL)
        wait_for_status(assay, train, ("interrupted",))
        answer = assay.call("runs", "resume", train)
        check(answer["resumed_from_step"] > 0, f"resumed from step {answer['resumed_from_step']}")
        wait_for_status(assay, train, ("done",))
        equal(model_hash(assay, train), wanted, "weights after kill and resume")
        same_curve(assay.call("runs", "metrics", train, "train/loss")["points"], curve)


def kill_engine(bin_dir):
    """SIGKILL of the engine in mid-run: the worker goes on, the next engine adopts it and no point is lost or doubled."""
    options = dict(steps=400, every=50)
    wanted, curve = reference_hash(bin_dir, **options)
    with Assay(bin_dir) as assay:
        run, _ = submit(assay, **options)
        train = child_of_kind(assay, run, "train")
        wait_until(lambda: committed_steps(assay, train), 90, "a committed checkpoint")
        worker = worker_of(assay)
        os.kill(assay.engine_pid(), signal.SIGKILL)
        wait_for_status(assay, run, ("done",))  # the command starts a new engine
        check(worker not in assay.pids("assay-worker"), "the worker is still there")
        equal(model_hash(assay, train), wanted, "weights after the engine was killed")
        same_curve(assay.call("runs", "metrics", train, "train/loss")["points"], curve)


def stop_and_resume(bin_dir):
    """`runs stop` ends at a step boundary with a checkpoint; `runs resume` continues to the same bits."""
    options = dict(steps=1500, every=10000)  # long enough that the run cannot end before a busy machine has asked it to stop
    wanted, curve = reference_hash(bin_dir, **options)
    with Assay(bin_dir) as assay:
        run, _ = submit(assay, **options)
        train = child_of_kind(assay, run, "train")
        wait_until(lambda: assay.call("runs", "metrics", train, "train/loss", expect=None).get("points"), 90, "a first point")
        assay.call("runs", "stop", train)
        wait_for_status(assay, train, ("cancelled",))
        committed = committed_steps(assay, train)
        check(committed, "stop left no checkpoint")
        answer = assay.call("runs", "resume", train)
        equal(answer["resumed_from_step"], committed[-1], "resumed_from_step")
        wait_for_status(assay, train, ("done",))
        equal(model_hash(assay, train), wanted, "weights after stop and resume")
        same_curve(assay.call("runs", "metrics", train, "train/loss")["points"], curve)


def two_clients(bin_dir):
    """Two commands follow one run to its end and see the same; a list while it runs never fails."""
    with Assay(bin_dir) as assay:
        run, _ = submit(assay, steps=150, every=50)
        rows, errors = [], []

        def follow():
            try:
                wait_for_status(assay, run, ("done",))
                rows.append(assay.call("runs", "show", run)["summary"])
                assay.call("runs", "list")
            except Failure as failure:
                errors.append(str(failure))

        threads = [threading.Thread(target=follow) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        check(not errors, "\n".join(errors))
        equal(rows[0], rows[1], "summaries seen by two clients")
        check(rows[0].get("eval/loss", 99) < 5.55, f"eval/loss {rows[0]}")  # below ln 256: it learned something


def references(bin_dir):
    """run:<id>/<set-up> names the artefact of one scheme, from the pipeline and from its quantize stage."""
    extra = """quantize:
  schemes: [int8, int4-g32]
benchmark:
  prefill: [16]
  decode: 4
  repeats: 1
accuracy: {perplexity: {path: text.txt, window: 64, mode: full}}
"""
    with Assay(bin_dir) as assay:
        tiny_text(assay.root / "text.txt")
        spec = assay.root / "tiny.yaml"
        tiny_spec(spec, assay.root / "text.txt", steps=30, every=30,
                  stages="[prepare, train, evaluate, quantize, benchmark]", extra=extra)
        run = assay.call("run", spec)["run"]
        quantize = child_of_kind(assay, run, "quantize")
        setups = {s["id"].split("/")[-1]: s for s in assay.call("compare", run)["setups"]}
        equal(set(setups), {"fp32", "int8", "int4-g32"}, "set-ups of the comparison")

        def perplexity(model):
            return assay.call("eval", model, "--text", assay.root / "text.txt", "--window", 64, "--scheme", "native")["perplexity"]
        for scheme in setups:
            # The stage measured the same files on the same text: the last digits may differ by the order of sums.
            wanted = setups[scheme]["accuracy"]["perplexity"]
            got = perplexity(f"run:{run}/{scheme}")
            check(abs(got / wanted - 1) < 1e-3, f"perplexity of run:{run}/{scheme}: {got}, the stage measured {wanted}")
        equal(perplexity(f"run:{quantize}/int8"), perplexity(f"run:{run}/int8"), "int8 by the stage and by the pipeline")
        error = assay.call("eval", f"run:{run}/int3", "--text", assay.root / "text.txt", expect=3)["error"]
        check("int3" in error["message"] and run in error["message"], f"unknown set-up: {error}")


def interrupts(bin_dir):
    """Ctrl-C stops the run with a checkpoint; a second one leaves at once, and the run goes on stopping by itself."""
    with Assay(bin_dir) as assay:
        def begin():
            submitted = set(r["id"] for r in assay.call("runs", "list")["runs"])
            text, spec = assay.root / "text.txt", assay.root / "tiny.yaml"
            tiny_text(text)
            tiny_spec(spec, text, steps=100000, every=100000)
            command = assay.start("run", spec)

            def training():
                rows = [r for r in assay.call("runs", "list")["runs"] if r["id"] not in submitted]
                trains = [r for r in rows if r["kind"] == "train" and r["status"] == "running" and "train/loss" in r["summary"]]
                return trains[0]["id"] if trains else None
            return command, wait_until(training, 60, "a first step")

        command, train = begin()
        command.send_signal(signal.SIGINT)
        out, err = command.communicate(timeout=60)
        equal(command.returncode, 130, f"exit code after Ctrl-C ({err})")
        equal(json.loads(out)["status"], "cancelled", "status in the document")
        check(committed_steps(assay, train), "no checkpoint after Ctrl-C")

        command, train = begin()
        worker = worker_of(assay)
        os.kill(worker, signal.SIGSTOP)  # a worker that cannot stop yet
        command.send_signal(signal.SIGINT)
        wait_for_status(assay, train, ("stopping",))
        command.send_signal(signal.SIGINT)
        out, err = command.communicate(timeout=10)
        equal(command.returncode, 130, f"exit code after the second Ctrl-C ({err})")
        json.loads(out)
        os.kill(worker, signal.SIGCONT)
        wait_for_status(assay, train, ("cancelled",))
        check(committed_steps(assay, train), "the run that was left has no checkpoint")


def soak(bin_dir, kills=20):
    """Kills the worker at random moments, saves included, until it is done; then compares bits."""
    options = dict(steps=400, every=4)
    wanted, curve = reference_hash(bin_dir, **options)
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    rng = random.Random(seed)
    done = 0
    resumed = []
    while done < kills:
        with Assay(bin_dir) as assay:
            run, _ = submit(assay, **options)
            train = child_of_kind(assay, run, "train")
            while done < kills:
                base = len(resumed)
                target = rng.randrange(4, 120)
                start = max([0] + committed_steps(assay, train))

                def reached():
                    if status(assay, train) == "done":
                        return "done"
                    steps = committed_steps(assay, train)
                    saving = list((assay.run_folder(train) / "checkpoints").glob(".*")) if steps else []
                    if steps and steps[-1] >= start + target // 4 and (saving or rng.random() < 0.3):
                        return "now"
                    return None
                if wait_until(reached, 120, "progress") == "done":
                    break
                workers = assay.pids("assay-worker")
                if not workers:
                    continue
                os.kill(workers[0], signal.SIGKILL)
                if wait_for_status(assay, train, ("interrupted", "done")) == "done":
                    break
                answer = assay.call("runs", "resume", train)
                check(answer["resumed_from_step"] > 0, "resumed from nothing")
                resumed.append(answer["resumed_from_step"])
                done += len(resumed) - base
            wait_for_status(assay, train, ("done",))
            equal(model_hash(assay, train), wanted, f"weights after {len(resumed)} kills")
            same_curve(assay.call("runs", "metrics", train, "train/loss")["points"], curve)
    print(f"{done} kills, resumed from steps {resumed}, weights bit-equal")


def verify_resume(bin_dir):
    """Steps done again are equal to the bit and leave the run as it was; another thread count and a tampered run are told."""
    with Assay(bin_dir) as assay:
        run, _ = submit(assay, steps=40, every=10)
        train = child_of_kind(assay, run, "train")
        wait_for_status(assay, run, ("done",))
        folder = assay.run_folder(train)

        def content():
            return {str(f): (f.stat().st_mtime_ns, hashlib.sha256(f.read_bytes()).hexdigest()) for f in sorted(folder.rglob("*")) if f.is_file()}
        before = content()
        answer = assay.call("runs", "verify-resume", run)
        equal((answer["equal"], answer["from_step"], answer["steps"], answer["first_difference"]), (True, 30, 10, None), "verify-resume")
        check(answer["compared_tensors"] > 0 and not answer["warnings"], f"answer: {answer}")
        other = assay.call("runs", "verify-resume", train, "--steps", 3, "--threads", 2, expect=None)
        equal((other["steps"], len(other["warnings"])), (3, 1), "with two threads")
        check("threads was 1, is 2" in other["warnings"][0], f"warnings: {other['warnings']}")
        equal(content(), before, "files of the run")
        events = folder / "events.rank0.jsonl"
        lines = events.read_text().splitlines()
        for i, line in enumerate(lines):
            record = json.loads(line)
            if record["type"] == "metric" and record["step"] == 35 and "train/loss" in record["v"]:
                record["v"]["train/loss"] += 1e-9
                lines[i] = json.dumps(record)
        events.write_text("\n".join(lines) + "\n")
        answer = assay.call("runs", "verify-resume", train, expect=1)
        equal((answer["equal"], answer["first_difference"]["step"], answer["first_difference"]["name"]), (False, 35, "train/loss"), "a changed record")


SCENARIOS = {f.__name__: f for f in (verify_resume, kill_worker, kill_engine, stop_and_resume, two_clients, references, interrupts, soak)}

if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[2] not in SCENARIOS:
        sys.exit(f"usage: {sys.argv[0]} BIN_DIR {'|'.join(SCENARIOS)}")
    try:
        SCENARIOS[sys.argv[2]](sys.argv[1])
    except Failure as failure:
        sys.exit(f"FAILED {sys.argv[2]}: {failure}")
    print(f"passed {sys.argv[2]}")
