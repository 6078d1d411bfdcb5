"""Whole runs of assay-worker on a device: training, its checkpoints, ranks. The part of tests/gpu/check that needs no C++.

Every check is a function of `Device` that returns figures, or raises what is wrong. `cpu` in place of `cuda` runs the same on a
machine without a GPU, so that the check itself is known to work.
"""
import json
import os
import shutil
import socket
import subprocess
import tempfile

STEPS, EVERY = 12, 4


class Wrong(Exception):
    """What a check found."""


class Skipped(Exception):
    """Why a check was not made."""


def expect(condition, what):
    if not condition:
        raise Wrong(what)


class Job:
    """One run folder: started, resumed, started by several ranks."""

    def __init__(self, programs, plugin, folder, device, ranks=1, **train):
        self.worker, self.plugin, self.folder, self.ranks, self.attempt = os.path.join(programs, "assay-worker"), plugin, folder, ranks, 0
        os.makedirs(folder)
        corpus = os.path.join(folder, "corpus.txt")
        with open(corpus, "w", encoding="utf-8") as file:
            for n in range(400):
                file.write(f"line {n}: a quick brown fox jumps over {n % 7} lazy dogs\n")
        self.spec = {"assay": 1, "kind": "train", "seed": 5, "threads": 1, "device": device,
                     "data": {"train": {"path": corpus, "format": "text"}, "document": "line", "tokenizer": "bytes", "sequence_length": 64, "workers": 1},
                     "model": {"from": {"family": "llama", "layers": 4, "hidden": 128, "heads": 4, "kv_heads": 2, "ffn": 256, "context": 64, "vocab": "auto", "dropout": 0.1}},
                     "train": {"steps": STEPS, "global_batch": 8, "micro_batch": 4, "optimizer": {"name": "adamw", "lr": 1e-3}, "clip_norm": 1.0,
                               "checkpoint": {"every": EVERY, "keep": 9}, "parallel": {"data": ranks}, **train}}

    def run(self, device=None, resume=False):
        """The summary; raises when the worker fails."""
        self.attempt += 1
        if device:
            self.spec["device"] = device
        job = {"assay_job": 1, "run": "0123456789abc", "run_folder": self.folder + "/run", "store_folder": self.folder + "/store", "attempt": self.attempt,
               "resume": resume, "spec": self.spec, "setups": []}
        with open(self.folder + "/job.json", "w", encoding="utf-8") as file:
            json.dump(job, file)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        workers = []
        for rank in range(self.ranks):
            settings = {**os.environ, "ASSAY_CUDA_PLUGIN": self.plugin, "RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": str(self.ranks), "LOCAL_WORLD_SIZE": str(self.ranks),
                        "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
            workers.append(subprocess.Popen([self.worker, "--job", self.folder + "/job.json"], env=settings, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True))
        texts = [worker.communicate(timeout=120)[1] for worker in workers]
        for worker, text in zip(workers, texts):
            expect(worker.returncode == 0, f"a worker ended with {worker.returncode}: {text[-1500:]}")
        with open(self.folder + "/run/events.rank0.jsonl", encoding="utf-8") as file:
            events = [json.loads(line) for line in file]
        summary = [event["values"] for event in events if event.get("type") == "summary"][-1]
        with open(self.folder + "/run/environment.json", encoding="utf-8") as file:
            summary["device"] = json.load(file)["device"]
        return summary

    def bytes(self):
        with open(self.folder + "/run/artifacts/model/model.safetensors", "rb") as file:
            return file.read()

    def forget_after(self, step):
        for name in os.listdir(self.folder + "/run/checkpoints"):
            if name.startswith("step-") and int(name[5:]) > step:
                shutil.rmtree(self.folder + "/run/checkpoints/" + name)
        for name in ("/run/checkpoints/best.json",):
            if os.path.exists(self.folder + name):
                os.remove(self.folder + name)
        shutil.rmtree(self.folder + "/run/artifacts")


class Device:
    def __init__(self, programs, plugin, device, count, folder):
        self.programs, self.plugin, self.device, self.count, self.folder = programs, plugin, device, count, folder

    def job(self, name, ranks=1, **train):
        return Job(self.programs, self.plugin, os.path.join(self.folder, name), self.device, ranks, **train)

    def trains(self):
        summary = self.job("trains").run()
        expect((summary["device"] == "cpu") == (self.device == "cpu"), f"it computed on {summary['device']}")
        expect(summary["train/loss"] < 5, f"the loss is {summary['train/loss']}")
        if self.device == "cuda":
            expect(summary.get("system/gpu_bytes_peak", 0) > summary["memory/weights_bytes"], "no bytes of the GPU were counted")
        return {"device": summary["device"], "loss": summary["train/loss"], "tokens_per_s": summary["train/tokens_per_s"]}

    def loss_is_that_of_the_cpu(self):
        options = {"optimizer": {"name": "sgd", "lr": 0.1}}
        here, there = self.job("plain-here", **options), self.job("plain-there", **options)
        for job in (here, there):
            job.spec["model"]["from"]["dropout"] = 0
        here, there = here.run()["train/loss"], there.run(device="cpu")["train/loss"]
        expect(abs(here - there) < 1e-4, f"{here} and on the CPU {there}")
        return {"difference": abs(here - there)}

    def resume_is_bit_equal(self):
        job = self.job("resume")
        job.run()
        whole = job.bytes()
        job.forget_after(2 * EVERY)
        job.run(resume=True)
        expect(job.bytes() == whole, "the weights differ from those of the run that was not stopped")
        return {"from_step": 2 * EVERY}

    def resumes_on_the_cpu_and_back(self):
        job = self.job("cross")
        job.spec["model"]["from"]["dropout"] = 0
        whole = job.run()["train/loss"]
        job.forget_after(2 * EVERY)
        on_cpu = job.run(device="cpu", resume=True)
        expect(on_cpu["device"] == "cpu" and abs(on_cpu["train/loss"] - whole) < 1e-3, f"{on_cpu['train/loss']} on the CPU, {whole} before")
        job.forget_after(EVERY)
        back = job.run(device=self.device, resume=True)
        expect(abs(back["train/loss"] - whole) < 1e-3, f"{back['train/loss']} back on the device, {whole} before")
        return {"difference": abs(on_cpu["train/loss"] - whole)}

    def amp_fp16_scales(self):
        summary = self.job("fp16", precision={"amp": "fp16", "scaler": {"init": 2.0 ** 30}}, steps=2 * STEPS).run()
        expect(summary["train/skipped_steps"] > 0, "a scale of 2^30 overflowed nowhere")
        expect(summary["train/loss"] < 5, f"the loss is {summary['train/loss']}")
        return {"skipped_steps": summary["train/skipped_steps"], "loss": summary["train/loss"]}

    def amp_bf16(self):
        summary = self.job("bf16", precision={"amp": "bf16"}).run()
        expect(summary["train/loss"] < 5, f"the loss is {summary['train/loss']}")
        return {"loss": summary["train/loss"]}

    def offload(self):
        if self.device == "cpu":
            raise Skipped("activations are in the machine's memory already")
        plain = self.job("offload-none")
        plain.run()
        away = self.job("offload", activation_checkpointing="offload")
        summary = away.run()
        expect(summary.get("memory/offloaded_bytes", 0) > 0, "nothing was moved")
        expect(away.bytes() == plain.bytes(), "the weights differ from those of a run without")
        return {"offloaded_bytes": summary["memory/offloaded_bytes"]}

    def two_ranks(self):
        if self.count < 2:
            raise Skipped("there is one GPU")
        figures = {}
        for zero in (0, 1):
            options = {"optimizer": {"name": "sgd", "lr": 0.1}}
            one, two = self.job(f"one-{zero}", **options), self.job(f"two-{zero}", ranks=2, **options)
            two.spec["train"]["parallel"]["zero"] = zero
            for job in (one, two):
                job.spec["model"]["from"]["dropout"] = 0
            one, two = one.run(), two.run()
            expect(abs(one["train/loss"] - two["train/loss"]) < 1e-4, f"zero {zero}: {two['train/loss']} with two ranks, {one['train/loss']} with one")
            figures[f"zero_{zero}"] = {"difference": abs(one["train/loss"] - two["train/loss"]), "speedup": two["train/tokens_per_s"] / one["train/tokens_per_s"]}
        return figures


CHECKS = ("trains", "loss_is_that_of_the_cpu", "resume_is_bit_equal", "resumes_on_the_cpu_and_back", "amp_bf16", "amp_fp16_scales", "offload", "two_ranks")


def run_all(programs, plugin, device, count):
    """{name: {"passed": true | false | null, …}}; null: skipped, with the reason."""
    report = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in CHECKS:
            try:
                report[name] = {"passed": True, **getattr(Device(programs, plugin, device, count, folder), name)()}
            except Skipped as why:
                report[name] = {"passed": None, "skipped": str(why)}
            except (Wrong, OSError, KeyError, IndexError, ValueError, subprocess.TimeoutExpired) as why:
                report[name] = {"passed": False, "why": f"{type(why).__name__}: {why}"}
    return report
