#!/usr/bin/env python3
"""Speed of encoding beside PyPI tokenizers, in turn, on one thread: tokenize.py BIN_DIR [FAMILY,…] [TEXT,…]

Each repeat takes the next slice of the text, so that neither side sees a word because the slice is repeated; the first slice
warms both up. MB are 10^6 bytes, seconds are CPU seconds of the process; medians. Ids of all slices are compared.
BENCH_REPEATS (5), BENCH_SLICE (bytes, 600000), BENCH_WORK (folder kept between runs), BENCH_TOKENIZERS (more folders to look for
tokenizer files in, with ":")."""
import json, os, pathlib, statistics, struct, subprocess, sys, tempfile, time

import tokenizers
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

import tokenize_inputs as inputs

cache = os.environ["ASSAY_CACHE"]
repeats, slice_bytes = int(os.environ.get("BENCH_REPEATS", 5)), int(os.environ.get("BENCH_SLICE", 600_000))
work = pathlib.Path(os.environ.get("BENCH_WORK") or tempfile.mkdtemp(prefix="assay-bench-tokenize-"))
work.mkdir(parents=True, exist_ok=True)


class Ours:
    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        if not answer or answer.startswith("error"):
            sys.exit(f"bench_tokenize: {line}: {answer or 'stopped'}")
        return answer

    def encode(self, threads=1, out=""):
        wall, cpu, ids, allocations = self.ask(f"encode {threads} {out}").split()
        return float(wall), float(cpu), int(ids), int(allocations)


def ids_of(path):
    data, at, out = open(path, "rb").read(), 0, []
    while at < len(data):
        (n,) = struct.unpack_from("<I", data, at)
        out.append(list(struct.unpack_from(f"<{n}i", data, at + 4)))
        at += 4 + 4 * n
    return out


def slices(documents):
    """repeats + 1 slices of about slice_bytes, the first three times as long (less when the text is short)."""
    size = sum(len(d.encode()) for d in documents)
    each, out, now, n = min(slice_bytes, size / (repeats + 3.5)), [], [], 0
    for document in documents:
        now.append(document)
        n += len(document.encode())
        if n >= (each if out else 3 * each):
            out.append(now)
            now, n = [], 0
        if len(out) == repeats + 1:
            break
    return out


def family(ours, name, path, texts):
    ours.ask(f"load {path}")
    peer = Tokenizer.from_file(str(path))
    peer.no_truncation()
    peer.no_padding()
    peer.encode_special_tokens = True  # the text of control tokens is plain text, as with ours
    for text, documents in texts.items():
        mine, other, ratio, equal, wall = [], [], [], True, []
        for i, part in enumerate(slices(documents)):
            size = sum(len(d.encode()) for d in part) / 1e6
            inputs.pack(part, work / "text.bin")
            ours.ask(f"text {work / 'text.bin'}")
            _, cpu, _, allocations = ours.encode()
            start = time.process_time()
            answer = peer.encode_batch_fast(part, add_special_tokens=False)
            peer_cpu = time.process_time() - start
            ours.encode(1, work / "ids.bin")
            ours.ask("text /dev/null")  # its answer comes when the ids are written
            equal &= ids_of(work / "ids.bin") == [e.ids for e in answer]
            if i == 0:
                continue
            mine.append(size / cpu)
            other.append(size / peer_cpu)
            ratio.append(peer_cpu / cpu)
            wall.append(allocations / size)
        print(f"| {name} | {text} | {statistics.median(mine):.1f} ({min(mine):.1f}-{max(mine):.1f}) | {statistics.median(other):.2f} | "
              f"{statistics.median(ratio):.1f}x | {statistics.median(wall):.0f} | {'yes' if equal else 'NO'} |", flush=True)
        yield text, statistics.median(ratio), equal


