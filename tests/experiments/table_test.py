"""The table from prepared documents: expected figures by arithmetic."""
import contextlib
import io
import json
import math
import pathlib
import stat
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging/tasks/experiments"))
import figures  # noqa: E402
import run  # noqa: E402
import table  # noqa: E402

MACHINE = {"cpu": "Example CPU", "cores": "2", "memory": "24 GB of memory", "os": "Example OS", "version": "0.1", "libtorch": "2.11"}
CLAIMS = {"demo": {"title": "Demo", "what": "What it is about.", "source": "Someone 2020",
                   "variants": {"small": {"claim": "memory −70 %", "why": "{optimizer} instead of {base_optimizer}, {base_optimizer_share} of the peak."}}}}


def difference(values):
    """As engine/report makes it: mean, standard error, 95 % interval of Student's t with two degrees of freedom."""
    mean = sum(values) / len(values)
    error = math.sqrt(sum((v - mean) ** 2 for v in values) / (len(values) - 1) / len(values))
    return {"mean": mean, "se": error, "low": mean - 4.303 * error, "high": mean + 4.303 * error, "seeds": len(values), "separable": abs(mean) > 4.303 * error}


def setup(name, losses, peak, step, differences):
    mean = sum(losses) / 3
    error = math.sqrt(sum((v - mean) ** 2 for v in losses) / 2 / 3)
    return {"id": f"{name}/fp32", "name": name, "runs": [f"{name}{seed}" for seed in (1, 2, 3)], "seeds": 3, "comparable": True,
            "accuracy": {"eval_loss": mean, "eval_loss_se": error, "bits_per_byte": None}, "speed": {"train_step_ms": step, "train_tokens_per_s": 768000 / step},
            "bytes": {"train_peak": peak}, "cost": {"usd_per_run": 0.0001}, "differences": differences}


def documents():
    """Losses 2.0, 2.1, 2.2 and 2.1, 2.22, 2.34; 30 and 20 MB; 50 and 49 ms."""
    small = {"accuracy.eval_loss": difference([0.10, 0.12, 0.14]), "bytes.train_peak": difference([-10e6] * 3), "speed.train_step_ms": difference([-10, 5, 2]), "cost.usd_per_run": difference([0, 0, 0])}
    comparison = {"baseline": "plain/fp32", "x": "bytes.train_peak", "y": "accuracy.eval_loss", "warnings": [],
                  "setups": [setup("plain", [2.0, 2.1, 2.2], 30e6, 50, {}), setup("small", [2.1, 2.22, 2.34], 20e6, 49, small)]}
    rows = []
    for name, peak, optimizer in (("plain", 30e6, 6e6), ("small", 20e6, 3e6)):
        rows += [{"id": f"{name}{seed}", "created_at": f"2026-01-0{seed}T10:00:00Z", "summary": {"system/tensor_bytes_peak": peak, "memory/optimizer_bytes": optimizer}} for seed in (1, 2, 3)]
    return comparison, rows


