#!/usr/bin/env python3
"""Writes the pieces of syntax.py and some conversations as seeds of the fuzz target: fuzz_seeds.py FOLDER."""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from conversations import ALL  # noqa: E402
from syntax import EXPRESSIONS, TEMPLATES, VARIABLES  # noqa: E402

folder = pathlib.Path(sys.argv[1])
cases = [json.dumps({**VARIABLES, **more}) for more in ALL.values()]
sources = TEMPLATES + ["{{ " + e + " }}" for line in EXPRESSIONS.strip().split("\n") for e in [line, *line.split("|")]]
for number, source in enumerate(sources):
    (folder / f"piece{number:04}").write_bytes(source.encode() + b"\0" + cases[number % len(cases)].encode())
