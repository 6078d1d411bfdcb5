"""The .ts files hold what the sources say, translated, under names that the program looks up."""
import pathlib
import re
import subprocess
import tempfile
import unittest

import ts

LANGUAGES = ("en", "zh_CN")
CODE = [path for folder in ("ui", "app/studio") for path in (ts.ROOT / folder).rglob("*") if path.suffix in (".h", ".cpp")]


class Files(unittest.TestCase):
    maxDiff = None

    def test_every_language_of_the_window_has_a_file(self):
        listed = re.search(r"QStringList languages\(\) \{(.*)\}", (ts.ROOT / "ui/shell/language.cpp").read_text(encoding="utf-8")).group(1)
        self.assertEqual(sorted(re.findall(r'u?"(\w+)"', listed)), sorted(LANGUAGES))
        self.assertEqual(sorted(path.name for path in ts.FILES.glob("*.ts")), sorted(f"assay_{code}.ts" for code in LANGUAGES))

    def test_nothing_is_unfinished_or_vanished(self):
        for code in LANGUAGES:
            self.assertEqual([(m.source, m.state) for m in ts.language(code) if m.state or not all(m.forms)], [], code)

    def test_they_are_up_to_date_with_the_sources(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([ts.ROOT / "packaging/tasks/translate.sh", "--to", folder], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            for code in LANGUAGES:
                fresh = {m.key for m in ts.read(pathlib.Path(folder) / f"assay_{code}.ts")}
                kept = {m.key for m in ts.language(code)}
                self.assertEqual(sorted(fresh - kept), [], f"run packaging/dev translate and translate these into {code}")
                self.assertEqual(sorted(kept - fresh), [], f"run packaging/dev translate: these are gone from the sources ({code})")

    def test_english_holds_the_plurals_only(self):
        plurals = {m.key for m in ts.language("zh_CN") if m.numerus}
        self.assertGreater(len(plurals), 20)
        self.assertEqual({m.key for m in ts.language("en")}, plurals)

    # tr() of a class without Q_OBJECT, or of a function outside a class, is looked up under another name than it is collected.
    def test_every_name_is_one_the_program_asks_for(self):
        text = "\n".join(path.read_text(encoding="utf-8") for path in CODE)
        classes = set(re.findall(r"class (\w+)\b[^;{]*\{[^{}]*?Q_OBJECT", text))
        asked = set(re.findall(r'translate\("(\w+)"', text)) | {"QObject"}
        names = {m.context for m in ts.language("zh_CN")}
        self.assertIn("schema", names)
        strange = [name for name in names if name not in asked and not ("::" in name and name.rsplit("::", 1)[1] in classes)]
        self.assertEqual(sorted(strange), [])


if __name__ == "__main__":
    unittest.main()
