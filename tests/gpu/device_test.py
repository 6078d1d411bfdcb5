"""Which device a worker computes on, and what it says where it cannot: on machines without a GPU, with a driver and plugins
that are made for the test.

Usage: device_test.py FOLDER_OF_PROGRAMS FOLDER_OF_FAKES
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

BIN, FAKES = sys.argv[1:3]
WORKER, PLUGIN = os.path.join(BIN, "assay-worker"), os.path.join(BIN, "libassay_cuda.so")
FAKE_PLUGIN = os.path.join(FAKES, "libfake_plugin.so")
SPEC = {"assay": 1, "kind": "train", "seed": 5, "threads": 1,
        "data": {"document": "paragraph", "tokenizer": "bytes", "sequence_length": 16, "workers": 1},
        "model": {"from": {"family": "gpt2", "layers": 1, "hidden": 16, "heads": 2, "context": 16, "vocab": "auto"}},
        "train": {"steps": 1, "global_batch": 2}}


class Run:
    """One worker on a tiny job."""

    def __init__(self, device, kind="train", driver=False, **environment):
        with tempfile.TemporaryDirectory() as folder:
            corpus = os.path.join(folder, "corpus.txt")
            with open(corpus, "w", encoding="utf-8") as file:
                file.write("a quick brown fox jumps over the lazy dog\n\n" * 40)
            spec = json.loads(json.dumps({**SPEC, "device": device, "kind": kind}))
            spec["data"]["train"] = {"path": corpus, "format": "text"}
            if kind == "evaluate":
                spec["accuracy"] = {"perplexity": {"path": corpus, "window": 16}}
                del spec["train"]
            job = {"assay_job": 1, "run": "0123456789abc", "run_folder": folder + "/run", "store_folder": folder + "/store", "attempt": 1, "resume": False, "spec": spec, "setups": []}
            with open(folder + "/job.json", "w", encoding="utf-8") as file:
                json.dump(job, file)
            settings = {k: v for k, v in os.environ.items() if k not in ("CUDA_VISIBLE_DEVICES", "ASSAY_CUDA_PLUGIN", "LOCAL_RANK", "LD_LIBRARY_PATH")}
            # A folder without a driver comes first too, so that a machine with a GPU gives the same answers.
            settings["LD_LIBRARY_PATH"] = FAKES + ("/driver" if driver else "/broken")
            done = subprocess.run([WORKER, "--job", folder + "/job.json"], capture_output=True, text=True, check=False, env={**settings, **environment}, timeout=120)
            self.code = done.returncode
            with open(folder + "/run/events.rank0.jsonl", encoding="utf-8") as file:
                events = [json.loads(line) for line in file]
            self.log = " | ".join(e.get("text", e.get("message", "")) for e in events if e.get("type") == "log")
            ends = [e for e in events if e.get("type") == "end"]
            self.outcome = ends[-1]["outcome"] if ends else "none: " + done.stderr
            self.error = (ends[-1].get("error") or {}) if ends else {}
            self.environment = {}
            if os.path.exists(folder + "/run/environment.json"):
                with open(folder + "/run/environment.json", encoding="utf-8") as file:
                    self.environment = json.load(file)


class Device(unittest.TestCase):
    def refused(self, run, message, hint="", code=2):
        self.assertEqual((run.code, run.outcome), (code, "failed"), run.error)
        self.assertIn(message, run.error["message"] + " " + " ".join(run.error.get("context", [])))
        self.assertIn(hint, run.error["hint"])

    def on_the_cpu(self, run, why):
        self.assertEqual((run.code, run.outcome), (0, "done"), run.error)
        self.assertIn("computes on the CPU: " + why, run.log)
        self.assertEqual((run.environment["device"], run.environment["gpus"]), ("cpu", []))

    def test_no_driver(self):
        self.refused(Run("cuda"), "device: cuda: this machine has no NVIDIA driver", "install NVIDIA's driver, or set device: cpu or auto")
        self.on_the_cpu(Run("auto"), "this machine has no NVIDIA driver")

    def test_cpu_asks_nobody(self):
        run = Run("cpu", driver=True, FAKE_CUDA_DEVICES="1")
        self.assertEqual((run.code, run.outcome), (0, "done"), run.error)
        self.assertIn("as device: cpu says", run.log)

    def test_a_driver_without_a_gpu(self):
        self.refused(Run("cuda", driver=True), "the NVIDIA driver finds no GPU", "nvidia-smi")
        self.refused(Run("cuda", driver=True, FAKE_CUDA_ERROR="100", CUDA_VISIBLE_DEVICES="7"), 'CUDA_VISIBLE_DEVICES is "7"')
        self.refused(Run("cuda", driver=True, FAKE_CUDA_ERROR="999"), "does not work: imaginary failure (CUDA error 999)")
        self.on_the_cpu(Run("auto", driver=True), "the NVIDIA driver finds no GPU")

    def test_more_ranks_than_gpus(self):
        for device in ("cuda", "auto"):  # one rank on the CPU among ranks on GPUs would not be a group
            self.refused(Run(device, driver=True, FAKE_CUDA_DEVICES="1", LOCAL_RANK="1"), "rank 1 of this machine has no GPU of its own: there is 1", "as many ranks")

    def test_no_plugin(self):
        gpu = {"driver": True, "FAKE_CUDA_DEVICES": "1", "ASSAY_CUDA_PLUGIN": "/nonexistent/libassay_cuda.so"}
        self.refused(Run("cuda", **gpu), "the CUDA plugin /nonexistent/libassay_cuda.so is not there", "packaging/dev build --cuda")
        self.on_the_cpu(Run("auto", **gpu), "the CUDA plugin /nonexistent/libassay_cuda.so is not there (make it with packaging/dev build --cuda")

    def test_what_is_no_plugin(self):
        gpu = {"driver": True, "FAKE_CUDA_DEVICES": "1"}
        self.refused(Run("cuda", **gpu, ASSAY_CUDA_PLUGIN=os.path.abspath(__file__)), "cannot be loaded", "packaging/dev build --cuda")
        self.refused(Run("cuda", **gpu, ASSAY_CUDA_PLUGIN=FAKES + "/driver/libcuda.so.1"), "is a library, but no plugin of Assay")
        self.refused(Run("cuda", **gpu, ASSAY_CUDA_PLUGIN=FAKE_PLUGIN, FAKE_CUDA_ABI="999"), "has interface version 999, this worker needs", "packaging/dev build --cuda")

    def test_a_driver_that_is_too_old(self):
        gpu = {"driver": True, "FAKE_CUDA_DEVICES": "1", "ASSAY_CUDA_PLUGIN": FAKE_PLUGIN}
        self.refused(Run("cuda", **gpu), "LibTorch's CUDA 0", "update NVIDIA's driver")
        self.on_the_cpu(Run("auto", **gpu), "the driver shows 1 GPUs")

    def test_other_kinds_say_that_they_compute_on_the_cpu(self):
        self.refused(Run("cuda", kind="evaluate", driver=True, FAKE_CUDA_DEVICES="1"), "a run of kind evaluate computes on the CPU in this build")

    @unittest.skipUnless(os.path.exists(PLUGIN) and "not found" not in subprocess.run(["ldd", PLUGIN], capture_output=True, text=True, check=False).stdout, "the plugin or its libraries are not here")
    def test_the_real_plugin_beside_a_driver_that_is_none(self):
        run = Run("auto", driver=True, FAKE_CUDA_DEVICES="1", ASSAY_CUDA_PLUGIN=PLUGIN)
        self.on_the_cpu(run, "the driver shows 1 GPUs, LibTorch's CUDA 0")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
