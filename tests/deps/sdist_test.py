"""What packaging/deps takes out of source distributions, and what it refuses. Archives are made here, good and hostile."""
import io
import pathlib
import sys
import tarfile
import tempfile
import unittest

sys.path.insert(0, sys.argv.pop(1))
import sdist
import wheels

COMPONENT = {"keep": ["inside/*"], "drop": ["*.py"], "strip": "inside/"}


def entry(name, size=0, kind=tarfile.REGTYPE, link=""):
    info = tarfile.TarInfo(name)
    info.size, info.type, info.linkname, info.mtime = size, kind, link, 1_000_000_000
    return info


class Sdist(unittest.TestCase):
    def setUp(self):
        work = tempfile.TemporaryDirectory()
        self.addCleanup(work.cleanup)
        self.work = pathlib.Path(work.name).resolve()
        self.out = self.work / "out"
        self.out.mkdir()

    def unpack(self, *entries):
        path = self.work / "thing-1.tar.gz"
        with tarfile.open(path, "w:gz") as archive:
            for info in entries:
                archive.addfile(info, io.BytesIO(b"x" * info.size))
        wheels.unpack(path, COMPONENT, self.out)
        return sorted(str(p.relative_to(self.out)) for p in self.out.rglob("*") if p.is_file())

    def refused(self, text, *entries):
        with self.assertRaisesRegex(wheels.Problem, text):
            self.unpack(*entries)
        self.assertEqual(list(self.out.rglob("*")), [])
        self.assertEqual({p.name for p in self.work.iterdir()}, {"out", "thing-1.tar.gz"})

    def test_wanted_members_only_with_their_times(self):
        files = self.unpack(entry("thing-1", kind=tarfile.DIRTYPE), entry("thing-1/inside/a.txt", 5), entry("thing-1/inside/deep/b", 0),
                            entry("thing-1/inside/c.py", 1), entry("thing-1/setup.py", 1))
        self.assertEqual(files, ["a.txt", "deep/b"])
        self.assertEqual((self.out / "a.txt").read_bytes(), b"xxxxx")
        self.assertEqual((self.out / "a.txt").stat().st_mtime, 1_000_000_000)

    def test_paths_that_leave_the_folder(self):
        for name in ("thing-1/inside/../../../evil", "/thing-1/inside/evil", "../thing-1/inside/evil", "thing-1/inside/..\\evil"):
            self.refused("leaves its folder", entry("thing-1/inside/good", 1), entry(name, 1))

    def test_links_and_devices(self):
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE):
            self.refused("link or no plain file", entry("thing-1/inside/good", 1), entry("thing-1/inside/l", kind=kind, link="/etc/passwd"))

    def test_sizes(self):
        large = self.work / "large-1.tar.gz"
        with tarfile.open(large, "w:gz") as archive:  # the header alone says it
            archive.fileobj.write(entry("large-1/inside/a", sdist.MOST_BYTES + 1).tobuf())
        with self.assertRaisesRegex(wheels.Problem, "more than"):
            wheels.unpack(large, COMPONENT, self.out)
        large.unlink()
        self.refused("more than", *(entry(f"thing-1/inside/{i}") for i in range(sdist.MOST_MEMBERS + 1)))

    def test_broken_archives(self):
        path = self.work / "cut-1.tar.gz"
        with tarfile.open(path, "w:gz") as archive:
            archive.addfile(entry("cut-1/inside/a", 200_000), io.BytesIO(bytes(i * i % 251 for i in range(200_000))))
        whole = path.read_bytes()
        for broken in (b"", b"no archive", whole[: len(whole) // 2]):
            path.write_bytes(broken)
            with self.assertRaisesRegex(wheels.Problem, "no whole tar.gz"):
                wheels.unpack(path, COMPONENT, self.out)

    def test_only_our_backend_is_asked(self):
        place = self.work / "backend"
        place.mkdir()
        environment = sdist.backend("some-thing", "2.0", place)
        self.assertEqual(environment, {"PYTHONPATH": str(place)})
        names = {}
        exec((place / "setuptools/build_meta.py").read_text(), names)
        self.assertEqual(names["prepare_metadata_for_build_wheel"](str(self.out)), "some_thing-2.0.dist-info")
        self.assertEqual((self.out / "some_thing-2.0.dist-info/METADATA").read_text(), "Metadata-Version: 2.1\nName: some-thing\nVersion: 2.0\n")


if __name__ == "__main__":
    unittest.main()
