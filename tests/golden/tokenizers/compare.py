"""Runs token_probe over many texts and compares what it says with the reference implementations."""
import json
import struct
import subprocess
import sys

import numpy


class Probe:
    def __init__(self, program):
        self.program = program

    def ask(self, mode, what, flags, texts):
        raw = b"".join(struct.pack("<I", len(t)) + t for t in (x.encode() for x in texts))
        done = subprocess.run([self.program, mode, what, flags], input=raw, capture_output=True)
        if done.returncode:
            raise RuntimeError("token_probe %s %.200s: %s" % (mode, what, done.stderr.decode(errors="replace").strip() or "signal %d" % -done.returncode))
        return done.stdout

    def run(self, mode, what, flags, texts):
        answer = self.ask(mode, what, flags, texts)
        out, at = [], 0
        while at < len(answer):
            size, = struct.unpack_from("<I", answer, at)
            out.append(answer[at + 4:at + 4 + size])
            at += 4 + size
        return out

    def encoded(self, tokenizer, flags, texts):
        """[(ids, offsets, decoded)] or the error's text."""
        out = []
        for payload in self.run("encode", tokenizer, flags, texts):
            if payload[:1] == b"!" and (len(payload) < 4 or payload[1:2].isalpha()):
                out.append(payload[1:].decode())
                continue
            n, = struct.unpack_from("<I", payload)
            numbers = numpy.frombuffer(payload, "<u4", 3 * n, 4)
            out.append((numbers[:n].tolist(), list(map(tuple, numbers[n:].reshape(-1, 2).tolist())), payload[4 + 12 * n:].decode()))
        return out


class Report:
    """Counts comparisons and tells the first differences of each tokenizer."""

    def __init__(self):
        self.strings = self.differences = self.refused = 0
        self.families = []

    def difference(self, name, text, what, ours, reference):
        self.differences += 1
        if self.differences <= 40:
            print("%s: %s of %r\n  ours      %s\n  reference %s" % (name, what, text[:120], str(ours)[:400], str(reference)[:400]), file=sys.stderr)

    def end(self, least):
        print("%d tokenizers, %d strings compared, %d differences, %d strings that the reference itself refuses" % (len(self.families), self.strings, self.differences, self.refused))
        if self.strings < least:
            print("fewer than %d strings" % least, file=sys.stderr)
        sys.exit(self.differences > 0 or self.strings < least)


def compare_ids(report, name, ours, texts, expected, decoded=None):
    report.families.append(name)
    for i, (o, t) in enumerate(zip(ours, texts)):
        report.strings += 1
        if isinstance(o, str):
            report.difference(name, t, "error", o, expected[i])
        elif o[0] != expected[i]:
            report.difference(name, t, "ids", o[0], expected[i])
        elif decoded is not None and o[2] != decoded[i]:
            report.difference(name, t, "decoded text", repr(o[2]), repr(decoded[i]))


def each(call, items):
    """call(batch) → results; where it fails, one by one, None for the ones that fail."""
    try:
        return call(items)
    except BaseException as e:  # the reference panics on some texts, and a panic is no Exception
        if isinstance(e, KeyboardInterrupt):
            raise
        if len(items) == 1:
            return [None]
        half = len(items) // 2
        return each(call, items[:half]) + each(call, items[half:])


def hugging_face(probe, report, name, path, reference, texts, decode=True, ours_first=None):
    """ids, character offsets and decoded text, without and with control tokens in the text."""
    texts = list(texts)
    reference.no_truncation()
    reference.no_padding()
    report.families.append(name)
    half = len(texts) // 2
    for flags, part in (("", texts[:half]), ("sp", texts[half:])):
        reference.encode_special_tokens = "p" not in flags
        expected = each(lambda batch: reference.encode_batch(batch, add_special_tokens="s" in flags), part)
        ours = probe.encoded(path, flags, part)
        wanted = each(lambda batch: reference.decode_batch(batch, skip_special_tokens=False), [e.ids if e else [] for e in expected]) if decode else [None] * len(part)
        for text, o, e, d in zip(part, ours, expected, wanted):
            if e is None:
                report.refused += 1
                continue
            report.strings += 1
            if isinstance(o, str):
                report.difference(name, text, "error", o, e.ids)
            elif o[0] != e.ids:
                report.difference(name, text, "ids (%s)" % flags, o[0], e.ids)
            elif o[1] != e.offsets:
                report.difference(name, text, "offsets (%s)" % flags, [x for x, y in zip(o[1], e.offsets) if x != y], [(y, i) for i, (x, y) in enumerate(zip(o[1], e.offsets)) if x != y])
            elif d is not None and o[2] != d:
                report.difference(name, text, "decoded text", repr(o[2]), repr(d))


def detail_of(e):
    return {"ids": e.ids, "types": e.type_ids, "offsets": [list(o) for o in e.offsets], "words": [-1 if w is None else w for w in e.word_ids], "special": e.special_tokens_mask, "attention": e.attention_mask}


def details(probe, report, name, path, reference, texts):
    """Type ids, masks, word numbers, windows and padding, of single texts and pairs."""
    texts = [t for t in texts if len(t) < 400]
    reference.encode_special_tokens = False
    for flags, inputs in (("sptP", texts), ("sptP2", list(zip(texts[::2], texts[1::2]))), ("ptP2", list(zip(texts[1::2], texts[::2])))):
        ours = probe.run("detail", path, flags, [t for x in inputs for t in x] if "2" in flags else inputs)
        call = lambda batch: [reference.encode(*(x if isinstance(x, tuple) else (x,)), add_special_tokens="s" in flags) for x in batch]
        for text, o, e in zip(inputs, ours, each(call, inputs)):
            if e is None:
                report.refused += 1
                continue
            report.strings += 1
            if o[:1] == b"!":
                report.difference(name, str(text), "error (%s)" % flags, o.decode(), e.ids)
                continue
            o = json.loads(o)
            overflow = [{k: v for k, v in w.items() if k != "overflow"} for w in o.pop("overflow")]
            if o != detail_of(e):
                report.difference(name, str(text), "detail (%s)" % flags, *[{k: d[k] for k in d if o[k] != detail_of(e)[k]} for d in (o, detail_of(e))])
            elif overflow != [detail_of(w) for w in e.overflowing]:
                report.difference(name, str(text), "windows (%s)" % flags, overflow, [detail_of(w) for w in e.overflowing])
