#!/usr/bin/env python3
"""Every code point through the normalizers, pre-tokenizers and pattern classes, compared with the reference library; and the
conformance files of unicode-data (NormalizationTest, GraphemeBreakTest), as far as the version of the tables goes.

  live_test.py FOLDER_OF_PROGRAMS
"""
import base64
import bz2
import json
import os
import re
import sys

from tokenizers import Regex, normalizers, pre_tokenizers

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../tokenizers"))
import compare
import synthetic

CPS = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]
CHUNK = 20000
UNICODE_DATA = "/usr/share/unicode"


def chunks(unit):
    return ["".join(unit % chr(c) for c in CPS[i:i + CHUNK]) for i in range(0, len(CPS), CHUNK)]


def normalizer_cases():
    n = normalizers
    for name in ("NFC", "NFD", "NFKC", "NFKD", "Lowercase", "StripAccents", "Nmt", "ByteLevel"):
        yield {"type": name}, getattr(n, name)(), "%s|"
        if name.startswith("NF"):  # composition and order of marks
            yield {"type": name}, getattr(n, name)(), "q\u0301%s\u0323\u0334|"
            yield {"type": name}, getattr(n, name)(), "%s\u0300\u0338|"
    for options in (dict(clean_text=True, handle_chinese_chars=True, strip_accents=None, lowercase=True), dict(clean_text=True, handle_chinese_chars=False, strip_accents=False, lowercase=False)):
        yield {"type": "BertNormalizer", **options}, n.BertNormalizer(**options), "%s|"
    rules = base64.b64encode(synthetic.charsmap(synthetic.RULES)).decode()
    for unit in ("a%s|", "%sa|", "e%s\u0301|", "ａ%sｂ|"):  # graphemes
        yield {"type": "Precompiled", "precompiled_charsmap": rules}, n.Precompiled(synthetic.charsmap(synthetic.RULES)), unit


def pre_tokenizer_cases():
    p = pre_tokenizers
    yield {"type": "Whitespace"}, p.Whitespace(), "a%s-"
    yield {"type": "WhitespaceSplit"}, p.WhitespaceSplit(), "a%s"
    yield {"type": "Punctuation", "behavior": "Isolated"}, p.Punctuation("isolated"), "a%s"
    yield {"type": "BertPreTokenizer"}, p.BertPreTokenizer(), "a%s"
    yield {"type": "Digits", "individual_digits": True}, p.Digits(True), "a%s"
    yield {"type": "UnicodeScripts"}, p.UnicodeScripts(), "a%sб"
    yield {"type": "ByteLevel", "add_prefix_space": False, "use_regex": True, "trim_offsets": True}, p.ByteLevel(add_prefix_space=False), " %s1"
    classes = [r"\p{%s}" % c for c in "L M N P S Z C Lu Ll Lt Lm Lo Mn Mc Nd Nl No Po Sm So Cf Cn Han Hiragana Latin Cyrillic Thai Common Inherited Unknown".split()]
    for pattern in classes + [r"\w", r"[\w]", r"\s", r"\d", r"\h", r"\P{L}", r"[^\p{L}\s]", r"[\p{L}&&[^\p{Han}]]", r"(?i:[a-zß])", "[[:punct:]]", "[[:graph:]]", "[[:print:]]", "[[:cntrl:]]", "."]:
        if pattern == r"\p{Unknown}":
            continue
        yield {"type": "Split", "pattern": {"Regex": "(?:%s)+" % pattern}, "behavior": "Isolated", "invert": False}, p.Split(Regex("(?:%s)+" % pattern), "isolated"), "%s"


def first_difference(a, b):
    at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
    return ascii(a[max(0, at - 6):at + 6]), ascii(b[max(0, at - 6):at + 6])


def data_file(name):
    path = os.path.join(UNICODE_DATA, name)
    return open(path, encoding="utf-8") if os.path.exists(path) else bz2.open(path + ".bz2", "rt", encoding="utf-8")


