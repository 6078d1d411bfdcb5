"""`assay data export` read back by pyarrow, the datasets library and numpy. Usage: export_oracle_test.py PROGRAMS"""
import json
import pathlib
import resource
import struct
import subprocess
import sys
import tempfile
import unittest

import datasets
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import tokenizers

PROGRAMS = pathlib.Path(sys.argv.pop(1))
datasets.disable_progress_bars()
COLUMNS = ["input_ids", "labels", "position_ids", "seq_lengths", "next_ids"]


def run(*command, code=0, **options):
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False, timeout=60, **options)
    if result.returncode != code:
        raise AssertionError(f"{command}: exit {result.returncode} instead of {code}: {result.stdout} {result.stderr}")
    return json.loads(result.stdout)


def shard_rows(path):
    """The rows of one shard as CACHE.md writes it down: lists of (ids, learned, tail)."""
    raw = path.read_bytes()
    magic, version, width, sequences, segments, tokens, _, mask_bytes, _ = struct.unpack_from("<8sIIQQQQQQ", raw)
    assert magic == b"ASSAYSEQ" and version == 2 and width in (2, 4)
    at = 64
    def take(kind, count):
        nonlocal at
        values = np.frombuffer(raw, kind, count, at)
        at += values.nbytes
        return values
    take("<u8", sequences + 1)
    first_segment, lengths, tails = take("<u8", sequences + 1), take("<u4", segments), take("<i4", segments)
    ids = take("<u2" if width == 2 else "<i4", tokens)
    learned = np.unpackbits(take("u1", mask_bytes), bitorder="little")[:tokens] if mask_bytes else np.ones(tokens, "u1")
    assert at == len(raw)
    ends = np.cumsum(lengths.astype(int))
    parts = [(ids[e - n:e].tolist(), learned[e - n:e].tolist(), int(t)) for e, n, t in zip(ends, lengths.astype(int), tails)]
    return [parts[a:b] for a, b in zip(first_segment[:-1].astype(int), first_segment[1:].astype(int))]


def expected_row(row):
    labels, positions = [], []
    for ids, learned, _ in row:
        labels += [i if k > 0 and m else -100 for k, (i, m) in enumerate(zip(ids, learned))]
        positions += range(len(ids))
    return {"input_ids": [i for ids, _, _ in row for i in ids], "labels": labels, "position_ids": positions,
            "seq_lengths": [len(ids) for ids, _, _ in row], "next_ids": [tail for _, _, tail in row]}


class Prepared:
    def __init__(self, folder, text, tokenizer="bytes", length=32, packing="concat", loss_on="all"):
        self.path = pathlib.Path(run(PROGRAMS / "columnar_dump", "--prepare", text, folder / "cache", tokenizer, length, packing, loss_on)["path"])
        manifest = json.loads((self.path / "manifest.json").read_text())
        self.rows = {}
        for split, part in (("train", "train"), ("validation", "eval")):
            self.rows[split] = [row for shard in manifest[part]["shards"] for row in shard_rows(self.path / shard["file"])]
        self.vocab = manifest["tokenizer"]["vocab_size"]

    def tokens(self, split):
        return [i for row in self.rows[split] for ids, _, _ in row for i in ids]


