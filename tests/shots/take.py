"""Pictures of every page of the window. Usage: take.py BIN [FOLDER] [--store DIR] [--pages a,b] [--themes …] [--languages …] [--sizes WxH,…]"""
import argparse
import base64
import html
import json
import os
import pathlib
import re
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import time

from display import TITLE_BAR, Display

ROOT = pathlib.Path(__file__).resolve().parents[2]
ASSET = pathlib.Path(os.environ.get("ASSAY_CACHE") or pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "assay") / "assets/kjv/kjv.txt"
QUIET, MOST = 0.5, 12.0
# Small enough for two cores and a minute or two, large enough that no chart is empty.
EXPERIMENTS = {
    "kjv-gpt": ["train.steps=240", "train.eval_every=40", "train.checkpoint.every=120"],
    "smollm2-quantize": ["generate.max_tokens=16", "quantize.schemes=[int8, int4-g32]", "accuracy.perplexity.max_tokens=512", "accuracy.perplexity.window=128",
                         "benchmark.prefill=[32]", "benchmark.decode=8", "benchmark.repeats=2"],
}


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def page_keys() -> list[str]:
    return re.findall(r'^\s*\{"([a-z]+)", "[a-z]+", QT_TRANSLATE_NOOP', (ROOT / "ui/pages/registry.cpp").read_text(), re.M)


def geometry(width: int, height: int) -> str:
    """What QWidget::saveGeometry writes (format 3.0) for a window that fills the display, which has no window manager."""
    box = (0, TITLE_BAR, width - 1, height + TITLE_BAR - 1)
    return base64.b64encode(struct.pack(">IHH4i4iiBBi4i", 0x1D9D0CB, 3, 0, *box, *box, 0, 0, 0, width, *box)).decode()


class Engine:
    """The engine of a store: ours to stop only when it was not there before."""

    def __init__(self, bin_folder: pathlib.Path, store: pathlib.Path):
        self.assay = [str(bin_folder / "assay"), "--store", str(store)]
        running = subprocess.run([*self.assay, "engine", "status"], capture_output=True).returncode == 0 and (store / "engine.json").exists()
        self.ours = not running
        subprocess.run([*self.assay, "--quiet", "engine", "start"], check=True, stdout=subprocess.DEVNULL)

    def ask(self, *words: str) -> dict:
        return json.loads(subprocess.run([*self.assay, "--json", *words], check=True, stdout=subprocess.PIPE, text=True).stdout)

    def fill(self) -> None:
        for name, settings in EXPERIMENTS.items():
            say(f"running {name}")
            self.ask("run", f"{ROOT}/experiments/quickstart/{name}.yaml", *(word for setting in settings for word in ("--set", setting)))

    def finished(self) -> list[str]:
        return [run["id"] for run in self.ask("runs", "list")["runs"] if run["kind"] == "pipeline" and run["status"] == "done"]

    def close(self) -> None:
        if self.ours:
            subprocess.run([*self.assay, "--quiet", "engine", "stop"], stdout=subprocess.DEVNULL)


