"""The command on a real store: two variants and two seeds of a tiny training; the table's figures follow by arithmetic from
what each run says of itself, and a second call runs nothing."""
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TASK = ROOT / "packaging/tasks/experiments"
sys.path.insert(0, str(TASK))
import figures  # noqa: E402
import table  # noqa: E402

SPEC = """
kind: train
name: tiny
seeds: [1, 2]
tags: [techniques]
data: {train: {path: text.txt}, eval: {path: text.txt, split: hash 20%}, tokenizer: bytes, sequence_length: 16, workers: 1}
model: {from: {family: gpt2, layers: 1, hidden: 16, heads: 2, context: 16}}
train: {steps: 4, global_batch: 4, optimizer: {lr: 1e-2}}
cost: {price: {usd_per_hour: 0.08}}
sweep:
  variants:
    plain:
    one by one: {train.micro_batch: 1}
"""
CLAIMS = {"tiny": {"title": "Tiny", "what": "A test.", "source": "Nobody", "variants": {"one by one": {"claim": "less memory", "why": "{activations} instead of {base_activations}."}}}}


class Store(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        (self.folder / "files").mkdir()
        (self.folder / "files/text.txt").write_text("".join(f"Line {i} of the text says {i * i} and no more.\n" for i in range(300)))
        (self.folder / "files/tiny.yaml").write_text(SPEC)
        (self.folder / "files/claims.json").write_text(json.dumps(CLAIMS))
        self.readme = self.folder / "README.md"
        self.readme.write_text(f"{table.BEGIN}\n{table.END}\n")
        self.store = self.folder / "store"
        self.addCleanup(self.assay, "engine", "stop")

    def assay(self, *arguments):
        result = subprocess.run([BIN / "assay", "--store", self.store, "--json", *arguments], capture_output=True, text=True, check=False)
        return json.loads(result.stdout)

    def call(self):
        result = subprocess.run([sys.executable, "-B", TASK / "run.py", "--assay", BIN / "assay", "--store", self.store, "--folder", self.folder / "files", "--readme", self.readme],
                                capture_output=True, text=True, check=False, env=os.environ | {"XDG_CACHE_HOME": str(self.folder / "cache")})
        self.assertEqual(result.returncode, 0, result.stderr)
        return self.readme.read_text()

    def test_the_table_of_a_real_store(self):
        first = self.call()
        runs = self.assay("runs", "list")["runs"]
        seeds = [row for row in runs if row["role"] == "seed"]
        self.assertEqual(len(seeds), 4)
        # Variants take turns: seed 1 of both, then seed 2 of both.
        order = [row["name"] for row in sorted(seeds, key=lambda row: row["started_at"])]
        self.assertEqual(order, ["tiny/plain/seed-1", "tiny/one by one/seed-1", "tiny/plain/seed-2", "tiny/one by one/seed-2"])
        of = {row["name"]: row["summary"] for row in seeds}

        def values(variant, metric):
            return [of[f"tiny/{variant}/seed-{seed}"][metric] for seed in (1, 2)]

        plain, small = (statistics.mean(values(variant, "system/tensor_bytes_peak")) for variant in ("plain", "one by one"))
        self.assertLess(small, plain)
        line = [line for line in first.splitlines() if line.startswith("| one by one ")]
        self.assertEqual(len(line), 1, first)
        cells = [cell.strip() for cell in line[0].strip("|").split(" | ")]
        self.assertTrue(cells[1].startswith(f"{figures.bytes_text(small)}, {figures.percent(small / plain - 1)}"), cells[1])
        losses = values("one by one", "eval/loss")
        self.assertEqual(cells[4], f"{statistics.mean(losses):.3f} ± {statistics.stdev(losses):.3f}")
        apart = [a - b for a, b in zip(losses, values("plain", "eval/loss"))]
        error = statistics.stdev(apart) / math.sqrt(2)
        self.assertIn(f"{statistics.mean(apart):+.3f} ± {error:.3f}".replace("-", "−"), cells[5] if cells[5] != "the same" else "+0.000 ± 0.000 −0.000 ± 0.000")
        self.assertEqual(cells[8], f"{figures.bytes_text(statistics.mean(values('one by one', 'memory/activations_bytes')))} instead of "
                                   f"{figures.bytes_text(statistics.mean(values('plain', 'memory/activations_bytes')))}.")
        self.assertEqual(self.call(), first)
        self.assertEqual(len(self.assay("runs", "list")["runs"]), len(runs), "a second call runs nothing")


if __name__ == "__main__":
    BIN = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
