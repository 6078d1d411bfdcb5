"""What is on the screen, as the accessibility bus tells it: roles, names, texts, places. Waits for conditions, never for time."""
import re
import sys
from pathlib import Path

import pyatspi

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from harness import Failure, wait_until  # noqa: E402
from seen import NotSeen  # noqa: E402

MANY = 400   # children of a long list that are looked at


def _states(node):
    return node.getState()


def _text(node):
    try:
        return node.queryText().getText(0, -1)
    except NotImplementedError:
        return ""


class Thing:
    """One accessible object as it was seen."""

    def __init__(self, node, depth):
        self.node = node
        self.depth = depth
        self.role = node.getRoleName()
        self.name = node.name or ""
        box = node.queryComponent().getExtents(pyatspi.DESKTOP_COORDS)
        self.x, self.y, self.width, self.height = box.x, box.y, box.width, box.height
        states = _states(node)
        self.enabled = states.contains(pyatspi.STATE_ENABLED)
        self.checked = states.contains(pyatspi.STATE_CHECKED)
        self.focused = states.contains(pyatspi.STATE_FOCUSED)
        self._words = None

    @property
    def text(self):
        if self._words is None:
            self._words = _text(self.node)
        return self._words

    @property
    def center(self):
        return self.x + self.width // 2, self.y + self.height // 2

    def __repr__(self):
        text = f" {self.text[:60]!r}" if self.text and self.text != self.name else ""
        return f"{self.role} {self.name!r}{text} ({self.x},{self.y} {self.width}x{self.height}){'' if self.enabled else ' disabled'}{' checked' if self.checked else ''}"


def _match(pattern, text):
    return pattern is None or (pattern.search(text) is not None if isinstance(pattern, re.Pattern) else pattern == text)


class Eyes:
    def __init__(self, application, pid=None):
        self.application = application
        self.pid = pid   # None: the first one of that name

    def windows(self):
        for app in pyatspi.Registry.getDesktop(0):
            if app is not None and app.name == self.application and self.pid in (None, app.get_process_id()):
                return [window for window in app if window is not None]
        return []

    def _walk(self, visit):
        """Calls visit(node, depth) for all that is showing, in the order of the tree. What goes away meanwhile is left out."""
        def walk(node, depth):
            try:
                if depth and not _states(node).contains(pyatspi.STATE_SHOWING):
                    return
                visit(node, depth)
                children = [node.getChildAtIndex(i) for i in range(min(node.childCount, MANY))]
            except Exception:   # the bus has one kind of error for everything that is gone
                return
            for child in children:
                if child is not None:
                    walk(child, depth + 1)

        for window in self.windows():
            walk(window, 0)

    def look(self):
        """All that is showing, in the order of the tree."""
        seen = []
        self._walk(lambda node, depth: seen.append(Thing(node, depth)))
        return seen

    def all(self, role=None, name=None, text=None, enabled=None):
        """What is showing and matches. Asks the bus for little of what does not match: every question takes its time."""
        found = []

        def visit(node, depth):
            if (role is None or node.getRoleName() == role) and _match(name, node.name or ""):
                thing = Thing(node, depth)
                if (text is None or _match(text, thing.text)) and (enabled is None or thing.enabled == enabled):
                    found.append(thing)

        self._walk(visit)
        return found

    def wait(self, what, condition, seconds=30):
        """The first true answer of `condition`, asked again until the deadline; then what was on the screen instead."""
        try:
            return wait_until(condition, seconds, what)
        except Failure as failure:
            raise NotSeen(f"{failure}; on the screen:\n" + "\n".join("  " * t.depth + repr(t) for t in self.look() if t.name or t.text)) from None

    def find(self, role=None, name=None, text=None, seconds=30, enabled=None, last=False):
        found = self.wait(f"{role} {name or ''} {text or ''}", lambda: self.all(role, name, text, enabled), seconds)
        return found[-1 if last else 0]

    def still(self, role=None, name=None, last=False, seconds=30, **where):
        """Finds it, and waits until it rests: two looks see it at the same place."""
        thing = self.find(role, name, seconds=seconds, last=last, **where)

        def rests():
            nonlocal thing
            before, thing = thing, self.again(thing) or self.find(role, name, seconds=seconds, last=last, **where)
            return (thing.x, thing.y, thing.width, thing.height) == (before.x, before.y, before.width, before.height)

        self.wait(f"{role} {name} at rest", rests, seconds)
        return thing

    def again(self, thing):
        """The same thing as it is now; None: it is gone or hidden."""
        try:
            return Thing(thing.node, thing.depth) if _states(thing.node).contains(pyatspi.STATE_SHOWING) else None
        except Exception:
            return None

    def gone(self, role=None, name=None, text=None, seconds=30):
        self.wait(f"no {role} {name or text}", lambda: not self.all(role, name, text), seconds)