def conformance(probe, report):
    """NormalizationTest.txt: lines whose characters are all of Unicode 9 or older, so that the tables know them."""
    age = {}
    with data_file("DerivedAge.txt") as f:
        for line in f:
            m = re.match(r"([0-9A-F]+)(?:\.\.([0-9A-F]+))?\s*;\s*(\d+)\.", line)
            if m:
                age.update(dict.fromkeys(range(int(m[1], 16), int(m[2] or m[1], 16) + 1), int(m[3])))
    columns = []
    with data_file("NormalizationTest.txt") as f:
        for line in f:
            if re.match("[0-9A-F]", line):
                fields = ["".join(chr(int(x, 16)) for x in field.split()) for field in line.split(";")[:5]]
                if all(age.get(ord(c), 99) <= 9 for field in fields for c in field):
                    columns.append(fields)
    for form, wanted in (("NFC", 1), ("NFD", 2), ("NFKC", 3), ("NFKD", 4)):
        ours = probe.run("normalize", json.dumps({"type": form}), "", [c[0] for c in columns])
        for c, o in zip(columns, ours):
            report.strings += 1
            if o.decode() != c[wanted]:
                report.difference("NormalizationTest " + form, c[0], "text", ascii(o.decode()), ascii(c[wanted]))


def graphemes(probe, report):
    """GraphemeBreakTest.txt. A cluster of fewer than six bytes that begins with a rule's text is replaced whole."""
    with data_file("auxiliary/GraphemeBreakTest.txt") as f:
        tests = [line.split("#")[0].split() for line in f if line.startswith("÷")]
    for marks in tests:
        text = "".join(chr(int(x, 16)) for x in marks if re.fullmatch("[0-9A-F]+", x) and not 0xD800 <= int(x, 16) < 0xE000)
        clusters = []
        for sign, x in zip(marks[::2], marks[1::2]):
            clusters[len(clusters) if sign == "÷" else -1:] = [("" if sign == "÷" else clusters[-1]) + chr(int(x, 16))]
        if "".join(clusters) != text or len(clusters[0].encode()) > 5:
            continue
        first = clusters[0][0]
        rules = base64.b64encode(synthetic.charsmap({first: "X"})).decode()
        # The characters of other clusters may have the same rule.
        wanted = "".join("X" if len(c.encode()) < 6 and c.startswith(first) else c.replace(first, "X") for c in clusters)
        ours, = probe.run("normalize", json.dumps({"type": "Precompiled", "precompiled_charsmap": rules}), "", [text])
        report.strings += 1
        if ours.decode() != wanted:
            report.difference("GraphemeBreakTest", text, "text", ascii(ours.decode()), ascii(wanted))


def main():
    probe, report = compare.Probe(os.path.join(sys.argv[1], "token_probe")), compare.Report()
    for spec, reference, unit in normalizer_cases():
        texts = chunks(unit)
        report.families.append(spec["type"])
        for t, o in zip(texts, probe.run("normalize", json.dumps(spec), "", texts)):
            report.strings += 1
            wanted = reference.normalize_str(t)
            if o.decode() != wanted:
                report.difference(spec["type"], unit, "text", *first_difference(o.decode(), wanted))
    for spec, reference, unit in pre_tokenizer_cases():
        texts = chunks(unit)
        report.families.append(spec["type"])
        for t, o in zip(texts, probe.run("pieces", json.dumps(spec), "", texts)):
            report.strings += 1
            wanted = [piece for piece, _ in reference.pre_tokenize_str(t)]
            ours = o.decode().split("\0")[:-1] if "\0" not in t else None
            if (o != b"".join(w.encode() + b"\0" for w in wanted)) if ours is None else ours != wanted:
                report.difference(spec["type"] + str(spec.get("pattern", "")), unit, "pieces", *first_difference(ours or o.split(b"\0"), wanted))
    conformance(probe, report)
    graphemes(probe, report)
    report.end(1000)


if __name__ == "__main__":
    main()
