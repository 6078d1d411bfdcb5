"""What the integration tests share: a private store, the real programs, and waiting by condition with a deadline."""
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path


class Failure(AssertionError):
    pass


def check(condition, message):
    if not condition:
        raise Failure(message)


def equal(actual, expected, what):
    check(actual == expected, f"{what}: expected {expected!r}, got {actual!r}")


class Assay:
    """The `assay` command on a store of its own. Use as a context manager: stops the engine and removes the store."""

    def __init__(self, bin_dir, keep=False):
        self.bin = Path(bin_dir)
        self.root = Path(tempfile.mkdtemp(prefix="assay-it-"))
        self.store = self.root / "store"
        self.keep = keep
        self.environment = dict(os.environ, XDG_DATA_HOME=str(self.root / "data"), XDG_RUNTIME_DIR=str(self.root),
                                LC_ALL="C.UTF-8", TZ="UTC")

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        self.stop_everything()
        if kind is None and not self.keep:
            shutil.rmtree(self.root, ignore_errors=True)
        elif kind is not None:
            print(f"store kept for a look: {self.store}")

    def stop_everything(self):
        try:
            self.call("engine", "stop", expect=None)
        except subprocess.TimeoutExpired:
            pass
        for pid in self.pids():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def pids(self, program=None):
        """Process ids of engine and workers that belong to this store."""
        found = []
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                arguments = (entry / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if not any(str(self.store).encode() in a for a in arguments[1:]):
                continue
            name = os.path.basename(arguments[0].decode(errors="replace"))
            if name == program or (program is None and name in ("assay-engine", "assay-worker")):
                found.append(int(entry.name))
        return found

    def start(self, *arguments):
        return subprocess.Popen([str(self.bin / "assay"), "--store", str(self.store), "--json", *map(str, arguments)],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self.environment)

    def call(self, *arguments, expect=0, timeout=120):
        """Runs a command with --json and returns its document. `expect`: the exit code, None for any."""
        process = self.start(*arguments)
        try:
            out, err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise
        if expect is not None:
            check(process.returncode == expect,
                  f"assay {' '.join(map(str, arguments))}: exit {process.returncode}, expected {expect}\n{out}{err}")
        try:
            return json.loads(out)
        except json.JSONDecodeError:
            if expect is None:
                return None
            raise Failure(f"assay {' '.join(map(str, arguments))}: not one JSON document: {out!r} {err!r}")

    def engine_pid(self):
        return json.loads((self.store / "engine.json").read_text())["pid"]

    def run_folder(self, run):
        return self.store / "runs" / run


def wait_until(condition, seconds=60, what="condition", interval=0.02):
    """Polls `condition` until it gives something true, and returns that."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise Failure(f"{what} did not come true within {seconds} s")
        time.sleep(interval)  # the interval of polling, not a wait for a fixed time


def tiny_text(path, lines=400):
    """About 20 kB of text with structure that a tiny model can learn."""
    subjects = ["the king", "a servant", "the prophet", "my brother", "the people"]
    verbs = ["went up to", "spoke of", "remembered", "built", "saw"]
    objects = ["the city", "the river", "a house of stone", "the mountain", "the field"]
    state = 12345
    out = []
    for i in range(lines):
        words = []
        for group in (subjects, verbs, objects):
            state = (state * 1103515245 + 12345) % 2**31
            words.append(group[(state >> 16) % len(group)])
        out.append(" ".join(words) + f" in day {i % 7 + 1}.")
    Path(path).write_text("\n".join(out) + "\n")


def tiny_spec(path, text, *, steps=60, every=10, stages="[prepare, train]", extra=""):
    Path(path).write_text(f"""assay: 1
name: tiny
kind: pipeline
stages: {stages}
seed: 7
threads: 1
data:
  train: {{path: {text}, format: text}}
  eval: {{path: {text}, split: last 10%}}
  document: line
  tokenizer: bytes
  sequence_length: 64
  packing: best_fit
  workers: 1
model:
  from: {{family: gpt2, layers: 2, hidden: 64, heads: 2, context: 64, vocab: auto, tie_embeddings: true, dropout: 0.1}}
train:
  steps: {steps}
  global_batch: 4
  micro_batch: 2
  optimizer: {{name: adamw, lr: 1e-3}}
  schedule: {{name: cosine, warmup: 5, min_lr: 1e-4}}
  checkpoint: {{every: {every}, keep: 3}}
  eval_every: 20
{extra}""")
