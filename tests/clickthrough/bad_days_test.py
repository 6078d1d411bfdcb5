#!/usr/bin/env python3
"""Bad days in real windows: whatever happens to the engine, the window lives, says what to do, and what was typed is still there.

Usage: bad_days_test.py BIN_DIR
"""
import os
import pathlib
import re
import shutil
import signal
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from desk import Desk, Failure, check, wait_until  # noqa: E402
from old_engines import StrangeEngine  # noqa: E402
from seen import NotSeen  # noqa: E402

TYPED = "typed-before-the-storm"
EVIL = "=1+1 <b>bold</b> \u05d0\u05d1\u05d2 \u202egpj"
begun = time.monotonic()


def step(text):
    print(f"[{time.monotonic() - begun:6.1f} s] {text}", flush=True)


def own_programs(bin_dir, folder):
    """Programs in a folder of their own, so that the engine can be missing from it."""
    folder.mkdir()
    for name in ("assay", "assay-engine", "assay-studio"):
        shutil.copy2(bin_dir / name, folder / name)   # not links: a program finds the others beside what it really is
    if (bin_dir / "assay-worker").exists():
        (folder / "assay-worker").symlink_to((bin_dir / "assay-worker").resolve())
    return folder


def spec(desk, name):
    text = desk.root / "text.txt"
    if not text.exists():
        text.write_text("a line of text\n" * 50)
    path = desk.root / "run.yaml"
    quoted = "".join(f"\\u{ord(c):04x}" if ord(c) > 126 or c in '"\\' else c for c in name)
    path.write_text(f'assay: 1\nname: "{quoted}"\nkind: pipeline\nstages: [prepare]\ndata: {{train: {{path: {text}, format: text}}, tokenizer: bytes, sequence_length: 64}}\n')
    return path


def page(desk, name, eyes=None):
    eyes = eyes or desk.eyes
    desk.hands.click(*eyes.still("check box", name, seconds=60).center)
    eyes.wait(f"the page {name}", lambda: any(entry.checked for entry in eyes.all("check box", name)))


def banner(desk, words, seconds=30):
    return desk.eyes.find("label", re.compile(words), seconds=seconds)


def typed_is_there(desk):
    name = desk.eyes.find("text", "Name")
    check(name.text == TYPED, f"the name in the form is {name.text!r}")


def killed(desk):
    step("something is being written")
    page(desk, "New experiment")
    desk.eyes.find("push button", "Start", seconds=60)
    desk.fill("Name", TYPED)
    step("the engine is killed and its program is gone")
    program, aside = desk.bin / "assay-engine", desk.bin / "aside"
    program.rename(aside)
    os.kill(desk.assay.engine_pid(), signal.SIGKILL)
    banner(desk, r"^The link to this machine is lost; what you see is from ")
    desk.eyes.find("push button", re.compile(r"Reconnecting, stale since"))   # the status bar
    typed_is_there(desk)
    step("Try again changes nothing yet; the program is back, and so is the engine")
    desk.click("push button", "Try again")
    banner(desk, r"^The link to this machine is lost")
    aside.rename(program)
    desk.eyes.gone("label", re.compile("^The link to this machine is lost"))
    desk.eyes.find("push button", re.compile(r"\bLive\b"))
    typed_is_there(desk)


