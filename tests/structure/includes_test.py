"""Which folder may include what: the layers of the architecture, seen in the #include lines."""
import re
import unittest

import tree

TORCH = re.compile(r"^((torch|ATen|c10|caffe2)/|assay/torch\.h$)")
ARROW = re.compile(r"^(arrow|parquet)/")
QT = re.compile(r"^Q[A-Z]\w*(/|$)|^Qt[A-Z]\w*/")
WIDGETS = re.compile(r"^(QtWidgets/|QWidget|QApplication|QDialog|QMainWindow)")
WITH_TORCH = ("engine/nn", "engine/dist", "engine/train", "engine/infer", "app/worker",
              "tests/nn", "tests/dist", "tests/train", "tests/infer", "tests/worker", "tests/probe", "tests/gpu",
              "tests/bench", "tests/golden", "tests/support", "packaging/cmake/torch")
WITHOUT_QT = ("engine/core", "engine/config", "engine/protocol", "engine/store", "engine/runtime", "engine/model",
              "engine/data", "engine/plan", "engine/report", "engine/nn", "engine/dist", "engine/train", "engine/infer",
              "app/worker")


def offenders(names, pattern):
    return [f"{name}: <{include}>" for name in names for include in tree.includes(name) if pattern.match(include)]


class Includes(unittest.TestCase):
    def test_the_tree_was_found(self):
        self.assertGreater(len(tree.sources("engine/core")), 10)

    def test_torch_stays_with_the_worker(self):
        free = [name for name in tree.sources() if not name.startswith(tuple(f + "/" for f in WITH_TORCH))]
        self.assertEqual(offenders(free, TORCH), [])

    def test_arrow_stays_in_its_library(self):
        self.assertEqual(offenders([name for name in tree.sources() if not name.startswith("engine/data/columnar/arrow/")], ARROW), [])

    def test_the_arrow_library_knows_only_the_border(self):
        known = re.compile(r"^(arrow|parquet)/|^columnar/columnar\.h$|^assay/core/error\.h$|^[a-z_]+(\.h)?$")
        wrong = [f"{name}: <{include}>" for name in tree.sources("engine/data/columnar/arrow") for include in tree.includes(name) if not known.match(include)]
        self.assertEqual(wrong, [])

    def test_qt_stays_with_sockets_and_windows(self):
        self.assertEqual(offenders(tree.sources(*WITHOUT_QT), QT), [])

    def test_models_and_presenters_know_no_widgets(self):
        self.assertEqual(offenders(tree.sources("ui/models", "ui/presenters"), WIDGETS), [])

    def test_the_standard_regex_is_not_used(self):
        # its recursion overflows the stack on long input
        self.assertEqual(offenders(tree.sources(), re.compile(r"^regex$")), [])

    def test_folders_include_only_what_their_target_links(self):
        wrong = []
        for name in tree.sources("engine", "ui", "app"):
            top, folder = name.split("/")[:2]
            row = "assay_commands" if (top, folder) == ("app", "cli") else f"assay_{folder}"
            allowed = {link.removeprefix("assay_") for link in tree.allowed_links().get(row, ())}
            if top in ("engine", "ui"):
                allowed.add(folder)
            for include in tree.includes(name):
                parts = include.split("/")
                if include == "assay/torch.h":  # the door to LibTorch, see packaging/cmake/torch
                    parts[1] = "torch_import"
                if parts[0] == "assay" and parts[1] not in allowed:
                    wrong.append(f"{name}: <{include}>")
        self.assertEqual(wrong, [])


if __name__ == "__main__":
    unittest.main()
