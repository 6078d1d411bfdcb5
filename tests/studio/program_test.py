"""assay-studio as a shell sees it. Usage: program_test.py BIN"""
import json
import os
import pathlib
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

BIN = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else "build/release/bin")
PROGRAM = str(BIN / "assay-studio")


class Program(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="assay-studio-"))
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.environment = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")}
        self.environment.update(XDG_CONFIG_HOME=str(self.folder / "config"), XDG_DATA_HOME=str(self.folder / "data"),
                                XDG_RUNTIME_DIR=str(self.folder), LC_ALL="C.UTF-8")

    def run_program(self, *arguments, **environment):
        return subprocess.run([PROGRAM, *arguments], env=dict(self.environment, **environment), capture_output=True, text=True, timeout=30)

    def test_help_and_version_need_no_display(self):
        done = self.run_program("--help")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for option in ("--engine", "--store", "--page", "--theme", "--language", "--render-report"):
            self.assertIn(option, done.stdout)
        self.assertRegex(self.run_program("--version").stdout, r"^\d+\.\d+\.\d+\n$")

    def test_wrong_options_end_with_2_and_say_why(self):
        for arguments, words in ((["--colour"], "--colour"), (["--theme", "pink"], "light, dark, system"), (["--theme"], "needs a value"),
                                 (["--engine", "http://host"], "ssh://host"), (["--engine", "ssh://-oProxyCommand=x"], "not an ssh address"),
                                 (["--engine", "ssh://host", "--store", "x"], "--store"), (["--render-report", "x.json"], "--out"), (["--language=de"], "zh_CN")):
            done = self.run_program(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(words, done.stderr)
            self.assertIn("hint:", done.stderr)
            self.assertEqual(done.stdout, "")

    def test_without_a_display_it_says_so(self):
        for environment in ({}, {"DISPLAY": ":987"}, {"WAYLAND_DISPLAY": "wayland-987"}):
            done = self.run_program(**environment)
            self.assertEqual(done.returncode, 1, environment)
            self.assertIn("display", done.stderr)
            self.assertIn("assay command", done.stderr)

    def test_it_loads_no_libtorch_and_no_database(self):
        libraries = subprocess.run(["ldd", PROGRAM], capture_output=True, text=True, check=True).stdout
        self.assertIn("libQt6Widgets", libraries)
        for name in ("libtorch", "libc10", "libsqlite3", "not found"):
            self.assertNotIn(name, libraries)

    def test_it_starts_shows_a_list_and_ends_with_a_signal(self):
        environment = dict(self.environment, QT_QPA_PLATFORM="offscreen", ASSAY_STUDIO_TIMING="1")
        store = str(self.folder / "store")
        process = subprocess.Popen([PROGRAM, "--store", store, "--theme", "dark"], env=environment, stdout=subprocess.PIPE, text=True)
        try:
            seen = []
            while len(seen) < 2 and select.select([process.stdout], [], [], 60)[0]:
                line = process.stdout.readline()
                if not line:
                    break
                seen.append(line.split()[1])
            self.assertEqual(sorted(seen), ["first_list_ms", "first_paint_ms"])
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(10), 0)
        finally:
            process.kill()
            process.stdout.close()
            os.kill(json.loads(pathlib.Path(store, "engine.json").read_text())["pid"], signal.SIGTERM)
        saved = json.loads((self.folder / "config/assay/studio.json").read_text())
        self.assertEqual(saved["window.page"], "home")
        self.assertIn("window.geometry", saved)

    def test_an_engine_that_is_not_there_leaves_the_window_alive(self):
        environment = dict(self.environment, QT_QPA_PLATFORM="offscreen", ASSAY_STUDIO_TIMING="1")
        process = subprocess.Popen([PROGRAM, "--engine", "ws://127.0.0.1:9"], env=environment, stdout=subprocess.PIPE, text=True)
        try:
            self.assertTrue(select.select([process.stdout], [], [], 60)[0])
            self.assertIn("first_paint_ms", process.stdout.readline())
            with self.assertRaises(subprocess.TimeoutExpired):
                process.wait(1.5)
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(10), 0)
        finally:
            process.kill()
            process.stdout.close()


if __name__ == "__main__":
    unittest.main()
