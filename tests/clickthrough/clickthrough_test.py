#!/usr/bin/env python3
"""The whole main job as a person does it, from first start to exported report: X events in, the accessibility bus out.

Usage: clickthrough_test.py BIN_DIR
"""
import html
import json
import os
import pathlib
import re
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from desk import Desk, Failure, check, wait_until  # noqa: E402
from seen import NotSeen  # noqa: E402

ROWS = 2000
STEPS = 60
SETUPS = ["fp32", "fp16", "int8", "int4-g32"]
begun = time.monotonic()


def step(text):
    print(f"[{time.monotonic() - begun:6.1f} s] {text}", flush=True)


def verses(path):
    """Rows of real English where the demo's text is there, else of sentences made here; both in a column that is not called text."""
    cache = pathlib.Path(os.environ.get("ASSAY_CACHE") or pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "assay")
    source = cache / "assets/kjv/kjv.txt"
    if source.is_file():
        lines = [line.strip() for line in source.read_text(encoding="utf-8").splitlines() if line.strip()][:ROWS]
    else:
        who, did, what = ("the king", "a servant", "my brother", "the people"), ("went up to", "built", "saw", "remembered"), ("the city", "the river", "a house of stone")
        lines = [f"And {who[i % 4]} {did[i // 4 % 4]} {what[i // 16 % 3]}, and it was the day {i} of the year; and they rested there." for i in range(ROWS)]
    check(len(lines) == ROWS, f"{len(lines)} verses, expected {ROWS}")
    with open(path, "w", encoding="utf-8") as out:
        for i, line in enumerate(lines):
            out.write(json.dumps({"ref": f"verse {i + 1}", "verse_body": line}) + "\n")


def first_start(desk):
    step("first start: the tour is skipped")
    desk.click("push button", "Skip the tour", seconds=90)
    desk.eyes.gone("push button", "Skip the tour")


def choose_file(desk, title, path):
    desk.eyes.find("dialog", title)
    desk.eyes.wait("the cursor in the name of the file", lambda: any(t.focused for t in desk.eyes.all("text", "File name:")))
    desk.hands.keys("ctrl+a")
    desk.hands.type(f"{path}\n")
    desk.eyes.gone("dialog", title)


def data(desk, path):
    step("a dataset whose text column is called verse_body")
    desk.click("push button", "Open a dataset")
    choose_file(desk, "Open a dataset", path)
    eyes = desk.eyes
    eyes.find("filler", f"all {ROWS:,} rows used", seconds=60)
    eyes.find("combo box", "verse_body")                                       # guessed
    eyes.find("label", re.compile(r"^Guessed"))
    eyes.find("table column header", re.compile(r"^verse_body . text$"))
    first = json.loads(path.read_text(encoding="utf-8").splitlines()[0])["verse_body"]
    eyes.find("table cell", first)
    step("the model's view")
    eyes.find("filler", "Tokens of the sequence")
    eyes.find("label", re.compile(r"\d+ tokens · \d+ carry loss .* documents?, lines? 1"), seconds=60)
    eyes.find("filler", "Histogram of lengths")
    desk.click("push button", "Use in an experiment")


def experiment(desk, path):
    step("the experiment, through the form")
    eyes = desk.eyes
    eyes.find("push button", "Start", seconds=60)
    eyes.wait("the data in the form", lambda: eyes.find("text", "Training data").text == str(path))
    check(eyes.find("text", "Columns").text == "{text: verse_body}", "the mapping came along")
    check("tokenizer: bytes" in eyes.find("text", "YAML").text and "sequence_length: 256" in eyes.find("text", "YAML").text, "tokenizer and sequence length came along")
    desk.fill("Name", "verses-gpt")
    desk.fill("Layers", "2")
    desk.fill("Hidden size", "64")
    desk.fill("Steps", str(STEPS))
    desk.fill("Global batch", "64")   # long enough steps to stop between them
    desk.fill("Warm-up", "10")
    desk.fill("Evaluate every", "20")
    desk.press("push button", "Add: Quantize")
    eyes.find("push button", "Remove: Quantize")
    check(eyes.find("text", "Schemes").text == "fp16, int8, int4-g32", "schemes to begin with")
    desk.press("push button", "Add: Benchmark")
    eyes.find("push button", "Remove: Benchmark")
    desk.click("radio button", "Advanced")
    desk.fill("Checkpoint every", "20")
    yaml = eyes.find("text", "YAML").text
    for line in ("name: verses-gpt", f"steps: {STEPS}", "global_batch: 64", "checkpoint: {every: 20}", "schemes: [fp16, int8, int4-g32]", "layers: 2, hidden: 64"):
        check(line in yaml, f"form and YAML differ: {line} is not in\n{yaml}")
    desk.click("push button", "Start", enabled=True, seconds=60)


def status(desk, kind):
    for row in desk.assay.call("runs", "list")["runs"]:
        for run in [row, *desk.assay.call("runs", "show", row["id"])["children"]]:
            if run["kind"] == kind:
                return run
    return None