class Table(unittest.TestCase):
    def page(self, **changes):
        comparison, rows = documents()
        comparison.update(changes)
        return table.page([table.Measured("demo", comparison, rows, MACHINE)], CLAIMS, {})

    def row(self, page, start):
        found = [line for line in page.splitlines() if line.startswith(f"| {start}")]
        self.assertEqual(len(found), 1, page)
        return [cell.strip() for cell in found[0].strip("|").split(" | ")]

    def test_the_rows(self):
        page = self.page()
        base = self.row(page, "**plain**")
        self.assertEqual(base, ["**plain** (baseline)", "30.0 MB", "50.0 ms", "15,400", "2.100 ± 0.100", "", "0.010 ¢", "", ""])
        small = self.row(page, "small")
        self.assertEqual(small[1], "20.0 MB, −33.3 %")
        self.assertEqual(small[2], "49.0 ms, not separable")
        self.assertEqual(small[3], "15,700")
        self.assertEqual(small[4], "2.220 ± 0.120")  # deviation over the seeds: 0.12, 0, 0.12 around the mean
        self.assertEqual(small[5], "+0.120 ± 0.012")  # 0.02 / √3 = 0.0115
        self.assertEqual(small[6], "0.010 ¢, the same")
        self.assertEqual(small[7], "memory −70 % (Someone 2020)")
        self.assertEqual(small[8], "3.00 MB instead of 6.00 MB, 20 % of the peak.")

    def test_the_plan_beside_the_measurement(self):
        comparison, rows = documents()
        for row in rows:
            row["summary"]["train/step_seconds"] = 0.050
        stage = lambda name, peak, seconds: {"name": name, "kind": "train", "memory": {"peak_bytes": peak}, "step_seconds": seconds}
        plan = {"stages": [stage("demo/plain/seed-1", 33e6, 0.040), stage("demo/small/seed-1", 20e6, 0.055), {"name": "x", "kind": "evaluate"}]}
        page = table.page([table.Measured("demo", comparison, rows, MACHINE, plan)], CLAIMS, {})
        self.assertIn("| demo | plain | 33.0 MB | 30.0 MB | +10.0 % | 40.0 ms | 50.0 ms | −20.0 % |", page)
        self.assertIn("| demo | small | 20.0 MB | 20.0 MB | +0.0 % | 55.0 ms | 50.0 ms | +10.0 % |", page)
        self.assertIn("Peak of tensor bytes: median error 5.0 %, largest 10.0 %; step: median error 15.0 %, largest 20.0 %.", page)
        self.assertNotIn("What the plan had said", self.page())

    def test_the_machine_stands_above(self):
        page = self.page()
        self.assertTrue(page.startswith("Measured on Example CPU, 2 cores, 24 GB of memory, Example OS; Assay 0.1, LibTorch 2.11; 2026-01-03."), page[:200])
        self.assertIn("Energy was not measured", page)

    def test_energy_where_it_was_measured(self):
        comparison, rows = documents()
        for row in rows:
            row["summary"]["cost/energy_joules"] = 61.25
        page = table.page([table.Measured("demo", comparison, rows, MACHINE)], CLAIMS, {})
        self.assertIn("| 61.2 J |", page)
        self.assertNotIn("Energy was not measured", page)

    def test_what_cannot_be_compared_is_said(self):
        comparison, rows = documents()
        comparison["setups"][1]["comparable"] = False
        comparison["warnings"] = ["small: another text"]
        page = table.page([table.Measured("demo", comparison, rows, MACHINE)], CLAIMS, {})
        self.assertEqual(self.row(page, "small")[5], "not comparable")
        self.assertIn("Assay warns: small: another text.", page)

    def test_missing_experiments_have_a_place(self):
        comparison, rows = documents()
        page = table.page([table.Measured("demo", comparison, rows, MACHINE)], CLAIMS | {"late": {"title": "Late"}}, {"late": "no such machine"})
        self.assertIn("### Late", page)
        self.assertIn("not measured: no such machine", page)

    def test_a_fact_that_was_not_measured(self):
        self.assertEqual(table.sentence("{a} here", {"a": "not measured"}), "not measured here")
        with self.assertRaises(KeyError):
            table.sentence("{speed} here", {"a": "1"})

    def test_figures(self):
        self.assertEqual(figures.significant(1234.6, 3), "1,235")
        self.assertEqual(figures.significant(0.0012345, 2), "0.0012")
        self.assertEqual(figures.significant(-51.26, 3), "−51.3")
        self.assertEqual(figures.bytes_text(None), "—")
        self.assertEqual(figures.percent(0.123), "+12.3 %")
        self.assertEqual(figures.gap(difference([0.01, -0.01, 0.01])), "not separable (+0.003 ± 0.007)")
        self.assertEqual(figures.gap(difference([0, 0, 0])), "the same")
        self.assertEqual(figures.spread(2.5, None, 1), "2.500")

    def test_the_page_goes_between_the_markers_and_nowhere_else(self):
        readme = f"a\n{table.BEGIN}\nold\n{table.END}\nb\n"
        new = table.replaced(readme, "new\n")
        self.assertEqual(new, f"a\n{table.BEGIN}\nnew\n{table.END}\nb\n")
        self.assertEqual(table.replaced(new, "new\n"), new)
        for broken in ("a", f"{table.END}\n{table.BEGIN}", readme + table.BEGIN):
            with self.assertRaises(ValueError):
                table.replaced(broken, "new\n")