class Exports(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.path = pathlib.Path(cls.folder.name)
        cls.text = cls.path / "text.txt"
        cls.lines = [f"{i}: " + "words and Größe 日本 " * (i % 7) for i in range(200)]
        cls.text.write_text("\n".join(cls.lines) + "\n")
        cls.prepared = Prepared(cls.path, cls.text)

    def export(self, prepared, form, name=None, code=0, **options):
        out = self.path / (name or f"{id(prepared)}-{form}")
        return out, run(PROGRAMS / "assay", "--json", "data", "export", prepared.path, "--to", form, "--out", out, code=code, **options)

    def check_rows(self, table, split):
        self.assertEqual(table.column_names, COLUMNS)
        self.assertEqual(table.to_pylist(), [expected_row(row) for row in self.prepared.rows[split]])

    def test_arrow_and_parquet(self):
        for form, read in (("arrow", lambda p: pa.ipc.open_file(p).read_all()), ("parquet", pq.read_table)):
            out, report = self.export(self.prepared, form)
            self.assertEqual((report["path"], report["rows"]), (str(out), sum(map(len, self.prepared.rows.values()))))
            for split in ("train", "validation"):
                self.check_rows(read(out / f"{split}.{form}"), split)
            data = datasets.load_dataset(form, data_files={"train": str(out / f"train.{form}")}, cache_dir=str(self.path / "hf"))["train"]
            self.assertEqual(data["input_ids"][0], expected_row(self.prepared.rows["train"][0])["input_ids"])
            words = tokenizers.Tokenizer.from_file(str(out / "tokenizer" / "tokenizer.json"))
            self.assertIn("words and", words.decode(data["input_ids"][3]))

    def test_saved_dataset(self):
        out, report = self.export(self.prepared, "hf")
        data = datasets.load_from_disk(out)
        self.assertEqual(set(data), {"train", "validation"})
        self.assertEqual(report["splits"], {split: len(rows) for split, rows in self.prepared.rows.items()})
        for split in data:
            self.check_rows(data[split].with_format("arrow")[:], split)
            self.assertEqual(str(data[split].features["input_ids"]), str(datasets.List(datasets.Value("int32"))))
        again = run(PROGRAMS / "columnar_dump", out / "nothing", code=1)
        self.assertEqual(again["error"]["code"], "not_found")

    def documents(self, prepared, split):
        """Documents as they were before they were cut: a stretch that is predicted to go on goes on."""
        documents, goes_on = [], False
        for row in prepared.rows[split]:
            for ids, _, tail in row:
                if goes_on:
                    documents[-1] += ids
                else:
                    documents.append(list(ids))
                goes_on = tail != -100
        return documents

    def megatron(self, prefix):
        """numpy's view of Megatron's files, by the layout of megatron/core/datasets/indexed_dataset.py."""
        index = (prefix.with_suffix(".idx")).read_bytes()
        self.assertEqual(index[:9], b"MMIDIDX\0\0")
        version, code, sequences, documents = struct.unpack_from("<QBQQ", index, 9)
        kind = {4: np.int32, 8: np.uint16}[code]
        lengths = np.frombuffer(index, np.int32, sequences, 34)
        pointers = np.frombuffer(index, np.int64, sequences, 34 + lengths.nbytes)
        bounds = np.frombuffer(index, np.int64, documents, 34 + lengths.nbytes + pointers.nbytes)
        self.assertEqual((version, len(index)), (1, 34 + lengths.nbytes + pointers.nbytes + bounds.nbytes))
        self.assertEqual(bounds.tolist(), list(range(sequences + 1)))
        ids = np.fromfile(prefix.with_suffix(".bin"), kind)
        size = np.dtype(kind).itemsize
        return kind, [ids[p // size:p // size + n].tolist() for p, n in zip(pointers, lengths)]

    def test_megatron(self):
        out, report = self.export(self.prepared, "megatron")
        total = 0
        for split in ("train", "validation"):
            kind, sequences = self.megatron(out / split)
            self.assertEqual((kind, sequences), (np.uint16, self.documents(self.prepared, split)))
            total += len(sequences)
        self.assertEqual((report["rows"], report["warnings"]), (total, []))
        # Every line that fits is a document of its own, with its end.
        self.assertEqual(len(self.documents(self.prepared, "train")) + len(self.documents(self.prepared, "validation")), len(self.lines))

    def test_large_vocabularies(self):
        alphabet = tokenizers.pre_tokenizers.ByteLevel.alphabet()
        vocab = {f"<{i}>": i for i in range(69_744)} | {c: 69_744 + i for i, c in enumerate(sorted(alphabet))}
        model = tokenizers.Tokenizer(tokenizers.models.BPE(vocab=vocab, merges=[]))
        model.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
        model.decoder = tokenizers.decoders.ByteLevel()
        (self.path / "big").mkdir()
        model.save(str(self.path / "big" / "tokenizer.json"))
        prepared = Prepared(self.path, self.text, self.path / "big", 64, "none")
        out, _ = self.export(prepared, "megatron", "big-megatron")
        kind, sequences = self.megatron(out / "train")
        self.assertEqual((kind, sequences), (np.int32, self.documents(prepared, "train")))
        self.assertGreater(max(map(max, sequences)), 65_535)
        out, report = self.export(prepared, "nanogpt", "big-nano", code=2)
        self.assertEqual(report["error"]["code"], "unsupported")
        self.assertIn("70000", report["error"]["message"])
        self.assertFalse(out.exists())

    def test_nanogpt(self):
        out, _ = self.export(self.prepared, "nanogpt")
        for name, split in (("train", "train"), ("val", "validation")):
            self.assertEqual(np.memmap(out / f"{name}.bin", np.uint16, "r").tolist(), self.prepared.tokens(split))

    def test_masks_stay_where_they_can(self):
        rows = self.path / "rows.jsonl"
        rows.write_text("".join(json.dumps({"prompt": f"question {i}? ", "completion": f"answer {i}"}) + "\n" for i in range(50)))
        prepared = Prepared(self.path, rows, loss_on="completion", packing="best_fit", length=64)
        out, report = self.export(prepared, "hf", "masked")
        data = datasets.load_from_disk(out)["train"].with_format("arrow")[:].to_pylist()
        self.assertEqual(data, [expected_row(row) for row in prepared.rows["train"]])
        self.assertEqual(report["warnings"], [])
        learned = [i for row in data for i in row["labels"] if i != -100]
        self.assertIn("answer 3", bytes(i for i in learned if i < 256).decode())
        self.assertNotIn("question", bytes(i for i in learned if i < 256).decode())
        _, report = self.export(prepared, "megatron", "masked-megatron")
        self.assertIn("loss mask", " ".join(report["warnings"]))

    def test_whole_or_absent(self):
        taken = self.path / "taken"
        taken.mkdir()
        (taken / "mine").write_text("x")
        self.assertEqual(self.export(self.prepared, "arrow", "taken", code=2)[1]["error"]["code"], "bad_usage")
        self.assertEqual(self.export(self.prepared, "abacus", "x", code=2)[1]["error"]["code"], "bad_usage")
        before = set(self.path.iterdir())
        # A full disk, by a limit on the size of files.
        for form in ("arrow", "parquet", "hf", "megatron", "nanogpt"):
            _, report = self.export(self.prepared, form, f"full-{form}", code=1,
                                    restore_signals=False,
                                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2048, 2048)))
            self.assertIn(report["error"]["code"], ("io", "disk_full"), report)
        self.assertEqual(set(self.path.iterdir()), before)
        (self.path / "empty").mkdir()
        self.export(self.prepared, "nanogpt", "empty")


class Imports(unittest.TestCase):
    """Ids of others as prepared folders, whose shards are read by the layout that CACHE.md states."""
    END = 256  # of the byte tokenizer

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)
        rng = np.random.default_rng(5)
        self.documents = [rng.integers(0, 256, rng.integers(0, 90)).tolist() + [self.END] for _ in range(40)]

    def imported(self, source, *options, tokenizer="bytes", code=0):
        out = self.path / f"out-{len(list(self.path.iterdir()))}"
        report = run(PROGRAMS / "assay", "--json", "data", "import", source, "--tokenizer", tokenizer, "--out", out, *options, code=code)
        if code:
            self.assertFalse(out.exists())
            return report["error"], None
        manifest = json.loads((out / "manifest.json").read_text())
        rows = {part: [row for shard in manifest[part]["shards"] for row in shard_rows(out / shard["file"])] for part in ("train", "eval") if manifest[part]}
        self.assertEqual(report["tokens"], sum(len(ids) for row in rows["train"] for ids, _, _ in row))
        return report, rows

    def whole(self, rows):
        return [ids for row in rows for ids, _, _ in row]

    def megatron(self, prefix, documents, kind, code, parts=1):
        """Documents of `parts` sequences each, as indexed_dataset.py lays them out."""
        sequences, bounds = [], [0]
        for ids in documents:
            step = -(-len(ids) // parts)
            sequences += [ids[i:i + step] for i in range(0, len(ids), step)]
            bounds.append(len(sequences))
        lengths = np.array(list(map(len, sequences)), np.int32)
        pointers = (np.cumsum(lengths, dtype=np.int64) - lengths) * np.dtype(kind).itemsize
        head = b"MMIDIDX\0\0" + struct.pack("<QBQQ", 1, code, len(sequences), len(bounds))
        prefix.with_suffix(".idx").write_bytes(head + lengths.tobytes() + pointers.tobytes() + np.array(bounds, np.int64).tobytes())
        np.array([i for ids in sequences for i in ids], kind).tofile(prefix.with_suffix(".bin"))

    def test_megatron(self):
        for kind, code, parts in ((np.uint16, 8, 1), (np.int32, 4, 3), (np.int64, 5, 2)):
            prefix = self.path / f"m{code}"
            self.megatron(prefix, self.documents, kind, code, parts)
            for name in (prefix, f"{prefix}.idx", f"{prefix}.bin"):
                _, rows = self.imported(name, "--sequence-length", "128", "--packing", "none")
                self.assertEqual(sorted(self.whole(rows["train"])), sorted(self.documents))

    def test_nanogpt(self):
        np.array([i for ids in self.documents for i in ids], np.uint16).tofile(self.path / "train.bin")
        np.array([i for ids in self.documents[:3] for i in ids], np.uint16).tofile(self.path / "val.bin")
        report, rows = self.imported(self.path / "train.bin", "--eval", self.path / "val.bin", "--sequence-length", "128", "--packing", "none")
        self.assertEqual(sorted(self.whole(rows["train"])), sorted(self.documents))
        self.assertEqual(sorted(self.whole(rows["eval"])), sorted(self.documents[:3]))
        self.assertEqual((report["documents"], report["eval_documents"]), (40, 3))
        (self.path / "odd.bin").write_bytes(b"123")
        self.assertEqual(self.imported(self.path / "odd.bin", code=2)[0]["code"], "invalid_file")

    def test_tables_with_labels(self):
        ids = [[10 + i, 20, 30, 40, self.END] for i in range(20)]
        labels = [[-100, -100, 30, 40, self.END]] * 20
        data = datasets.Dataset.from_dict({"input_ids": ids, "labels": labels})
        data.save_to_disk(self.path / "tokenized")
        _, rows = self.imported(self.path / "tokenized", "--sequence-length", "16", "--packing", "none")
        self.assertEqual(sorted(self.whole(rows["train"])), sorted(ids))
        self.assertEqual({tuple(learned) for row in rows["train"] for _, learned, _ in row}, {(0, 0, 1, 1, 1)})
        pq.write_table(pa.table({"tokens": ids}), self.path / "t.parquet")
        _, rows = self.imported(self.path / "t.parquet", "--column", "tokens", "--sequence-length", "16", "--packing", "none")
        self.assertEqual(sorted(self.whole(rows["train"])), sorted(ids))
        self.assertEqual(self.imported(self.path / "t.parquet", code=2)[0]["code"], "invalid_file")  # no input_ids
        pq.write_table(pa.table({"input_ids": ids, "labels": [row[1:] + [-100] for row in ids]}), self.path / "shifted.parquet")
        error, _ = self.imported(self.path / "shifted.parquet", code=2)
        self.assertIn("shift", error["hint"])
        pq.write_table(pa.table({"input_ids": ["text"]}), self.path / "text.parquet")
        self.assertEqual(self.imported(self.path / "text.parquet", code=2)[0]["code"], "invalid_file")

    def test_ids_of_another_tokenizer(self):
        np.array([1, 2, 300], np.uint16).tofile(self.path / "train.bin")
        error, _ = self.imported(self.path / "train.bin", code=2)
        self.assertIn("300", error["message"])

    def test_exports_come_back(self):
        text = self.path / "text.txt"
        text.write_text("\n".join(f"{i}: " + "words and more " * (i % 5) for i in range(60)) + "\n")
        prepared = Prepared(self.path, text, length=48)
        before = sorted(prepared.tokens("train"))
        for form, name in (("arrow", "train.arrow"), ("parquet", "train.parquet"), ("hf", "train"), ("megatron", "train.idx"), ("nanogpt", "train.bin")):
            run(PROGRAMS / "assay", "--json", "data", "export", prepared.path, "--to", form, "--out", self.path / form)
            _, rows = self.imported(self.path / form / name, "--sequence-length", "48")
            self.assertEqual(sorted(i for ids in self.whole(rows["train"]) for i in ids), before, form)
            self.assertTrue(all(min(learned) == 1 for row in rows["train"] for _, learned, _ in row), form)
            if form in ("megatron", "nanogpt"):  # documents are whole again, so rows are the same too
                self.assertEqual(rows["train"], prepared.rows["train"])

    def test_prepared_folders_are_data_of_experiments(self):
        np.array([i for ids in self.documents for i in ids], np.uint16).tofile(self.path / "train.bin")
        report, _ = self.imported(self.path / "train.bin", "--sequence-length", "48")
        prepare = lambda tokenizer, length, code=0: run(PROGRAMS / "columnar_dump", "--prepare", report["path"], self.path / "cache", tokenizer, length, "concat", "all", code=code)
        self.assertEqual(prepare("bytes", 48), {"path": report["path"], "cache": "hit"})
        self.assertEqual(prepare(pathlib.Path(report["path"]) / "tokenizer.json", 48)["path"], report["path"])
        self.assertIn("48", prepare("bytes", 64, code=1)["error"]["hint"])

    def test_shards_are_split_once(self):
        (self.path / "data").mkdir()
        for i in range(2):
            pq.write_table(pa.table({"text": [f"row {i}{k}" for k in range(20)]}), self.path / "data" / f"train-{i:05d}-of-00002.parquet")
        for source in (self.path / "data", self.path / "data" / "train-*.parquet"):
            prepared = Prepared(self.path, source, packing="none")
            self.assertEqual({split: len(rows) for split, rows in prepared.rows.items()}, {"train": 32, "validation": 8})


if __name__ == "__main__":
    unittest.main()
