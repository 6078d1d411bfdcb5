"""Comparisons with the tokenizer code of the packages that the files come from: openai-whisper (tiktoken) and rwkv."""
import importlib.util
import json
import os
import shutil

from tokenizers import Tokenizer

import compare
import fuzz_texts

FOLDER = os.path.join(os.environ["ASSAY_CACHE"], "tests")


def module(path):
    spec = importlib.util.spec_from_file_location("oracle_" + os.path.basename(path)[:-3], path)
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def whisper(probe, report, count, folder):
    """The ranks as they stand in the package, and with a config.json that tells models of the same ranks apart."""
    code = module(os.path.join(FOLDER, "whisper/tokenizer.py"))
    for ranks, languages, vocabulary in (("gpt2", 99, 51864), ("multilingual", 99, None), ("multilingual", 99, 51865), ("multilingual", 100, 51866)):
        name = "whisper_%s_%s" % (ranks, vocabulary)
        place = os.path.join(folder, name)
        os.makedirs(place)
        shutil.copy(os.path.join(FOLDER, "whisper/assets", ranks + ".tiktoken"), place)
        if vocabulary:
            with open(os.path.join(place, "config.json"), "w") as f:
                json.dump({"vocab_size": vocabulary}, f)
        encoding = code.get_encoding(ranks, languages)
        special = sorted(encoding.special_tokens_set)
        for flags, allowed in (("", set()), ("p", "all")):
            texts = ["".join(special)] + list(fuzz_texts.texts(count, 500 + len(report.families), ["<|endoftext|>", "<|startoftranscript|>", "<|su|>", "<|yue|>", "<|0.00|>", "<|30.00|>", "<|30.02|>"]))
            expected = [encoding.encode(t, allowed_special=allowed, disallowed_special=()) for t in texts]
            compare.compare_ids(report, name + flags, probe.encoded(place, flags, texts), texts, expected, [encoding.decode(e) for e in expected])
    # Without a word of the model the ranks are those of GPT-2, which has one control token.
    place = os.path.join(FOLDER, "whisper/assets/gpt2.tiktoken")
    texts = list(fuzz_texts.texts(count, 510, ["<|endoftext|>", "<|en|>"]))
    encoding = code.get_encoding("gpt2")
    expected = [encoding.encode(t, allowed_special={"<|endoftext|>"}, disallowed_special=()) for t in texts]
    compare.compare_ids(report, "gpt2_ranks", probe.encoded(place, "p", texts), texts, expected)


def rwkv(probe, report, count, folder):
    path = os.path.join(FOLDER, "rwkv/rwkv_vocab_v20230424.txt")
    reference = module(os.path.join(FOLDER, "rwkv/rwkv_tokenizer.py")).TRIE_TOKENIZER(path)
    ids = sorted(reference.idx2token)
    vocabulary = [reference.decodeBytes([i]) for i in ids]
    texts = list(fuzz_texts.texts(3 * count, 520, ["<|endoftext|>", "<|end of text|>", "\n\nUser:"]))
    texts += ["".join(t.decode("utf-8", "replace") for t in vocabulary[i:i + 50]) for i in range(0, len(vocabulary), 50)]
    expected = [reference.encode(t) for t in texts]
    compare.compare_ids(report, "rwkv_world", probe.encoded(path, "", texts), texts, expected, texts)
    for i, token, ours in zip(ids, vocabulary, probe.run("decode", path, "", ["[%d]" % i for i in ids])):
        if ours != token.decode("utf-8", "replace").encode():
            report.difference("rwkv_world", str(i), "token", ours, token)
    # The tokenizer.json that it is exported as; the reference implementation needs time quadratic in the text with it.
    place = os.path.join(folder, "rwkv.json")
    with open(place, "wb") as f:
        f.write(probe.ask("export", path, "", []))
    compare.compare_ids(report, "rwkv_exported_ours", probe.encoded(place, "", texts), texts, expected, texts)
    exported = Tokenizer.from_file(place)
    short = [(t, e) for t, e in zip(texts, expected) if len(t) < 200 and "<|end of text|>" not in t]
    theirs = [(e.ids, None, None) for e in exported.encode_batch([t for t, _ in short])]
    compare.compare_ids(report, "rwkv_exported", theirs, [t for t, _ in short], [e for _, e in short])
    if exported.token_to_id("<|end of text|>") != 0:
        report.difference("rwkv_exported", "<|end of text|>", "id", 0, exported.token_to_id("<|end of text|>"))
    neox = os.path.join(FOLDER, "rwkv/20B_tokenizer.json")
    compare.hugging_face(probe, report, "gpt_neox", neox, Tokenizer.from_file(neox), fuzz_texts.texts(3 * count, 530, ["<|endoftext|>", "<|padding|>", "  " * 12]))