def train(desk):
    eyes = desk.eyes
    step("started: the loss is watched")
    eyes.find("push button", "Stop and save", seconds=60)
    eyes.find("label", "verses-gpt")
    eyes.find("table cell", re.compile(rf"^Progress: .*\d+ / {STEPS} steps"), seconds=120)
    desk.click("radio button", "Curves")
    eyes.find("push button", "Remove the chart of Training loss", seconds=120)
    step("stop and save")
    desk.click("push button", "Stop and save")
    eyes.find("push button", "Resume", seconds=120)
    stopped = status(desk, "train")
    check(stopped["status"] == "cancelled", f"the training is {stopped['status']}: it ended before it was stopped")
    folder = pathlib.Path(desk.assay.call("runs", "show", stopped["id"])["folder"]) / "checkpoints"
    saved = sorted(int(p.name.split("-")[1]) for p in folder.iterdir() if p.name.startswith("step-"))
    check(saved and saved[-1] < STEPS, f"checkpoints after the stop: {saved}")
    eyes.find("filler", f"stopped, saved at step {saved[-1]:,}", seconds=60)
    step(f"resume from step {saved[-1]} of {STEPS}")
    desk.click("push button", "Resume")
    eyes.find("push button", "Stop and save", seconds=60)
    eyes.find("filler", "done", seconds=240)
    row = status(desk, "train")
    check(row["resumed_from_step"] == saved[-1], f"resumed from {row['resumed_from_step']}, saved {saved}")
    check(status(desk, "pipeline")["status"] == "done", "the engine says done, too")


def reports(desk):
    eyes = desk.eyes
    step("compare")
    desk.click("push button", "Compare", enabled=True)
    eyes.find("label", "4 set-ups · verses-gpt", seconds=60)
    for name in SETUPS:
        eyes.find("table cell", f"Set-up: {name}")
    step("the report as a page and on paper")
    page, paper = desk.root / "report.html", desk.root / "report.pdf"
    for path in (page, paper):
        desk.click("push button", "Export report", enabled=True, seconds=60)
        choose_file(desk, "Export report", path)
        eyes.find("label", re.compile(rf"^{re.escape(path.name)}, .*B$"), seconds=60)   # the notice
    return page, paper


def plain(page):
    text = re.sub(r"<(style|svg).*?</\1>", " ", page.read_text(encoding="utf-8"), flags=re.S)
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", text)))


def agree(desk, page, paper):
    step("reports, window and command agree")
    run = status(desk, "pipeline")["id"]
    document = desk.assay.call("compare", run)
    setups = {setup["name"]: setup for setup in document["setups"]}
    check(sorted(setups) == sorted(SETUPS), f"set-ups of the command: {list(setups)}")
    check(paper.read_bytes().startswith(b"%PDF-"), "the PDF is one")
    paper_text = re.sub(r"\s+", " ", subprocess.run(["pdftotext", "-layout", str(paper), "-"], capture_output=True, text=True, check=True).stdout)
    base = setups["fp32"]
    cells = [cell.name for cell in desk.eyes.all("table cell")]
    for name, setup in setups.items():
        ratio, weights = setup["accuracy"]["perplexity_ratio"], setup["bytes"]["weights"]
        expected = [name, f"{ratio:.4f}", f"{weights / 1e6:.3f} MB", f"{setup['speed']['decode_tokens_per_s']:,.0f}"]
        if setup is not base:
            expected.append(f"−{(1 - weights / base['bytes']['weights']) * 100:.1f} %")
        for figure in expected:
            for where, text in (("page", plain(page)), ("PDF", paper_text)):
                check(figure in text.replace("\u00a0", " ").replace("\u202f", " "), f"{name}: {figure} of `assay compare --json` is not in the {where}")
        check(any(cell.startswith(f"PPL ratio ± se: {ratio:.4f}") for cell in cells), f"{name}: {ratio:.4f} is not in the window")
    check(1 < base["accuracy"]["perplexity"] < 1024, "a model that learned something: less perplexed than guessing among 1,024 tokens")


def main(bin_dir):
    with Desk(bin_dir) as desk:
        path = desk.root / "home" / "verses.jsonl"
        verses(path)
        first_start(desk)
        data(desk, path)
        experiment(desk, path)
        train(desk)
        agree(desk, *reports(desk))
        step("the window is closed and the engine lives")
        desk.hands.keys("alt+F4")
        wait_until(lambda: desk.studio.poll() is not None, 30, "the window closes")
        check(desk.studio.returncode == 0, f"assay-studio ended with {desk.studio.returncode}")
    step("done")


if __name__ == "__main__":
    try:
        main(sys.argv[1] if len(sys.argv) > 1 else "build/release/bin")
    except (Failure, NotSeen) as failure:
        sys.exit(f"clickthrough: {failure}")
