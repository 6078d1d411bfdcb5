"""Texts for the comparison of tokenizers with the reference implementations: all scripts, white space, marks, emoji, control
characters, long runs and the texts of special tokens, mixed by a seed."""
import random

RANGES = [(0x20, 0x7E)] * 6 + [(0x61, 0x7A)] * 6 + [
    (0x30, 0x39), (0x00, 0x1F), (0x80, 0xA0), (0xA0, 0x24F), (0x250, 0x2FF), (0x300, 0x36F), (0x370, 0x3FF), (0x400, 0x52F), (0x530, 0x58F),
    (0x590, 0x5FF), (0x600, 0x6FF), (0x700, 0x7FF), (0x900, 0x97F), (0x980, 0xDFF), (0xE00, 0xEFF), (0xF00, 0xFFF), (0x1000, 0x109F),
    (0x10A0, 0x10FF), (0x1100, 0x11FF), (0x1200, 0x137F), (0x13A0, 0x13FF), (0x1780, 0x17FF), (0x1800, 0x18AF), (0x1AB0, 0x1AFF),
    (0x1C80, 0x1C8F), (0x1DC0, 0x1DFF), (0x1E00, 0x1EFF), (0x1F00, 0x1FFF), (0x2000, 0x206F), (0x2070, 0x209F), (0x20A0, 0x20FF),
    (0x2100, 0x218F), (0x2190, 0x23FF), (0x2460, 0x24FF), (0x2500, 0x27BF), (0x2C00, 0x2DFF), (0x3000, 0x303F), (0x3040, 0x30FF),
    (0x3130, 0x318F), (0x3200, 0x33FF), (0x4E00, 0x9FBF), (0xA640, 0xA7FF), (0xA960, 0xA97F), (0xAB30, 0xABBF), (0xAC00, 0xD7A3),
    (0xD7B0, 0xD7FF), (0xE000, 0xE0FF), (0xF900, 0xFAFF), (0xFB00, 0xFB4F), (0xFB50, 0xFDFF), (0xFE00, 0xFE6F), (0xFE70, 0xFEFF),
    (0xFF00, 0xFFEF), (0xFFF0, 0xFFFF), (0x10000, 0x100FF), (0x10330, 0x1034F), (0x10400, 0x1044F), (0x10D00, 0x10FFF), (0x11000, 0x119FF),
    (0x12000, 0x123FF), (0x16A00, 0x16FFF), (0x1D100, 0x1D1FF), (0x1D400, 0x1D7FF), (0x1E000, 0x1E94B), (0x1F000, 0x1F2FF), (0x1F300, 0x1F6FF),
    (0x1F900, 0x1FAFF), (0x20000, 0x2A6DF), (0x2F800, 0x2FA1F), (0x30000, 0x3134A), (0xE0000, 0xE01EF), (0x10FF00, 0x10FFFF)]
GLUE = ["", "", "", " ", " ", "  ", "\n", "\t", " \n ", "\r\n", "\n\n\n", "    ", "\u00a0", "\u3000", "\u2028", "\u0085", "\u200b", "\u200d", "\ufe0f", "'s", "'LL", "'ſ",
        ".", ", ", "!", "...", "-", "_", "12", "3.14", "\u0301", "\u0327\u0301", "\u0345", "▁", "Ġ", "##", "</w>", "ß", "ﬁ", "İ", "ſ", "＿", "／", "—", "½", "Ⅷ", "\x00", "\ufffd", "|"]
WHOLE = ["", " ", "  ", "\n", "\t\n", "\u3000", "a", "\x00", "\ufeff", "👨\u200d👩\u200d👧\u200d👦", "🏳️\u200d🌈 👍🏽 🇩🇪🇫🇷 ☺️", "©\u200d©", "e\u0301\u0301\u0301", "क्षत्रिय हिन्दी", "\u1112\u1161\u11ab한글", "İstanbul ıI ΟΔΟΣ ẞ",
         "don't DON'T I'll we've they're", "eBay mL NaOH", " Việt", " Café", "a\u0085b", "a\u2028b\r\nc", "I love you.</s>", "a:<s>->", "<|user|>\nHi<|end|>\n", "Hello! 毕老师!1 + 1 = 2 ĠÑĤвÑĬÑĢ",
         "＿／—", "1234567 12345678901234567890", "http://example.com/a?b=c&d=%20#e", "    def f(self):\n        return 1\n", "x=1;if(y>2){return z[0];}//comment", "مرحبا بالعالم ١٢٣", "ภาษาไทยไม่มีช่องว่าง", "日本語のテキスト、漢字とカナ。"]
LONG = [("a", 3000), (" ", 2000), ("\n", 500), ("^", 2000), ("_", 3000), ("ab ", 500), ("é", 400), ("😀", 300), ("1", 400), ("字", 500), ("\u0301", 200), ("e\u0301", 200)]
WORDS = """the and that of to in god created heaven earth light was good day night evening morning waters above beneath firmament called dry land
appear grass herb seed fruit tree whose kind was upon saw third signs seasons years give great rule stars also naïve résumé Straße Привет мир
Москва γλώσσα ελληνικά שלום ירושלים العربية فارسی हिन्दी বাংলা தமிழ் ไทย 中文 漢字 日本 한국어 tokenizer unbelievable antidisestablishmentarianism
HTTPServer camelCase snake_case 0x1F 2024-11-30 3,141.59 user@example.com""".split()


def texts(count, seed, specials=()):
    rng = random.Random(seed)
    yield from WHOLE
    yield from (unit * n for unit, n in LONG)
    for special in specials:
        yield from (special, " " + special + " ", "x" + special + "y", special + "\n\n" + special, special * 2)
    for _ in range(max(0, count - len(WHOLE) - len(LONG) - 5 * len(specials))):
        kind, text = rng.random(), ""
        for _ in range(rng.randint(1, 8)):
            if kind < 0.35:
                text += rng.choice(WORDS)
            elif kind < 0.4:
                text += chr(rng.choice([c for c in (rng.randrange(0x110000) for _ in range(4)) if not 0xD800 <= c < 0xE000] or [97]))
            else:
                low, high = rng.choice(RANGES)
                text += "".join(chr(rng.randint(low, high)) for _ in range(rng.randint(1, 5)))
            if specials and rng.random() < 0.06:
                text += rng.choice(specials)
            text += " " if kind < 0.35 and rng.random() < 0.7 else rng.choice(GLUE)
        if rng.random() < 0.02:
            text *= rng.randint(2, 40)
        yield text
