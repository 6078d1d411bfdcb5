"""Sizes, companions and words of the files in the tree."""
import re
import unittest

import tree

CEILING = 500  # lines; tables and kernels apart
EXEMPT = re.compile(r"(_tables?|_kernels|_avx2|_scalar)\.(cpp|h)$|^tests/fixtures/|^tests/golden/.*\.(txt|jsonl?)$")
LARGEST = 1 << 20  # bytes
PAGE = 90          # lines of a README
UNFINISHED = re.compile(r"\b(TO" r"DO|FIX" r"ME|X" r"XX)\b|not (yet )?implemen" r"ted", re.IGNORECASE)
SKIPPED = re.compile(r"GTEST_SK" r"IP|\bDISABLED" r"_\w")
SLEEPS = re.compile(r"sleep_f" r"or|sleep_un" r"til|\busle" r"ep\(|QTest::qW" r"ait\(|time\.sle" r"ep\(")
MACHINE = re.compile(r"(?<![\w.])/(work|root)/|/tmp/build-|pypi\.org|pythonhosted")


def matching(names, pattern):
    found = []
    for name in names:
        for number, line in enumerate(tree.text(name).splitlines(), 1):
            if pattern.search(line):
                found.append(f"{name}:{number}: {line.strip()[:100]}")
    return found


def own(*endings):
    return [name for name in tree.files() if name.endswith(endings) and name != "tests/structure/files_test.py"]


class Files(unittest.TestCase):
    def test_code_files_stay_small(self):
        long = []
        for name in own(*tree.CODE, *tree.SCRIPTS):
            lines = tree.text(name).count("\n")
            if lines > CEILING and not EXEMPT.search(name):
                long.append(f"{name}: {lines} lines")
        self.assertEqual(long, [])

    def test_no_file_is_heavy(self):
        self.assertEqual([name for name in tree.files() if (tree.ROOT / name).stat().st_size > LARGEST], [])

    def test_every_folder_explains_itself(self):
        folders = {"/".join(name.split("/")[:2]) for name in tree.sources("engine", "ui", "app")}
        folders |= {"packaging", "experiments", "tests"}
        folders |= {"/".join(name.split("/")[:2]) for name in tree.files() if re.match(r"experiments/\w+/", name)}
        missing = sorted(folder for folder in folders if not (tree.ROOT / folder / "README.md").is_file())
        self.assertEqual(missing, [])

    def test_readmes_are_a_page(self):
        # What a program writes between markers is its own.
        written = re.compile(r"<!-- \w+: begin.*?<!-- \w+: end -->", re.DOTALL)
        long = [name for name in own("README.md") if written.sub("", tree.text(name)).count("\n") > PAGE]
        self.assertEqual(long, [])

    def test_readme_opens_with_the_two_commands(self):
        opening = tree.text("README.md").split("\n## ")[0]
        self.assertIn("packaging/dev demo", opening)
        self.assertIn("packaging/dev test", opening)

    def test_nothing_is_left_unfinished(self):
        self.assertEqual(matching(own(*tree.CODE, *tree.SCRIPTS, "CMakeLists.txt"), UNFINISHED), [])

    def test_no_test_is_skipped_or_sleeps(self):
        tests = [name for name in own(*tree.CODE, ".py") if name.startswith("tests/")]
        self.assertEqual(matching(tests, SKIPPED), [])
        # The harness polls for conditions at an interval; a soak test kills at random moments.
        free = ("tests/support/harness.py", "tests/soak/")
        self.assertEqual(matching([name for name in tests if not name.startswith(free)], SLEEPS), [])

    def test_no_path_of_one_machine_is_written_down(self):
        kinds = (*tree.CODE, *tree.SCRIPTS, ".txt", ".md", ".json", ".yaml", "packaging/dev", ".ci/run")
        self.assertEqual(matching(own(*kinds), MACHINE), [])

    def test_scripts_stop_at_the_first_error(self):
        scripts = [name for name in tree.files() if name.endswith(".sh") or name in ("packaging/dev", ".ci/run")]
        self.assertIn("packaging/dev", scripts)
        sourced = [name for name in scripts if tree.text(name).startswith("# shellcheck shell=bash")]
        loose = [name for name in scripts if name not in sourced and "set -euo pipefail" not in tree.text(name)]
        self.assertEqual(loose, [])

    def test_the_contract_is_the_published_one(self):
        published = tree.ROOT.parent / "shared" / "design" / "CONTRACT.md"
        if published.is_file():
            self.assertEqual((tree.ROOT / "app/CONTRACT.md").read_bytes(), published.read_bytes())
        self.assertIn("## Command line", tree.text("app/CONTRACT.md"))


if __name__ == "__main__":
    unittest.main()
