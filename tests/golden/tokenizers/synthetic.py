"""Tokenizers that between them use every part of the tokenizer.json format, made with the reference library from a fixed
vocabulary, so that every run compares the same ones."""
import base64
import json
import random
import struct

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

import fuzz_texts

CORPUS = [" ".join(random.Random(5).choices(fuzz_texts.WORDS, k=4000))] + list(fuzz_texts.texts(2500, 77))


def charsmap(rules):
    """Rules {text: replacement} as SentencePiece compiles them: a double array over bytes, then the replacements."""
    texts, where = b"", {}
    for key, value in sorted(rules.items()):
        where[key.encode()] = len(texts)
        texts += value.encode() + b"\0"
    units, used = {0: 0}, {0}

    def insert(keys, depth, node):
        labels = sorted({k[depth] if len(k) > depth else 0 for k in keys})
        base = 1
        while any(((node ^ base) ^ c) in used or ((node ^ base) ^ c) == 0 for c in labels) or base >= 1 << 21:
            base += 1
        units[node] = units.get(node, 0) | base << 10
        for c in labels:
            used.add(node ^ base ^ c)
        for c in labels:
            child = node ^ base ^ c
            if c == 0:
                units[node] |= 1 << 8
                units[child] = 1 << 31 | where[next(k for k in keys if len(k) == depth)]
            else:
                units[child] = c
                insert([k for k in keys if len(k) > depth and k[depth] == c], depth + 1, child)

    insert(list(where), 0, 0)
    size = (max(units) // 256 + 1) * 256
    trie = b"".join(struct.pack("<I", units.get(i, 0)) for i in range(size))
    return struct.pack("<I", len(trie)) + trie + texts


RULES = {"\t": " ", "\n": " ", "\u3000": " ", "\u00a0": " ", "\u200b": "", "\x01": "", "\ufeff": "", "ﬁ": "fi", "½": "1⁄2", "＿": "_", "／": "/", "…": "...", "㌔": "キロ", "e\u0301": "é",
         "ａ": "a", "ｂ": "b", "é": "é", "\u0301": "\u0301", "①": "1", "Ⅷ": "VIII", "한": "한", "\u1112\u1161\u11ab": "한", "❤": "<3", "🇩": "D"}


def bpe(pre, normalizer=None, size=900, alphabet=True, specials=("<unk>", "<s>", "</s>", "<pad>"), **options):
    t = Tokenizer(models.BPE(**{k: v for k, v in options.items() if k in ("unk_token", "continuing_subword_prefix", "end_of_word_suffix", "fuse_unk")}))
    t.normalizer, t.pre_tokenizer = normalizer, pre
    trainer = {k: v for k, v in options.items() if k in ("continuing_subword_prefix", "end_of_word_suffix", "limit_alphabet")}
    t.train_from_iterator(CORPUS, trainers.BpeTrainer(vocab_size=size, special_tokens=list(specials), show_progress=False,
                                                      initial_alphabet=pre_tokenizers.ByteLevel.alphabet() if alphabet else [], **trainer))
    return t


def unigram(size=600, **options):
    vocab = [("<unk>", 0.0), ("<s>", 0.0), ("</s>", 0.0)] + ([("<0x%02X>" % b, -8.0) for b in range(256)] if options.get("byte_fallback") else [])
    seen, rng = {p for p, _ in vocab}, random.Random(11)
    pieces = ["▁", "▁▁", "a", "e", "i", "o", "s", "t", "n", ".", ",", "1", "2", "é", "字", "日本", "한", "😀"]
    while len(pieces) < size:
        word = "▁" + rng.choice(fuzz_texts.WORDS)
        a = rng.randrange(len(word))
        pieces.append(word[a:rng.randint(a + 1, min(len(word), a + 6))])
    for p in pieces:
        if p not in seen:
            seen.add(p)
            vocab.append((p, -rng.choice([3.0, 4.0, 4.5, 5.25, 6.5, 7.0])))
    return Tokenizer(models.Unigram(vocab, **{"unk_id": 0, **options}))


def seq(*parts):
    return pre_tokenizers.Sequence(list(parts))


SPLITS = [("a", "removed", False), ("\\s+", "isolated", False), ("[aeiou]", "merged_with_previous", False), ("[aeiou]+", "merged_with_next", False), ("\\p{L}+", "contiguous", False),
          ("\\p{L}+", "removed", True), ("[^\\W\\d_]+|\\d", "merged_with_previous", True), ("(?=[A-Z])", "isolated", False), ("\\p{Han}|[ぁ-ん]+", "merged_with_next", True), ("[[:punct:]]+", "contiguous", True),
          ("[\\p{L}&&[^\\p{Han}a-f]]+", "isolated", False), ("\\b", "removed", False), ("(?i:the|and)|\\w{2,3}+", "isolated", False), ("\\p{N}{1,3}(?=(?:\\p{N}{3})*\\b)", "isolated", False),
          ("[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+", "isolated", False), ("(?m:.){1,4}", "isolated", False), ("x*", "isolated", False), ("[\\h\\x{41}-\\u005A]+", "removed", False)]
LITERALS = [(".", "removed", False), ("▁", "merged_with_next", False), ("(a|b)", "isolated", False), ("e", "merged_with_previous", True), (" ", "contiguous", False)]


def tokenizers():
    """Name and tokenizer."""
    N, P, D, R = normalizers, pre_tokenizers, decoders, processors
    bare = P.ByteLevel(add_prefix_space=False, use_regex=False)
    out = {}

    def add(name, t, specials=()):
        t.add_special_tokens([AddedToken(s, normalized=False) for s in specials])
        out[name] = t

    for name, form in (("nfc", N.NFC()), ("nfd", N.NFD()), ("nfkc", N.NFKC()), ("nfkd", N.NFKD())):
        t = bpe(P.ByteLevel(add_prefix_space=name == "nfd"), N.Sequence([form, N.Lowercase()]) if name in ("nfkc", "nfkd") else form)
        t.decoder = D.ByteLevel()
        t.post_processor = R.ByteLevel(trim_offsets=name != "nfc", add_prefix_space=name == "nfd")
        add("byte_level_" + name, t, ["<|im_end|>"])
    for i, (pattern, behavior, invert) in enumerate(SPLITS):
        t = bpe(seq(P.Split(Regex(pattern), behavior, invert), bare), size=500)
        t.decoder = D.ByteLevel()
        add("split_%d" % i, t)
    for i, (literal, behavior, invert) in enumerate(LITERALS):
        add("literal_%d" % i, bpe(seq(P.Split(literal, behavior, invert), bare), size=500))
    # Llama 2's way: byte fallback, whole text as one word
    base = json.loads(bpe(P.Split("▁", "merged_with_next"), N.Sequence([N.Prepend("▁"), N.Replace(" ", "▁")]), alphabet=False, limit_alphabet=80,
                          specials=["<unk>", "<s>", "</s>"] + ["<0x%02X>" % b for b in range(256)]).to_str())["model"]
    merges = [tuple(x) for x in base["merges"]]
    fallback = lambda **o: Tokenizer(models.BPE(base["vocab"], merges, unk_token="<unk>", **o))
    t = fallback(fuse_unk=True, byte_fallback=True)
    t.normalizer = N.Sequence([N.Prepend("▁"), N.Replace(" ", "▁")])
    t.decoder = D.Sequence([D.Replace("▁", " "), D.ByteFallback(), D.Fuse(), D.Strip(" ", 1, 0)])
    t.post_processor = R.TemplateProcessing(single="<s> $A", pair="<s> $A <s>:1 $B:1 </s>:1", special_tokens=[("<s>", 1), ("</s>", 2)])
    t.add_tokens([AddedToken("<|user|>", rstrip=True, normalized=False), AddedToken("<|left|>", lstrip=True, normalized=False), AddedToken("world", single_word=True), AddedToken("the", single_word=True, normalized=False),
                  AddedToken("Good Day", normalized=True), AddedToken("both", lstrip=True, rstrip=True)])
    add("llama2", t, ["<unk>", "<s>", "</s>"])
    for scheme in ("first", "never", "always"):
        for split in (True, False):
            t = fallback(fuse_unk=split)
            if scheme == "first" and split:
                t.normalizer = N.Strip(left=True, right=False)
            t.pre_tokenizer = P.Metaspace(prepend_scheme=scheme, split=split)
            t.decoder = D.Metaspace(prepend_scheme=scheme, split=split)
            add("metaspace_%s_%s" % (scheme, split), t, ["<unk>", "</s>"])
    t = fallback(byte_fallback=True, ignore_merges=True)
    t.pre_tokenizer = seq(P.WhitespaceSplit(), P.Metaspace(replacement="▁", prepend_scheme="first"))
    add("metaspace_sequence", t)
    t = fallback()
    t.normalizer = N.Sequence([N.Replace(Regex("^"), "▁"), N.Lowercase()])
    add("odd_replace", t)
    # prefix and suffix
    t = bpe(P.Whitespace(), N.Sequence([N.NFKC(), N.Replace(Regex(r"\s+"), " "), N.Strip(), N.Lowercase()]), alphabet=False, unk_token="<unk>", end_of_word_suffix="</w>", limit_alphabet=120)
    t.decoder = D.BPEDecoder("</w>")
    add("clip", t, ["<unk>"])
    t = bpe(P.BertPreTokenizer(), N.Nmt(), alphabet=False, unk_token="<unk>", continuing_subword_prefix="##", limit_alphabet=100)
    t.decoder = D.WordPiece("##", cleanup=False)
    add("bpe_prefix", t, ["<unk>"])
    # WordPiece
    for name, options in (("uncased", {}), ("cased", dict(lowercase=False)), ("accents", dict(strip_accents=False)), ("raw", dict(clean_text=False, handle_chinese_chars=False, strip_accents=True, lowercase=False))):
        t = Tokenizer(models.WordPiece(unk_token="[UNK]", max_input_chars_per_word=20 if name == "raw" else 100))
        t.normalizer, t.pre_tokenizer = N.BertNormalizer(**options), P.BertPreTokenizer()
        t.train_from_iterator(CORPUS, trainers.WordPieceTrainer(vocab_size=700, special_tokens=["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"], limit_alphabet=200, show_progress=False))
        t.decoder = D.WordPiece(cleanup=name != "cased")
        t.post_processor = R.BertProcessing(("[SEP]", 3), ("[CLS]", 2)) if name == "cased" else R.TemplateProcessing(single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
        if name == "uncased":
            t.enable_truncation(24, stride=4)
            t.enable_padding(pad_id=0, pad_token="[PAD]", pad_to_multiple_of=8)
        elif name == "cased":
            t.enable_truncation(17, stride=3, strategy="only_first", direction="left")
            t.enable_padding(direction="left", length=24, pad_type_id=2)
        elif name == "accents":
            t.enable_truncation(15, strategy="only_second", stride=2)
        add("wordpiece_" + name, t, ["[UNK]", "[CLS]", "[MASK]"])
    # WordLevel
    words = {w: i for i, w in enumerate(["[UNK]", "<pad>", "|"] + sorted(set(fuzz_texts.WORDS)) + list("abcdefghij.,!1234567890 字日"))}
    pres = {"whitespace": P.Whitespace(), "split": P.WhitespaceSplit(), "digits": seq(P.WhitespaceSplit(), P.Digits(True)), "digits_run": P.Digits(False), "punctuation": P.Punctuation("merged_with_previous"),
            "punctuation_contiguous": seq(P.Punctuation("contiguous"), P.Punctuation("removed")), "delimiter": P.CharDelimiterSplit("|"), "scripts": seq(P.UnicodeScripts(), P.Whitespace()), "only_scripts": P.UnicodeScripts(), "fixed": P.FixedLength(3), "none": None}
    for i, (name, pre) in enumerate(pres.items()):
        t = Tokenizer(models.WordLevel(words, unk_token="[UNK]"))
        t.pre_tokenizer = pre
        t.normalizer = [None, N.StripAccents(), N.Sequence([N.NFD(), N.StripAccents(), N.Lowercase()]), N.Replace("the", "THE "), N.Strip(left=False), N.Sequence([N.Strip(), N.Prepend("x ")])][i % 6]
        t.decoder = [None, D.CTC(), D.CTC(cleanup=False), D.Fuse(), D.Sequence([D.Strip("a", 1, 1)]), D.Replace(Regex("[aeiou]"), "_")][i % 6]
        t.post_processor = [None, R.RobertaProcessing(("</s>", 1), ("<s>", 2)), R.Sequence([R.ByteLevel(trim_offsets=True), R.TemplateProcessing(single="$A $A |", pair="$B $A |:3", special_tokens=[("|", 2)])])][i % 3]
        add("wordlevel_" + name, t, ["[UNK]"])
    # Unigram
    for i, (name, fallback_) in enumerate((("plain", False), ("bytes", True), ("precompiled", False), ("t5", True))):
        t = unigram(byte_fallback=fallback_)
        if name in ("precompiled", "t5"):
            precompiled = N.Precompiled(base64.b64encode(charsmap(RULES)).decode()) if False else N.Precompiled(charsmap(RULES))
            t.normalizer = N.Sequence([precompiled, N.Replace(Regex(" {2,}"), " ")]) if name == "t5" else precompiled
        t.pre_tokenizer = [P.Metaspace(), P.Metaspace(prepend_scheme="first", split=False), seq(P.WhitespaceSplit(), P.Metaspace()), P.Metaspace(prepend_scheme="never")][i]
        t.decoder = D.Sequence([D.ByteFallback(), D.Metaspace()]) if fallback_ else D.Metaspace()
        t.post_processor = R.TemplateProcessing(single="$A </s>", pair="$A </s> $B </s>", special_tokens=[("</s>", 2)])
        t.enable_truncation(12, stride=5, direction="left" if i % 2 else "right")
        t.enable_padding(pad_id=1)
        add("unigram_" + name, t, ["</s>", "<unk>"])
    t = bpe(None, N.ByteLevel())
    t.decoder = D.ByteLevel()
    t.add_tokens([AddedToken("Good Day", normalized=True), AddedToken("naïve", normalized=True)])
    add("byte_level_normalizer", t)
    t = bpe(P.ByteLevel(add_prefix_space=True))
    t.decoder = D.ByteLevel()
    t.post_processor = R.RobertaProcessing(("</s>", 2), ("<s>", 1), trim_offsets=True, add_prefix_space=True)
    t.enable_truncation(16, stride=2)
    t.add_special_tokens([AddedToken("<mask>", lstrip=True, rstrip=True, normalized=False)])
    add("roberta", t, ["<s>", "</s>"])
    return out