def shapes(ours, name, path):
    n = 1_000_000
    ours.ask(f"load {path}")
    cases = {"a": "a" * n, "space": " " * n, "newline": "\n" * n, "0": "0" * n, "^": "^" * n, "é": "é" * (n // 2), "中": "中" * (n // 3), "A": "A" * n,
             "emoji": "\U0001F600\U0001F469\u200D\U0001F4BB" * (n // 15), "no spaces": "".join(chr(97 + (i * i * 7 + i // 3) % 26) for i in range(n)),
             "base64": "".join("ABCDEFGHIJabcdefghij0123456789+/"[(i * i * 31 + i // 7) % 32] for i in range(n)), "marks": "e\u0301" * (n // 3)}
    worst = []
    for case, text in cases.items():
        inputs.pack([text], work / "text.bin")
        ours.ask(f"text {work / 'text.bin'}")
        times = [ours.encode()[1] for _ in range(3)]
        worst.append((statistics.median(times) * 1000, case))
    print(f"| {name} | " + ", ".join(f"{case} {ms:.0f}" for ms, case in worst) + " |", flush=True)
    return max(worst)


def training(ours, documents):
    """A byte-level BPE vocabulary of 8,000 from the text, in turn; the merges are compared."""
    inputs.pack(documents, work / "text.bin")
    ours.ask(f"text {work / 'text.bin'}")
    mine, other = [], []
    for _ in range(3):
        mine.append(float(ours.ask(f"train 8000 {work / 'trained.json'}").split()[1]))
        peer = Tokenizer(models.BPE())
        peer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        how = trainers.BpeTrainer(vocab_size=8000, special_tokens=["<|endoftext|>"], initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False)
        start = time.process_time()
        peer.train_from_iterator(documents, how)
        other.append(time.process_time() - start)
    same = json.loads((work / "trained.json").read_text())["model"]["merges"] == json.loads(peer.to_str())["model"]["merges"]
    a, b = statistics.median(mine), statistics.median(other)
    print(f"\nVocabulary of 8,000 from {sum(len(d.encode()) for d in documents) / 1e6:.1f} MB: ours {a:.2f} s, peer {b:.2f} s of CPU, {b / a:.1f}x, merges equal: {'yes' if same else 'NO'}")


def main():
    ours = Ours(os.path.join(sys.argv[1], "bench_tokenize"))

    def export(source, path):
        ours.ask(f"load {source}")
        ours.ask(f"export {path}")

    roots = [*filter(None, os.environ.get("BENCH_TOKENIZERS", "").split(":")), os.path.join(cache, "assets"), cache]
    found = inputs.tokenizers(roots, work, export)
    texts = inputs.texts(cache, work)
    if len(sys.argv) > 2 and sys.argv[2]:
        found = {k: v for k, v in found.items() if k.split()[0] in sys.argv[2].split(",")}
    if len(sys.argv) > 3:
        texts = {k: v for k, v in texts.items() if k in sys.argv[3].split(",")}
    print(f"tokenizers {tokenizers.__version__}, {repeats} repeats, load {os.getloadavg()[0]:.2f}\n")
    print("| tokenizer | text | ours MB/s | peer MB/s | ratio | allocations per MB | ids equal |\n|---|---|---|---|---|---|---|")
    bad = []
    for name, path in found.items():
        for text, ratio, equal in family(ours, name, path, texts):
            if not equal:
                bad.append(f"{name} on {text}: other ids")
            if ratio < 20 and text in ("docs", "kjv"):
                bad.append(f"{name} on {text}: {ratio:.1f} times the peer, 20 wanted")
    print("\n10^6 bytes of one shape, ms\n\n| tokenizer | ms |\n|---|---|")
    for name, path in found.items():
        ms, case = shapes(ours, name, path)
        if ms >= 200:
            bad.append(f"{name}: {case} takes {ms:.0f} ms, less than 200 wanted")
    print("\nTwo threads against one, wall clock; CPU seconds of one against half of those of two, which other programs do not touch\n\n| tokenizer | wall | CPU |\n|---|---|---|")
    if "docs" in texts:
        inputs.pack(texts["docs"], work / "text.bin")
        for name, path in found.items():
            ours.ask(f"load {path}")
            ours.ask(f"text {work / 'text.bin'}")
            ours.encode()
            ours.encode(2)
            pairs = [(ours.encode(1), ours.encode(2)) for _ in range(repeats)]
            wall, cpu = (statistics.median(a[k] / b[k] * (1, 2)[k] for a, b in pairs) for k in (0, 1))
            print(f"| {name} | {wall:.2f} | {cpu:.2f} |", flush=True)
        training(ours, texts["docs"])
    print(f"\nload {os.getloadavg()[0]:.2f}")
    for line in bad:
        print("missed:", line)
    return bool(bad)


sys.exit(main())
