"""The target graph that CMake makes, compared with targets.txt.

Usage: targets_test.py [CMAKE [CONFIGURE OPTION...]]
"""
import re
import subprocess
import sys
import tempfile
import unittest

import tree

CONFIGURE = sys.argv[1:] or ["cmake"]
EDGE = re.compile(r"// (\S+) -> (\S+)$", re.MULTILINE)
TORCH_USERS = {"assay_nn", "assay_dist", "assay_train", "assay_infer", "assay_worker", "assay_cuda", "assay_torch_pch"}
QT_USERS = {"assay_server", "assay_client", "assay_engine", "assay_commands", "assay_cli", "assay_style", "assay_models", "assay_presenters",
            "assay_charts", "assay_widgets", "assay_print", "assay_pages", "assay_shell", "assay_studio"}
IMPORTS = {"assay_torch_import", "assay_cuda_import", "assay_arrow_import"}  # stand for libraries from outside
RESOURCES = re.compile(r"assay_\w+_resources_\d+")  # made by qt_add_resources: generated parts of their library
# Edges of code generation, of the shared precompiled header and of a library that is loaded at run time, no links.
TOOLS = {"Qt6::moc", "Qt6::rcc", "Qt6::lrelease", "assay_torch_pch", "assay_arrow"}


def graph() -> dict:
    with tempfile.TemporaryDirectory() as folder:
        result = subprocess.run([CONFIGURE[0], "-G", "Ninja", "-S", str(tree.ROOT), "-B", folder + "/build",
                                 f"--graphviz={folder}/graph.dot", "-DASSAY_TESTS=OFF", *CONFIGURE[1:]],
                                capture_output=True, text=True, check=False)
        if result.returncode:
            raise RuntimeError(result.stderr)
        with open(folder + "/graph.dot", encoding="utf-8") as file:
            edges = EDGE.findall(file.read())
    links = {}
    for source, target in edges:
        if target in TOOLS or RESOURCES.fullmatch(source) or RESOURCES.fullmatch(target):
            continue
        # A library file of the wheel stands for LibTorch.
        target = "assay_torch_import" if "libtorch" in target or "libc10" in target else target
        target = "assay_arrow_import" if "libarrow.so" in target or "libparquet.so" in target else target
        links.setdefault(source, set()).add(target)
    return {name: found for name, found in links.items() if name.startswith("assay_") and name not in IMPORTS}


def reach(links: dict, start: str) -> set:
    found, waiting = set(), [start]
    while waiting:
        for target in links.get(waiting.pop(), ()):
            if target not in found:
                found.add(target)
                waiting.append(target)
    return found


class Targets(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.links = graph()

    def test_every_library_is_in_the_graph(self):
        self.assertIn("assay_core", self.links)

    def test_targets_link_only_what_the_list_allows(self):
        allowed = tree.allowed_links()
        self.assertEqual(sorted(set(self.links) - set(allowed)), [], "targets without a row in targets.txt")
        extra = [f"{name} -> {link}" for name, found in self.links.items() for link in sorted(found - allowed[name])]
        self.assertEqual(extra, [], "links without permission in targets.txt")

    def test_the_list_has_no_cycle(self):
        allowed = tree.allowed_links()
        self.assertEqual([name for name in allowed if name in reach(allowed, name)], [])

    def test_libtorch_is_reached_by_the_worker_alone(self):
        users = {name for name in self.links if "assay_torch_import" in reach(self.links, name)}
        self.assertEqual(users - TORCH_USERS, set())

    def test_arrow_is_reached_by_its_library_alone(self):
        self.assertEqual({name for name in self.links if "assay_arrow_import" in reach(self.links, name)}, {"assay_arrow"})

    def test_qt_is_reached_by_socket_ends_and_windows_alone(self):
        users = {name for name in self.links if any(link.startswith("Qt6::") for link in reach(self.links, name))}
        self.assertEqual(users - QT_USERS, set())

    def test_sqlite_is_reached_by_the_engine_alone(self):
        users = {name for name in self.links if any("sqlite" in link.lower() for link in reach(self.links, name))}
        self.assertEqual(users - {"assay_store", "assay_runtime", "assay_server", "assay_engine"}, set())


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
