"""The files of the source tree, for the tests of its structure."""
import functools
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
CODE = (".h", ".cpp")
SCRIPTS = (".py", ".sh", ".cmake")
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)


@functools.cache
def files() -> tuple:
    """Paths relative to the root of all files that belong to the tree, ignored ones apart."""
    listing = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                             capture_output=True, check=False)
    if listing.returncode == 0:
        names = [name for name in listing.stdout.decode().split("\0") if name]
    else:  # an exported tree, or one that belongs to another user
        names = [str(path.relative_to(ROOT)) for path in ROOT.rglob("*")]
        names = [name for name in names if not name.startswith(("build/", ".git/", ".cache/")) and "__pycache__" not in name]
    return tuple(sorted(name for name in set(names) if (ROOT / name).is_file()))


def sources(*folders: str) -> list:
    """C++ files under the given folders (all by default)."""
    return [name for name in files() if name.endswith(CODE) and (not folders or name.startswith(tuple(f + "/" for f in folders)))]


@functools.cache
def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8", errors="replace")


@functools.cache
def includes(name: str) -> tuple:
    return tuple(INCLUDE.findall(text(name)))


@functools.cache
def allowed_links() -> dict:
    """targets.txt: target -> the targets and libraries it may link."""
    rows = {}
    for line in text("tests/structure/targets.txt").splitlines():
        if line.strip() and not line.startswith("#"):
            target, _, links = line.partition(":")
            rows[target.strip()] = set(links.split())
    return rows
