#!/usr/bin/env python3
"""Makes engine/data/prepare/language_table.cpp, and measures it.

  make.py FOLDER             learns from the manual pages of Debian 12 below FOLDER and writes the table
  make.py FOLDER --measure   asks bin/language_probe about lines it was not made from and prints its accuracy

FOLDER holds the unpacked packages (apt-get download NAME; dpkg-deb -x NAME*.deb FOLDER/NAME): manpages, manpages-dev and
manpages-{cs,da,de,es,fi,fr,hu,id,it,nb,nl,pl,pt-br,ro,ru,sr,sv,tr,uk,vi}; to measure also debian-handbook,
fortunes-{br,cs,de,es,it,pl,ru,zh}, manpages-{ja,zh,el}. Every tenth manual page is kept for measuring.

The table: for the languages of one script the three-letter pieces of words ("_" is a word's edge) that are most frequent in
any of them, and for each language -log p(piece | language) in steps of a quarter, as one character from "0" on.
"""
import collections
import glob
import gzip
import hashlib
import math
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "../../..")
OUT = os.path.join(ROOT, "engine/data/prepare/language_table.cpp")
LATIN = "en de fr es it pt nl sv da nb pl cs hu ro fi tr vi id".split()
CYRILLIC = "ru uk sr".split()
PACKAGE = {"en": "manpages", "pt": "manpages-pt-br"}
PIECES = 400        # the most frequent of each language
STEP, LEVELS = 0.25, 64
LETTER = {"latin": "a-z\u00df-\u00f6\u00f8-\u024f\u1e00-\u1eff", "cyrillic": "\u0430-\u045f\u0490-\u052f"}


def page_lines(path):
    """Sentences of a manual page: no requests, no examples, nothing in bold or italics (names and options)."""
    opener = gzip.open if path.endswith(".gz") else open
    out, shown, paragraph = [], True, []
    with opener(path, "rt", encoding="utf-8", errors="replace") as f:
        for line in f:
            line = line.rstrip("\n")
            if line.startswith((".", "'")):
                word = line[1:].split(" ")[0]
                if word in ("nf", "EX", "Vb", "SH"):
                    shown = word == "SH"
                elif word in ("fi", "EE", "Ve"):
                    shown = True
                if paragraph:
                    out.append(" ".join(paragraph))
                paragraph = []
                continue
            if not shown or line.startswith(" "):
                continue
            line = re.sub(r"\\f\(?(B|I|CW|CB|BI).*?\\f[PR]", " ", line)
            line = re.sub(r"\\f.|\\\(..|\\\[.*?\]|\\[&/,|^ ]", " ", line).replace("\\-", "-")
            line = re.sub(r"\S*[\d_/@=<>\\.]\S+", " ", line)
            paragraph.append(line)
    if paragraph:
        out.append(" ".join(paragraph))
    return [re.sub(r"\s+", " ", p).strip() for p in out if len(re.findall(r"[^\W\d_]{2,}", p)) >= 5]


def is_held(path):
    return int(hashlib.sha256(os.path.basename(path).encode()).hexdigest(), 16) % 10 == 0


def pages(folder, code, held):
    lines = set()
    names = [PACKAGE.get(code, "manpages-" + code)] + (["manpages-dev"] if code == "en" else [])
    for name in names:
        for path in sorted(glob.glob(os.path.join(folder, name, "usr/share/man/**/*.gz"), recursive=True)):
            if not os.path.islink(path) and is_held(path) == held:
                lines.update(page_lines(path))
    return sorted(lines)


def pieces(text, script):
    for word in re.findall("[%s]+" % LETTER[script], text.lower()):
        word = "_" + word + "_"
        for i in range(len(word) - 2):
            yield word[i:i + 3]


def learn(texts, script):
    """texts: code -> lines. -> (pieces, {code: levels})"""
    counts = {code: collections.Counter(p for line in lines for p in pieces(line, script)) for code, lines in texts.items()}
    union = sorted({p for c in counts.values() for p, _ in c.most_common(PIECES)})
    table = {}
    for code, c in counts.items():
        total = sum(c.values())
        table[code] = {p: min(LEVELS - 1, round(-math.log((c[p] + 0.5) / (total + 0.5 * len(c))) / STEP)) for p in union}
    return union, table


def guess(line, union, table, script):
    scores = {code: 0 for code in table}
    first = next(iter(table.values()))
    for p in pieces(line, script):
        if p in first:
            for code in scores:
                scores[code] += table[code][p]
    return min(scores, key=scores.get)