def deleted(desk):
    step("the store is deleted while it is open")
    pid = desk.assay.engine_pid()
    shutil.rmtree(desk.assay.store)
    banner(desk, r"^The store of the engine on this machine was deleted, moved or replaced")
    banner(desk, r"Put the folder back where it was, or try again to begin with an empty store")
    desk.eyes.find("push button", re.compile("Store is gone"))
    typed_is_there(desk)
    step("Try again begins with an empty store; the old engine leaves")
    desk.click("push button", "Try again")
    desk.eyes.gone("label", re.compile("^The store of the engine on this machine was"))
    wait_until(lambda: (desk.assay.store / "engine.json").exists(), 20, "another engine")
    check(desk.assay.engine_pid() != pid, "another engine runs")
    wait_until(lambda: not pathlib.Path(f"/proc/{pid}").exists() or pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z", 20, "the engine without a store ends")
    check((desk.assay.store / "engine.json").exists(), "the old engine left the new one's address alone")
    typed_is_there(desk)


def two_windows(desk):
    step("two windows: a run that begins elsewhere is seen in both")
    page(desk, "Home")   # before the other window lies above it
    other, eyes = desk.another()
    page(desk, "New experiment", eyes)
    typed = eyes.find("text", "Name", seconds=60)   # what is written in one is there in the next
    check(typed.text == TYPED, f"the name in the other window is {typed.text!r}")
    page(desk, "Home", eyes)
    desk.assay.call("run", spec(desk, "seen-in-both"))
    for who in (desk.eyes, eyes):
        who.find(None, re.compile("seen-in-both"), seconds=60)
    step("a name with markup, right-to-left text and a formula; one of 4 kB is refused")
    desk.assay.call("run", spec(desk, EVIL))
    names = [run["name"] for run in desk.assay.call("runs", "list")["runs"]]
    check(EVIL in names, f"the name is kept as it was given: {names}")
    desk.assay.call("run", spec(desk, "long" * 1000), expect=2)
    other.terminate()
    wait_until(lambda: other.poll() is not None, 20, "the second window closes")
    page(desk, "Queue & runs")
    desk.eyes.find("table cell", re.compile(r"seen-in-both"), seconds=60)
    cell = desk.eyes.find("table cell", re.compile(r"=1\+1 <b>bold</b>"))
    check("\u202e" not in cell.name, "what turns text around is not shown as it is")


def strangers(desk):
    eyes = desk.eyes
    page(desk, "Engines")
    evidence = desk.root / "evidence"

    def address(text):
        thing = eyes.still("text", "Address of an engine")
        desk.hands.click(*thing.center)
        eyes.wait("the cursor in the address", lambda: eyes.find("text", "Address of an engine").focused)
        desk.hands.keys("ctrl+a")
        desk.hands.type(text)
        eyes.wait("the address", lambda: eyes.find("text", "Address of an engine").text == text)

    step("a host that is an option is refused before anything starts")
    address(f"ssh://-oProxyCommand=touch:{evidence}")
    check(not eyes.find("push button", "Add and attach").enabled, "it cannot be attached")
    desk.hands.keys("Tab")
    eyes.find("label", re.compile("is not an ssh address"))
    check(not evidence.exists(), "nothing was run")
    for kind, words, advice in (("newer", r"another version", r"update this program"), ("older", r"another version", r"Update the older of the two"), ("refusing", r"did not accept the token", r"assay engine token")):
        step(f"an engine that is {kind}")
        with StrangeEngine(kind) as engine:
            address(engine.address)
            desk.click("push button", "Add and attach", enabled=True)
            banner(desk, words)
            banner(desk, advice)
            desk.click("push button", "Detach")
            eyes.gone("label", re.compile(words))
    step("nobody listens there")
    address("ws://127.0.0.1:9")
    desk.click("push button", "Add and attach", enabled=True)
    banner(desk, r"^127.0.0.1:9 cannot be reached")
    desk.click("push button", "Detach")
    eyes.gone("label", re.compile("cannot be reached"))


def reopened(desk):
    step("closed and opened again: as it was left")
    desk.hands.keys("alt+F4")
    wait_until(lambda: desk.studio.poll() is not None, 30, "the window closes")
    check(desk.studio.returncode == 0, f"assay-studio ended with {desk.studio.returncode}")
    desk.open()
    desk.eyes.find("text", "Address of an engine", seconds=60)
    page(desk, "New experiment")
    desk.eyes.find("push button", "Start", seconds=60)
    desk.form = None
    typed_is_there(desk)


def main(bin_dir):
    with tempfile.TemporaryDirectory(prefix="assay-bad-") as folder:
        programs = own_programs(pathlib.Path(bin_dir).resolve(), pathlib.Path(folder) / "bin")
        with Desk(programs) as desk:
            step("first start")
            desk.click("push button", "Skip the tour", seconds=90)
            desk.eyes.gone("push button", "Skip the tour")
            killed(desk)
            deleted(desk)
            two_windows(desk)
            strangers(desk)
            reopened(desk)
    step("done")


if __name__ == "__main__":
    try:
        main(sys.argv[1] if len(sys.argv) > 1 else "build/release/bin")
    except (Failure, NotSeen) as failure:
        sys.exit(f"bad days: {failure}")
