"""A mouse and a keyboard: X events only (XTEST), as from a person."""
from Xlib import XK, X, display
from Xlib.ext import xtest

NAMED = {" ": "space", "\n": "Return", "\t": "Tab", "-": "minus", "_": "underscore", "/": "slash", ".": "period", ",": "comma", ":": "colon",
         "=": "equal", "+": "plus", "<": "less", ">": "greater", "(": "parenleft", ")": "parenright", "~": "asciitilde", "'": "apostrophe",
         "[": "bracketleft", "]": "bracketright", "{": "braceleft", "}": "braceright", "%": "percent", "\"": "quotedbl", "&": "ampersand", ";": "semicolon"}


class Hands:
    def __init__(self, name=None):
        self.display = display.Display(name)

    def _event(self, kind, detail=0, **where):
        xtest.fake_input(self.display, kind, detail, **where)
        self.display.sync()

    def move(self, x, y):
        self._event(X.MotionNotify, x=int(x), y=int(y))

    def click(self, x, y, button=1):
        self.move(x, y)
        self._event(X.ButtonPress, button)
        self._event(X.ButtonRelease, button)

    def wheel(self, x, y, down):
        for _ in range(abs(down)):
            self.click(x, y, 5 if down > 0 else 4)

    def keys(self, chord):
        """'ctrl+Return', 'Escape', 'a'."""
        *held, last = chord.split("+") if chord != "+" else ["plus"]
        held = [{"ctrl": "Control_L", "shift": "Shift_L", "alt": "Alt_L"}[key] for key in held]
        codes = [self.display.keysym_to_keycode(XK.string_to_keysym(key)) for key in held]
        code, shifted = self._code(XK.string_to_keysym(last))
        if shifted:
            codes.append(self.display.keysym_to_keycode(XK.XK_Shift_L))
        for held_code in codes:
            self._event(X.KeyPress, held_code)
        self._event(X.KeyPress, code)
        self._event(X.KeyRelease, code)
        for held_code in reversed(codes):
            self._event(X.KeyRelease, held_code)

    def type(self, text):
        for letter in text:
            self.keys(NAMED.get(letter, letter))

    def _code(self, keysym):
        for code, index in self.display.keysym_to_keycodes(keysym):
            if index in (0, 1):
                return code, index == 1
        raise ValueError(f"no key for {keysym:#x}")