# A stand-in for `assay` that answers from a folder and notes what it was asked to run.
PROGRAM = """#!{python}
import json, pathlib, sys
here = pathlib.Path(__file__).parent
words = sys.argv[4:]
done = here / "ran"
if words[0] == "check":
    print(json.dumps({{"ok": True, "problems": [], "resolved": {{"name": "demo", "text": pathlib.Path(words[1]).read_text()}}}}))
elif words[0] == "run":
    done.write_text(pathlib.Path(words[1]).read_text())
    with open(here / "log", "a") as log:
        log.write("run\\n")
    print(json.dumps({{"run": "r", "status": "done"}}))
elif words[:2] == ["runs", "list"] and "--parents-only" in words:
    print(json.dumps({{"runs": [{{"id": "r"}}] if done.exists() else []}}))
elif words[:2] == ["runs", "list"]:
    print((here / "rows.json").read_text())
elif words[:2] == ["runs", "show"]:
    print(json.dumps({{"spec": {{"name": "demo", "text": done.read_text()}}, "environment": {{"cpu": {{"model": "Example CPU", "cores": 2}}, "memory_bytes": 24e9, "os": "Example OS", "version": "0.1", "libtorch": "2.11"}}}}))
elif words[0] == "plan":
    print(json.dumps({{"stages": []}}))
elif words[0] == "compare":
    print((here / "comparison.json").read_text())
"""


class Command(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        comparison, rows = documents()
        (self.folder / "comparison.json").write_text(json.dumps(comparison))
        (self.folder / "rows.json").write_text(json.dumps({"runs": rows}))
        (self.folder / "assay").write_text(PROGRAM.format(python=sys.executable))
        (self.folder / "assay").chmod(stat.S_IRWXU)
        self.files = self.folder / "techniques"
        self.files.mkdir()
        (self.files / "demo.yaml").write_text("one")
        (self.files / "claims.json").write_text(json.dumps(CLAIMS))
        self.readme = self.folder / "README.md"
        self.readme.write_text(f"{table.BEGIN}\n{table.END}\n")

    def call(self, *arguments):
        sys.argv = ["run", "--assay", str(self.folder / "assay"), "--store", str(self.folder), "--folder", str(self.files), "--readme", str(self.readme), *arguments]
        with contextlib.redirect_stderr(io.StringIO()) as said:
            code = run.main()
        return code, said.getvalue()

    def ran(self):
        log = self.folder / "log"
        return log.read_text().count("run") if log.exists() else 0

    def test_twice_is_one_run_and_one_table(self):
        self.assertEqual(self.call()[0], 0)
        first = self.readme.read_text()
        self.assertIn("20.0 MB, −33.3 %", first)
        code, said = self.call()
        self.assertEqual((code, self.ran()), (0, 1))
        self.assertIn("unchanged", said)
        self.assertEqual(self.readme.read_text(), first)
        (self.files / "demo.yaml").write_text("two")  # another experiment under the same name
        self.call()
        self.assertEqual(self.ran(), 2)

    def test_the_table_alone_runs_nothing(self):
        with self.assertRaises(run.Problem):
            self.call("--table")
        self.assertEqual(self.ran(), 0)
        self.assertEqual(self.readme.read_text(), f"{table.BEGIN}\n{table.END}\n", "what was there stays")


if __name__ == "__main__":
    unittest.main()
