"""No class of Gloo may be defined by our own object code.

The headers of Debian's libgloo-dev declare fewer virtual functions than the Gloo inside LibTorch has; a virtual table
that our compiler emitted would be too short for the library. Uses of the library's own tables are fine.

Usage: gloo_vtables_test.py BUILD_FOLDER
"""
import pathlib
import re
import subprocess
import sys
import unittest

BUILD = pathlib.Path(sys.argv[1])
EMITTED = re.compile(r" [A-TV-Zv] vtable for (gloo::\S*|c10d::GlooStore|c10d::ProcessGroupGloo::GlooStore)")


def emitted(path) -> list:
    names = subprocess.run(["nm", "-C", str(path)], capture_output=True, text=True, check=True).stdout
    return [f"{path.name}: {match.group(1)}" for match in EMITTED.finditer(names)]


class GlooVtables(unittest.TestCase):
    def test_none_is_ours(self):
        places = [*BUILD.glob("engine/*/libassay_*.a"), *BUILD.glob("bin/assay-worker")]
        self.assertIn("libassay_dist.a", [path.name for path in places])
        self.assertEqual([name for path in places for name in emitted(path)], [])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
