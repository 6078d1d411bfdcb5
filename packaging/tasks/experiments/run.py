#!/usr/bin/env python3
"""Runs what the store lacks and writes the table. See packaging/tasks/experiments.sh."""
import argparse
import json
import os
import pathlib
import sys
import time

import table
from program import Assay, Problem


def gigabytes(value) -> str:
    return "memory unknown" if not value else f"{value / 1e9:.0f} GB of memory"


def machine_of(assay: Assay, comparison: dict) -> dict:
    """Where the runs of a comparison ran, as the first of them says."""
    runs = [run for setup in comparison["setups"] for run in setup["runs"]]
    environment = (assay.ask("runs", "show", runs[0]).get("environment") or {}) if runs else {}
    cpu = environment.get("cpu") or {}
    return {"cpu": cpu.get("model") or "an unknown processor", "cores": str(cpu.get("cores") or "?"), "memory": gigabytes(environment.get("memory_bytes")), "os": environment.get("os") or "unknown system",
            "version": environment.get("version") or "?", "libtorch": environment.get("libtorch") or "?"}


def measure(assay: Assay, path: pathlib.Path, may_run: bool) -> table.Measured:
    resolved = assay.checked(path)
    run = assay.newest(resolved["name"], resolved)
    if run is None:
        if not may_run:
            raise Problem("the store holds no finished run of this file")
        print(f"{path.stem}: running", file=sys.stderr)
        assay.ask("plan", str(path))  # calibrates this machine once, so that the run's own plan need not
        start = time.monotonic()
        run = assay.run(path)
        print(f"{path.stem}: {time.monotonic() - start:.0f} s", file=sys.stderr)
    comparison = assay.ask("compare", run)
    rows = assay.ask("runs", "list", "--where", "tag = techniques")["runs"]
    measured = table.Measured(path.stem, comparison, rows, machine_of(assay, comparison), assay.ask("runs", "show", run).get("plan"))
    if not measured.setups():
        raise Problem(f"run {run} measured no held-out loss")
    return measured


def write_whole(path: pathlib.Path, text: str) -> None:
    staged = path.with_name(f".{path.name}.new")
    staged.write_text(text, encoding="utf-8")
    os.replace(staged, path)


def main() -> int:
    parser = argparse.ArgumentParser(prog="packaging/dev experiments", description="runs the experiments of experiments/techniques and writes their table")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these are run; the table keeps what the store holds of the others")
    parser.add_argument("--table", action="store_true", help="run nothing")
    for option in ("assay", "store", "folder", "readme"):
        parser.add_argument(f"--{option}", required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    folder, readme = pathlib.Path(options.folder), pathlib.Path(options.readme)
    claims = json.loads((folder / "claims.json").read_text(encoding="utf-8"))
    files = {path.stem: path for path in sorted(folder.glob("*.yaml"))}
    for name in options.names:
        if name not in files:
            parser.error(f"there is no {folder.name}/{name}.yaml; there are: {', '.join(files)}")
    for name in files:
        if name not in claims:
            raise Problem(f"{folder.name}/claims.json says nothing of {name}")
    old = readme.read_text(encoding="utf-8")
    table.replaced(old, "")  # before hours of work
    assay, all_measured, missing = Assay(options.assay, options.store), [], {}
    for name, path in files.items():
        try:
            all_measured.append(measure(assay, path, not options.table and (not options.names or name in options.names)))
        except Problem as problem:
            missing[name] = str(problem)
            print(f"{name}: {problem}", file=sys.stderr)
    if not all_measured:
        raise Problem("nothing was measured, so the table stays as it is")
    text = table.replaced(old, table.page(all_measured, claims, missing))
    if text != old:
        write_whole(readme, text)
    print(f"{readme.name}: {len(all_measured)} of {len(files)} techniques, {'written' if text != old else 'unchanged'}", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (Problem, ValueError, KeyError, OSError) as problem:
        sys.exit(f"packaging/dev experiments: {problem}")
    except KeyboardInterrupt:
        sys.exit(130)