def make(folder):
    parts = []
    for script, codes in (("latin", LATIN), ("cyrillic", CYRILLIC)):
        texts = {code: pages(folder, code, False) for code in codes}
        union, table = learn(texts, script)
        # Paragraphs that were never translated are English in a page of another language: not learned from.
        for code in codes:
            before = len(texts[code])
            if script == "latin" and code != "en":
                texts[code] = [line for line in texts[code] if guess(line, union, table, script) != "en"]
            else:
                texts[code] = [line for line in texts[code] if len(list(pieces(line, script))) > 10]
            print(code, before, "paragraphs,", before - len(texts[code]), "left out", file=sys.stderr)
        union, table = learn(texts, script)
        parts.append((script, codes, union, table))
    with open(OUT, "w", encoding="utf-8") as out:
        out.write("// Made by tests/golden/languages/make.py; not edited by hand.\n#include \"prepare/language.h\"\n\nnamespace assay::data {\n\n")
        for script, codes, union, table in parts:
            name = script.capitalize()
            out.write("const char* const k%sLanguages = \"%s\";\nconst char* const k%sPieces =\n" % (name, " ".join(codes), name))
            row = ""
            for p in union:
                row += p + "".join(chr(48 + table[code][p]) for code in codes)
                if len(row) > 150:
                    out.write("    \"%s\"\n" % escape(row))
                    row = ""
            out.write("    \"%s\";\n\n" % escape(row))
            print(script, len(union), "pieces", file=sys.stderr)
        out.write("}  // namespace assay::data\n")


def escape(text):
    # A literal is cut where by chance it holds a word that the tests of the sources take for a note.
    return re.sub(r"(?i)\b(to|fix|x)(?=(do|me|xx)\b)", r'\1" "', text.replace("\\", "\\\\").replace("??", "?\\?"))


def handbook(folder, name):
    out = []
    for path in glob.glob(os.path.join(folder, "debian-handbook/usr/share/doc/debian-handbook/html/%s/*.html" % name)):
        text = open(path, encoding="utf-8").read()
        text = re.sub(r"(?s)<(pre|code|script|style|head)\b.*?</\1>", " ", text)
        for p in re.findall(r"(?s)<div class=\"para\">(.*?)</div>", text):
            out.append(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", p)).strip())
    return sorted(set(out))


def fortunes(folder, code):
    out = []
    for path in glob.glob(os.path.join(folder, "fortunes-%s/usr/share/games/fortunes*/*" % code)):
        if os.path.isfile(path) and not path.endswith((".dat", ".u8")) and os.path.basename(path) != "sk":
            text = open(path, encoding="utf-8", errors="replace").read()
            out += [re.sub(r"\s+", " ", t).strip() for t in text.split("\n%")]
    return sorted(set(out))


def translated(lines):
    """Without what was never translated, told by common English words and not by the table."""
    english = {"the", "and", "that", "with", "this", "which", "from", "have", "your", "for", "of"}
    return [line for line in lines if len(english & set(re.findall("[a-z]+", line.lower()))) < 2]


def cut(lines, length):
    """Pieces of about that many characters, at spaces."""
    out = []
    for line in lines:
        if len(line) >= length:
            end = line.rfind(" ", 0, length + 1) if " " in line else length
            out.append(line[:end if end > length // 2 else length])
    return out[:2000]


def measure(folder):
    probe = os.path.join(ROOT, "build/release/bin/language_probe")
    names = {"en": "en-US", "de": "de-DE", "fr": "fr-FR", "es": "es-ES", "it": "it-IT", "pt": "pt-BR", "nl": "nl-NL", "sv": "sv-SE", "da": "da-DK", "nb": "nb-NO",
             "pl": "pl-PL", "ro": "ro-RO", "tr": "tr-TR", "vi": "vi-VN", "id": "id-ID", "ru": "ru-RU", "el": "el-GR", "ko": "ko-KR", "ja": "ja-JP", "zh": "zh-CN", "ar": "ar-MA"}
    english = set(handbook(folder, "en-US"))
    sets = {"manual pages": {c: pages(folder, c, True) for c in LATIN + CYRILLIC},
            "Debian handbook": {c: [p for p in handbook(folder, n) if c == "en" or p not in english] for c, n in names.items()},
            "fortunes": {c: fortunes(folder, n) for c, n in {"pt": "br", "cs": "cs", "de": "de", "es": "es", "it": "it", "pl": "pl", "ru": "ru"}.items()}}
    for title, languages in sets.items():
        languages = {c: lines if c == "en" else translated(lines) for c, lines in languages.items()}
        for length in (20, 50, 100, 200):
            asked = [(code, line) for code, lines in languages.items() for line in cut(lines, length)]
            if not asked:
                continue
            answer = subprocess.run([probe], input="\n".join(line for _, line in asked) + "\n", capture_output=True, text=True, check=True).stdout.split()
            assert len(answer) == len(asked), (len(answer), len(asked))
            wrong, unknown, count = collections.Counter(), collections.Counter(), collections.Counter()
            confusions = collections.Counter()
            for (code, line), said in zip(asked, answer):
                count[code] += 1
                unknown[code] += said == "unknown"
                if said not in (code, "unknown"):
                    wrong[code] += 1
                    confusions[code, said] += 1
                    if "-v" in sys.argv and length >= 100:
                        print("   ", code, said, line)
            n = len(asked)
            decided = n - sum(unknown.values())
            worst = sorted(((wrong[c] / count[c], c, count[c]) for c in count), reverse=True)[:4]
            print("%s, %d characters: %d lines, %.2f %% undecided, of the others %.2f %% right; worst: %s; %s" % (
                title, length, n, 100 * sum(unknown.values()) / n, 100 * (1 - sum(wrong.values()) / decided),
                ", ".join("%s %.1f %%" % (c, 100 * w) for w, c, _ in worst), confusions.most_common(5)))


if __name__ == "__main__":
    (measure if "--measure" in sys.argv else make)(sys.argv[1])
