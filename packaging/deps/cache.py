#!/usr/bin/env python3
"""Keeps the cache outside the tree: LibTorch, CUDA parts and assets, each a folder with a stamp of its files.

  cache.py check CACHE GROUP...               exit 0 when every component is there; sizes and times are compared
  cache.py install [--verify] CACHE GROUP...  makes what is absent or damaged; --verify reads and hashes every file

A component is made in a staging folder, written to the disk, and renamed into place, so that a reader and an
interrupted run see all of it or nothing. The caller holds the lock for `install`.
"""
import hashlib
import json
import pathlib
import shutil
import subprocess
import sys

import dialogues
import kjv
import wheels
from wheels import Problem

HERE = pathlib.Path(__file__).resolve().parent
STAMP = ".assay-stamp.json"
LAYOUT = 1  # raise to make every cache anew
GENERATORS = {"dialogues": dialogues.generate, "kjv": kjv.generate}


def components(groups) -> dict:
    every = json.loads((HERE / "components.json").read_text())
    return {name: component for name, component in every.items() if component["group"] in groups}


def definition(component: dict) -> str:
    """Changes whenever the content that the component should have may have changed."""
    pins = wheels.pins()
    text = json.dumps([LAYOUT, component, [pins[wheels.distribution(wheel)[0]] for wheel in component.get("wheels", [])]], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def fault(cache: pathlib.Path, component: dict, full: bool) -> str:
    """What is wrong with the component in the cache; empty when nothing is."""
    folder = cache / component["folder"]
    try:
        stamp = json.loads((folder / STAMP).read_text())
        if stamp["definition"] != definition(component):
            return "another version is there"
        for name, size, time, digest in stamp["files"]:
            path = folder / name
            status = path.stat()
            if status.st_size != size:
                return f"{name} has another size"
            if full and wheels.digest_of(path) != digest:
                return f"{name} has other content"
            if not full and status.st_mtime_ns != time:
                return f"{name} was changed"
    except FileNotFoundError as error:
        return "it is not there" if not folder.exists() else f"{pathlib.Path(error.filename).name} is missing"
    except (OSError, ValueError, KeyError, TypeError) as error:
        return f"its stamp cannot be read ({error})"
    return ""


def write_stamp(folder: pathlib.Path, component: dict) -> None:
    files = []
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        status = path.stat()
        files.append([str(path.relative_to(folder)), status.st_size, status.st_mtime_ns, wheels.digest_of(path)])
    if not files:
        raise Problem(f"{component['folder']} came out empty")
    digests = {name: digest for name, _, _, digest in files}
    for name, digest in component.get("sha256", {}).items():
        if digests.get(name) != digest:
            raise Problem(f"{component['folder']}/{name} has SHA-256 {digests.get(name)}, expected {digest}; "
                          "the installed source package has another text")
    stamp = {"definition": definition(component), "files": files}
    (folder / STAMP).write_text(json.dumps(stamp))


def commit(staged: pathlib.Path, target: pathlib.Path) -> None:
    subprocess.run(["sync", "--file-system", staged], check=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    old = staged.with_suffix(".old")
    if target.exists():
        target.rename(old)
    staged.rename(target)
    subprocess.run(["sync", target.parent], check=True)
    shutil.rmtree(old, ignore_errors=True)


def make(cache: pathlib.Path, name: str, component: dict) -> None:
    staged = cache / "staging" / name
    staged.mkdir(parents=True)
    for wheel in component.get("wheels", []):
        wheels.unpack(wheels.download(wheel, cache / "download"), component, staged)
    if "generator" in component:
        GENERATORS[component["generator"]](staged)
    write_stamp(staged, component)
    commit(staged, cache / component["folder"])


def install(cache: pathlib.Path, groups, full: bool) -> None:
    shutil.rmtree(cache / "staging", ignore_errors=True)  # of a run that was interrupted
    for name, component in components(groups).items():
        why = fault(cache, component, full)
        if why:
            print(f"{component['folder']}: {why}; making it", file=sys.stderr)
            make(cache, name, component)
        elif full:
            print(f"{component['folder']}: whole", file=sys.stderr)
    for name in ("staging", "download"):  # wheels are kept only until all that need them are made
        shutil.rmtree(cache / name, ignore_errors=True)


def main() -> int:
    arguments = sys.argv[1:]
    full = "--verify" in arguments
    action, cache, *groups = [argument for argument in arguments if argument != "--verify"]
    cache = pathlib.Path(cache).resolve()
    if action == "check":
        return int(any(fault(cache, component, full) for component in components(groups).values()))
    install(cache, groups, full)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Problem as problem:
        sys.exit(f"packaging/dev deps: {problem}")
    except OSError as error:
        sys.exit(f"packaging/dev deps: {error}")
    except subprocess.CalledProcessError as error:
        sys.exit(f"packaging/dev deps: {error.cmd[0]} failed: {(error.stderr or b'').decode(errors='replace').strip()}")
    except KeyboardInterrupt:
        sys.exit(130)
