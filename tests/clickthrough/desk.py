"""A desk of its own: X server, window manager and accessibility bus, private to one test, and Assay's window on it."""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import Assay, Failure, check, wait_until  # noqa: E402
from seen import NotSeen  # noqa: E402


class Desk:
    """Use as a context manager. `hands` and `eyes` act and look; `assay` is the command on the same store."""

    def __init__(self, bin_dir, size="1280x800"):
        self.bin = pathlib.Path(bin_dir)
        self.size = size
        self.processes = []
        self.form = None

    def __enter__(self):
        self.assay = Assay(self.bin)
        self.root = self.assay.root
        for name in ("home", "run"):
            (self.root / name).mkdir(mode=0o700)
        # The libraries of bus and display read the surroundings of this process.
        cache = os.environ.get("XDG_CACHE_HOME") or str(pathlib.Path.home() / ".cache")
        for name in ("WAYLAND_DISPLAY", "SESSION_MANAGER", "QT_QPA_PLATFORM", "LANGUAGE", "DBUS_SESSION_BUS_ADDRESS"):
            os.environ.pop(name, None)
        os.environ.update(HOME=str(self.root / "home"), XDG_CONFIG_HOME=str(self.root / "config"), XDG_DATA_HOME=str(self.root / "data"),
                          XDG_STATE_HOME=str(self.root / "state"), XDG_CACHE_HOME=cache, XDG_RUNTIME_DIR=str(self.root / "run"), LC_ALL="C.UTF-8",
                          TZ="UTC", QT_ACCESSIBILITY="1", QT_LINUX_ACCESSIBILITY_ALWAYS_ON="1", NO_AT_BRIDGE="0")
        try:
            os.environ["DISPLAY"] = ":" + self._told("Xvfb", "-displayfd", "{fd}", "-screen", "0", f"{self.size}x24", "-nolisten", "tcp")
            os.environ["DBUS_SESSION_BUS_ADDRESS"] = self._told("dbus-daemon", "--session", "--nofork", "--print-address={fd}")
            self._start("openbox")
            from hands import Hands
            self.hands = Hands()
            self.assay.environment = dict(os.environ)
            self.open()
        except BaseException:
            self.__exit__(*sys.exc_info())
            raise
        return self

    def another(self):
        """One more window on the same store, and eyes that see only it."""
        from eyes import Eyes
        process = self._start(str(self.bin / "assay-studio"), "--store", str(self.assay.store), "--theme", "light", "--language", "en")
        return process, Eyes("assay-studio", process.pid)

    def open(self):
        self.studio, self.eyes = self.another()

    def __exit__(self, kind, value, trace):
        if kind is not None:
            print(f"a picture of the end: {self.picture('clickthrough-end')}", file=sys.stderr)
        self.assay.__exit__(kind, value, trace)
        for process in reversed(self.processes):
            try:
                os.killpg(process.pid, signal.SIGTERM)
                process.wait(10)
            except ProcessLookupError:
                pass
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    def _start(self, *arguments, **options):
        process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, start_new_session=True, **options)
        self.processes.append(process)
        return process

    def _told(self, *arguments):
        """Starts what writes its address to a descriptor once it is ready."""
        reading, writing = os.pipe()
        self._start(*[a.format(fd=writing) for a in arguments], pass_fds=(writing,), stderr=subprocess.DEVNULL)
        os.close(writing)
        with os.fdopen(reading) as answer:
            line = answer.readline().strip()
        check(line, f"{arguments[0]} did not start")
        return line

    def picture(self, name):
        """For a person who looks into a failure; needs ImageMagick, without which there is none."""
        folder = pathlib.Path(os.environ.get("ASSAY_CLICKTHROUGH_PICTURES") or tempfile.gettempdir())
        path = folder / f"{name}.png"
        if shutil.which("import") is None or "DISPLAY" not in os.environ:
            return None
        subprocess.run(["import", "-window", "root", str(path)], check=False, stderr=subprocess.DEVNULL, timeout=30)
        return path

    # What a person does with what is seen.

    def click(self, role, name, **where):
        thing = self.eyes.still(role, name, **where)
        self.hands.click(*thing.center)
        return thing

    def bring(self, role, name):
        """Scrolls the form with the wheel until the control can be clicked."""
        if self.form is None or self.eyes.again(self.form) is None:
            self.form = self.eyes.find("filler", "Form")
        view = self.form
        thing = self.eyes.still(role, name)
        top, bottom = view.y + 4, view.y + view.height - 4
        for _ in range(40):
            if top <= thing.y and thing.y + thing.height <= bottom:
                return thing
            notches = max(1, min(12, abs(thing.center[1] - (top + bottom) // 2) // 60))
            self.hands.wheel(view.x + 6, (top + bottom) // 2, notches if thing.y > view.y else -notches)
            thing = self.eyes.wait(f"the form scrolls to {name}", lambda: self._moved(role, name, thing), 10)
        raise Failure(f"{name} cannot be scrolled to")

    def _moved(self, role, name, before):
        now = self.eyes.again(before)
        if now is None:   # the form was made anew
            return self.eyes.still(role, name)
        return self.eyes.still(role, name) if now.y != before.y else None

    def press(self, role, name):
        self.hands.click(*self.bring(role, name).center)

    def fill(self, name, value):
        """Types into the form as a person does: click, select all, type, Tab; and sees that it stands there."""
        for _ in range(5):
            thing = self.bring("text", name)
            # A window manager may hand a click on late, after keys: where the cursor is there already, none is needed.
            if thing.focused:
                break
            self.hands.click(*thing.center)
            try:
                self.eyes.wait(f"the cursor in {name}", lambda: (self.eyes.again(thing) or self.eyes.find("text", name)).focused, 3)
                break
            except NotSeen:
                continue   # the form moved under the mouse
        else:
            raise Failure(f"{name} does not take the cursor")
        self.hands.keys("ctrl+a")
        self.hands.type(value + "\t")
        self.eyes.wait(f"{name} is {value}", lambda: (self.eyes.again(thing) or self.eyes.find("text", name)).text == value, 15)


__all__ = ["Desk", "Failure", "check", "wait_until"]
