"""Every experiment file is valid; every technique has its claims, with a source, for exactly its variants."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXPERIMENTS = ROOT / "experiments"
TECHNIQUES = EXPERIMENTS / "techniques"
sys.path.insert(0, str(ROOT / "packaging/tasks/experiments"))
import table  # noqa: E402

CHECKED = {}


def checked(path: pathlib.Path) -> dict:
    """The document of `assay check`, once for each file."""
    if path not in CHECKED:
        with tempfile.TemporaryDirectory() as store:
            result = subprocess.run([BIN / "assay", "--store", store, "--json", "check", path], capture_output=True, text=True, check=False)
        CHECKED[path] = json.loads(result.stdout)
    return CHECKED[path]


def variants(path: pathlib.Path) -> list:
    """Their names, one a line under `variants:`."""
    _, _, below = path.read_text(encoding="utf-8").partition("\n  variants:\n")
    return [line.strip().partition(":")[0] for line in below.splitlines() if line.startswith("    ")]


class Files(unittest.TestCase):
    def test_every_file_is_valid(self):
        files = sorted(EXPERIMENTS.rglob("*.yaml"))
        self.assertGreaterEqual(len(files), 15)
        for path in files:
            with self.subTest(path.relative_to(ROOT)):
                # What has no line is what this build has no code for, no mistake of the file.
                self.assertEqual([problem for problem in checked(path)["problems"] if problem["line"]], [])

    def test_techniques_have_a_baseline_seeds_and_names(self):
        for path in sorted(TECHNIQUES.glob("*.yaml")):
            with self.subTest(path.name):
                self.assertGreaterEqual(len(variants(path)), 2)
                text = path.read_text(encoding="utf-8").splitlines()
                self.assertIn("extends: common/gpt.yaml", text)
                self.assertIn(f"name: {path.stem}", text)
                spec = checked(path)["resolved"]
                if spec is None:  # beyond this build; the others are looked at as Assay reads them
                    self.assertTrue(all("build" in problem["message"] for problem in checked(path)["problems"]))
                    continue
                self.assertEqual(list(spec["sweep"]["variants"]), variants(path))
                self.assertGreaterEqual(len(spec["seeds"]), 3)
                self.assertIn("techniques", spec["tags"])
                self.assertTrue(spec["data"]["eval"]["path"])

    def test_every_variant_has_its_claim_and_source(self):
        claims = json.loads((TECHNIQUES / "claims.json").read_text(encoding="utf-8"))
        self.assertEqual(sorted(claims), sorted(path.stem for path in TECHNIQUES.glob("*.yaml")))
        for name, said in claims.items():
            self.assertEqual(sorted(said["variants"]), sorted(variants(TECHNIQUES / f"{name}.yaml")[1:]), name)
            for variant, entry in said["variants"].items():
                with self.subTest(f"{name}: {variant}"):
                    self.assertTrue(entry["claim"])
                    self.assertTrue(entry.get("source", said.get("source")))
                    # Names of facts are known, and no figure of a measurement is written into a sentence.
                    known = table.facts(table.Measured(name, {"setups": [], "baseline": None}, [], {}), {"runs": []})
                    self.assertTrue(table.sentence(entry["why"], known))

    def test_the_readme_has_its_place_for_the_table(self):
        table.replaced((EXPERIMENTS / "README.md").read_text(encoding="utf-8"), "")


if __name__ == "__main__":
    BIN = pathlib.Path(sys.argv.pop(1))
    unittest.main()
