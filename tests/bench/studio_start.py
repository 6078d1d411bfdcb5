"""What studio_start.sh measures. Usage: studio_start.py BIN RUNS ROUNDS"""
import contextlib
import os
import pathlib
import re
import select
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

TARGET_MS, TARGET_IDLE, TARGET_MB, IDLE_SECONDS = 700, 0.01, 200, 10


@contextlib.contextmanager
def display():
    """The number of a virtual display that picks its own number."""
    read, write = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x800x24", "-nolisten", "tcp"], pass_fds=[write],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(write)
    try:
        if not select.select([read], [], [], 20)[0]:
            raise SystemExit("Xvfb did not start")
        yield ":" + os.read(read, 16).decode().strip()
    finally:
        os.close(read)
        server.terminate()
        server.wait()


def pass_time(seconds):
    """An interval to measure over; nothing is waited for."""
    select.select([], [], [], seconds)


def cpu_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_mb(pid):
    """Resident memory that is not shared with other programs, and all of it."""
    text = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text()
    kb = {key: int(value) for key, value in re.findall(r"^(\w+):\s+(\d+) kB", text, re.M)}
    return kb["Pss"] / 1000, kb["Rss"] / 1000


def start(program, environment, store):
    process = subprocess.Popen([program, "--store", store], env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    text, times = b"", {}
    deadline = time.monotonic() + 60
    while len(times) < 2 and time.monotonic() < deadline:
        if not select.select([process.stdout], [], [], 1)[0]:
            continue
        # Not readline(): it takes both lines out of the pipe when they come together, and select() then waits for a third.
        piece = os.read(process.stdout.fileno(), 4096)
        if not piece:
            break
        text += piece
        times = {name: float(ms) for name, ms in re.findall(r"^timing (\w+) ([\d.]+)\n", text.decode(errors="replace"), re.M)}
    return process, times


def main(folder, runs, rounds):
    programs = pathlib.Path(folder).resolve()
    root = pathlib.Path(tempfile.mkdtemp(prefix="assay-studio-"))
    store = str(root / "store")
    subprocess.run([programs / "bench_fill_store", store, str(runs)], check=True)
    environment = dict(os.environ, XDG_CONFIG_HOME=str(root / "config"), XDG_DATA_HOME=str(root / "data"), ASSAY_STUDIO_TIMING="1")
    paints, lists, idle, pss, rss = [], [], 0, 0, 0
    try:
        with display() as number:
            environment["DISPLAY"] = number
            environment.pop("WAYLAND_DISPLAY", None)
            subprocess.run([programs / "assay", "--store", store, "engine", "start"], check=True, stdout=subprocess.DEVNULL)
            for i in range(rounds):
                process, times = start(programs / "assay-studio", environment, store)
                paints.append(times.get("first_paint_ms", float("nan")))
                lists.append(times.get("first_list_ms", float("nan")))
                if i == rounds - 1:
                    pass_time(2)   # the tour and the first figures of the machine
                    before, began = cpu_seconds(process.pid), time.monotonic()
                    pass_time(IDLE_SECONDS)
                    idle = (cpu_seconds(process.pid) - before) / (time.monotonic() - began)
                    pss, rss = memory_mb(process.pid)
                process.terminate()
                process.wait(20)
    finally:
        subprocess.run([programs / "assay", "--store", store, "engine", "stop"], check=False, stdout=subprocess.DEVNULL)
        shutil.rmtree(root, ignore_errors=True)
    if not all(value == value for value in paints + lists):
        raise SystemExit(f"a start printed no time within a minute: first paints {paints} ms, first lists {lists} ms")
    usable = statistics.median(lists)
    print(f"studio, {runs} runs: first list {min(lists):.0f}–{max(lists):.0f} ms, median {usable:.0f} ms ({rounds} starts; first paint {statistics.median(paints):.0f} ms; target {TARGET_MS}), idle {idle:.2%} (target {TARGET_IDLE:.0%}), "
          f"memory {pss:.0f} MB of its own, {rss:.0f} MB with shared libraries (target {TARGET_MB}); load {os.getloadavg()[0]:.1f}")
    return 0 if usable < TARGET_MS and idle < TARGET_IDLE and pss < TARGET_MB else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