class Studio:
    """One start of the window on one page, on a display, with settings of its own."""

    def __init__(self, program: pathlib.Path, display: Display, store: pathlib.Path, page: str, theme: str, language: str, runs: list[str]):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="assay-shots-"))
        (self.home / "assay").mkdir()
        (self.home / "assay/studio.json").write_text(json.dumps({"tour.done": True, "window.geometry": geometry(display.width, display.height)}))
        environment = dict(os.environ, DISPLAY=display.name, QT_QPA_PLATFORM="xcb", XDG_CONFIG_HOME=str(self.home), ASSAY_STUDIO_TIMING="1", LC_ALL="C.UTF-8")
        environment.setdefault("XDG_RUNTIME_DIR", str(self.home))
        environment.pop("WAYLAND_DISPLAY", None)
        command = [str(program), "--store", str(store), "--page", page, "--theme", theme, "--language", language]
        if runs and page in ("run", "compare"):
            command += ["--runs", ",".join(runs if page == "compare" else runs[-1:])]
        if opened := self.opened(page):
            command.append(str(opened))
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)

    # What a page is looked at with: a plan that is complete, a dataset with columns and a row that is broken.
    def opened(self, page: str) -> pathlib.Path | None:
        if page == "experiment":
            return ROOT / "experiments/quickstart/kjv-gpt.yaml"
        if page != "data":
            return None
        path = self.home / "verses.jsonl"
        with path.open("w", encoding="utf-8") as out:
            for number, line in enumerate(ASSET.read_text(encoding="utf-8").splitlines()[:4000], 1):
                out.write(json.dumps({"id": number, "verse": line, "book": "kjv"}, ensure_ascii=False) + "\n")
                if number == 40:
                    out.write('{"id": 41, "verse": \n')
        return path

    def shown(self, most: float) -> bool:
        """Both times of ASSAY_STUDIO_TIMING have come. Pages without a list of their own only paint."""
        seen: set[str] = set()
        end = time.monotonic() + most
        while len(seen) < 2 and (left := end - time.monotonic()) > 0:
            if not select.select([self.process.stdout], [], [], left)[0]:
                break
            line = self.process.stdout.readline()
            if not line:
                break
            seen.add(line.split()[1])
        return "first_paint_ms" in seen

    def close(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        shutil.rmtree(self.home, True)


def contact_sheet(folder: pathlib.Path, taken: list[tuple[str, str]]) -> None:
    parts = ['<!doctype html><meta charset="utf-8"><title>Assay: every page</title>',
             "<style>body{font:14px sans-serif;margin:24px;background:#888}div{display:grid;grid-template-columns:repeat(auto-fill,minmax(480px,1fr));gap:16px}",
             "figure{margin:0}img{width:100%;display:block}figcaption{padding:4px 0}</style>"]
    for page in dict.fromkeys(page for page, _ in taken):
        parts.append(f"<h2>{html.escape(page)}</h2><div>")
        parts += [f'<figure><a href="{name}"><img src="{name}" alt="{name}" loading="lazy"></a><figcaption>{name}</figcaption></figure>' for of, name in taken if of == page]
        parts.append("</div>")
    (folder / "contact-sheet.html").write_text("\n".join(parts), encoding="utf-8")


def words(text: str) -> list[str]:
    return [word for word in text.split(",") if word]


def main() -> int:
    parser = argparse.ArgumentParser(prog="packaging/dev screenshots")
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path, nargs="?", default=ROOT / "build/screenshots")
    parser.add_argument("--store", type=pathlib.Path)
    parser.add_argument("--runs", type=words)
    parser.add_argument("--pages", type=words, default=page_keys())
    parser.add_argument("--themes", type=words, default=["light", "dark"])
    parser.add_argument("--languages", type=words, default=["en", "zh_CN"])
    parser.add_argument("--sizes", type=words, default=["1280x800", "1920x1200"])
    options = parser.parse_args()
    if unknown := [page for page in options.pages if page not in page_keys()]:
        parser.error(f"there is no page {unknown[0]}; there are {', '.join(page_keys())}")
    if unknown := [size for size in options.sizes if not re.fullmatch(r"\d{3,4}x\d{3,4}", size)]:
        parser.error(f"a size is WIDTHxHEIGHT, not {unknown[0]}")
    options.folder.mkdir(parents=True, exist_ok=True)
    own = None if options.store else tempfile.TemporaryDirectory(prefix="assay-shots-")
    store = (options.store or pathlib.Path(own.name) / "store").resolve()
    engine = Engine(options.bin, store)
    taken, restless = [], []
    try:
        if own:
            engine.fill()
        runs = options.runs or engine.finished()
        for size in options.sizes:
            display = Display(*map(int, size.split("x")))
            try:
                for page in options.pages:
                    for theme in options.themes:
                        for language in options.languages:
                            name = f"{page}-{theme}-{language}-{size}.png"
                            studio = Studio(options.bin / "assay-studio", display, store, page, theme, language, runs)
                            try:
                                good = studio.shown(4) and display.steady(QUIET, MOST)
                                colors = display.save(options.folder / name)
                            finally:
                                studio.close()
                            taken.append((page, name))
                            if not good or colors < 3:
                                restless.append(name)
                            say(name)
            finally:
                display.close()
    finally:
        engine.close()
        if own:
            own.cleanup()
    contact_sheet(options.folder, taken)
    for name in restless:
        say(f"not at rest, or empty: {name}")
    say(f"{len(taken)} pictures: {options.folder}/contact-sheet.html")
    return 1 if restless else 0


if __name__ == "__main__":
    sys.exit(main())
