"""Files that pyarrow and the datasets library write are read by us with equal rows. Usage: columnar_oracle_test.py PROGRAMS"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import datasets
import pyarrow as pa
import pyarrow.parquet as pq

import columnar_cases as cases

PROGRAMS = pathlib.Path(sys.argv.pop(1))
datasets.disable_progress_bars()


def dump(path, *arguments):
    """(rows, last line) of columnar_dump."""
    result = subprocess.run([PROGRAMS / "columnar_dump", str(path), *arguments], capture_output=True, text=True, check=False, timeout=60)
    if result.returncode not in (0, 1):
        raise AssertionError(f"columnar_dump {path}: exit {result.returncode}: {result.stderr}")
    lines = [json.loads(line) for line in result.stdout.split("\n") if line]
    return lines[:-1], lines[-1]


class Columnar(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def check(self, path, table, *arguments):
        rows, last = dump(path, *arguments)
        self.assertNotIn("error", last, f"{path}: {last}")
        self.assertEqual((last["rows"], last["stated"]), (table.num_rows, table.num_rows), path)
        for i, row in enumerate(rows):
            self.assertEqual(list(row), table.column_names, f"{path} row {i}: {row}")
            for name in table.column_names:
                if cases.wrong_cell(row[name], table[name][i]):
                    self.fail(f"{path}: row {i}, {name} ({table.schema.field(name).type}): read {row[name]!r}, expected {cases.plain(table[name][i])!r}")
        return last

    def refused(self, path, code, *words):
        _, last = dump(path)
        self.assertEqual(last.get("error", {}).get("code"), code, f"{path}: {last}")
        for word in words:
            self.assertIn(word, last["error"]["message"] + last["error"]["hint"])

    def test_parquet_of_every_type_compression_and_layout(self):
        table = cases.plain_table(100)
        for name, options in {
            "plain": {}, "snappy": {"compression": "snappy", "row_group_size": 9}, "zstd": {"compression": "zstd", "row_group_size": 30},
            "gzip": {"compression": "gzip"}, "brotli": {"compression": "brotli"}, "lz4": {"compression": "lz4", "data_page_size": 64},
            "v2": {"data_page_version": "2.0", "row_group_size": 41}, "undictionaried": {"use_dictionary": False, "compression": "none"},
            "old": {"store_schema": False}, "checked": {"write_page_checksum": True},
        }.items():
            path = self.path / f"{name}.parquet"
            pq.write_table(table, path, **options)
            self.check(path, table if options.get("store_schema", True) else pq.read_table(path))

    def test_arrow_files_and_streams(self):
        for name, table in {"plain": cases.plain_table(50), "rare": cases.rare_table(50)}.items():
            for form, writer in {"file": pa.ipc.new_file, "stream": pa.ipc.new_stream}.items():
                for packing in (None, "zstd", "lz4"):
                    path = self.path / f"{name}-{form}-{packing}.arrow"
                    options = pa.ipc.IpcWriteOptions(compression=packing)
                    with writer(path, table.schema, options=options) as out:
                        out.write_table(table, max_chunksize=11)
                    self.check(path, table)

    def test_dictionaries_that_change_along_a_stream(self):
        batches = [pa.record_batch({"w": pa.array(words).dictionary_encode()}) for words in (["a", "b"], ["b", "c", None], ["zz"])]
        path = self.path / "changing.arrow"
        with pa.ipc.new_stream(path, batches[0].schema) as out:
            for batch in batches:
                out.write_batch(batch)
        self.check(path, pa.table({"w": ["a", "b", "b", "c", None, "zz"]}))
        with pa.ipc.new_stream(path, batches[0].schema, options=pa.ipc.IpcWriteOptions(emit_dictionary_deltas=True)) as out:
            for batch in (pa.record_batch({"w": pa.DictionaryArray.from_arrays([0, 1], ["a", "b"])}),
                          pa.record_batch({"w": pa.DictionaryArray.from_arrays(pa.array([2, 0], pa.int64()), ["a", "b", "c"])})):
                out.write_batch(pa.record_batch([batch["w"].cast(batches[0].schema.field("w").type)], batches[0].schema))
        self.check(path, pa.table({"w": ["a", "b", "c", "a"]}))

    def test_no_rows_and_projection(self):
        table = cases.plain_table(20)
        pq.write_table(table.slice(0, 0), self.path / "none.parquet")
        self.check(self.path / "none.parquet", table.slice(0, 0))
        with pa.ipc.new_stream(self.path / "none.arrow", table.schema):
            pass
        self.check(self.path / "none.arrow", table.slice(0, 0))
        pq.write_table(table, self.path / "some.parquet", row_group_size=6)
        wanted = ["text", "messages", "record"]
        self.check(self.path / "some.parquet", table.select(wanted), "auto", *reversed(wanted))
        with pa.ipc.new_stream(self.path / "some.arrow", table.schema) as out:
            out.write_table(table, max_chunksize=6)
        self.check(self.path / "some.arrow", table.select(wanted), "arrow", *wanted)

    def test_strings_that_are_no_utf8_cost_their_row_only(self):
        bad = pa.array([b"good", b"\xff\xfe", b"also"]).view(pa.binary())
        text = pa.StringArray.from_buffers(3, *bad.buffers()[1:])
        for path in (self.path / "bad.parquet", self.path / "bad.arrow"):
            table = pa.table({"text": text})
            if path.suffix == ".parquet":
                pq.write_table(table, path)
            else:
                with pa.ipc.new_file(path, table.schema) as out:
                    out.write_table(table)
            rows, last = dump(path)
            self.assertEqual(last["rows"], 3)
            self.assertEqual([rows[0], rows[2]], [{"text": [2, "good"]}, {"text": [2, "also"]}])
        nested = pa.ListArray.from_arrays([0, 1, 2, 3], text)
        pq.write_table(pa.table({"messages": nested}), self.path / "nested.parquet")
        self.assertEqual(dump(self.path / "nested.parquet")[0][1], {"fault": "not_utf8"})

    def test_saved_datasets(self):
        content = {"text": [f"row {i} Größe" for i in range(2500)], "label": [i % 3 for i in range(2500)],
                   "messages": [[{"role": "user", "content": str(i)}] for i in range(2500)]}
        data = datasets.Dataset.from_dict(content)
        data.save_to_disk(self.path / "plain", num_shards=3)
        last = self.check(self.path / "plain", data.data.table.combine_chunks())
        self.assertEqual(last["format"], "hf")
        shuffled = data.shuffle(seed=3).select(range(1200))
        shuffled.save_to_disk(self.path / "shuffled")
        self.check(self.path / "shuffled", shuffled.flatten_indices().data.table.combine_chunks())
        split = data.train_test_split(0.2, seed=1)
        split.save_to_disk(self.path / "dict")
        last = self.check(self.path / "dict", split["train"].flatten_indices().data.table.combine_chunks())
        self.assertIn(["split", "train"], last["details"])
        self.check(self.path / "dict" / "test", split["test"].flatten_indices().data.table.combine_chunks())
        datasets.DatasetDict({"alpha": data, "beta": data}).save_to_disk(self.path / "unnamed")
        self.refused(self.path / "unnamed", "bad_usage", "alpha", "beta")
        datasets.DatasetDict({"only": data}).save_to_disk(self.path / "single")
        self.check(self.path / "single", data.data.table.combine_chunks())

    def test_indices_of_old_versions_are_applied(self):
        folder = self.path / "old"
        folder.mkdir()
        table = pa.table({"text": [f"row {i}" for i in range(100)]})
        order = [(i * 37) % 100 for i in range(60)] + [5, 5]
        for name, content, size in (("dataset.arrow", table, 30), ("indices.arrow", pa.table({"indices": pa.array(order, pa.uint64())}), 25)):
            with pa.ipc.new_stream(folder / name, content.schema) as out:
                out.write_table(content, max_chunksize=size)
        state = {"_data_files": [{"filename": "dataset.arrow"}], "_indices_data_files": [{"filename": "indices.arrow"}], "_split": None}
        (folder / "state.json").write_text(json.dumps(state))
        (folder / "dataset_info.json").write_text("{}")
        self.check(folder, table.take(order))
        with pa.ipc.new_stream(folder / "indices.arrow", pa.schema({"indices": pa.uint64()})) as out:
            out.write_table(pa.table({"indices": pa.array([100], pa.uint64())}))
        self.refused(folder, "invalid_file", "no row")
        for name in ("../secret.arrow", "/etc/passwd", "", "gone.arrow"):
            (folder / "state.json").write_text(json.dumps({"_data_files": [{"filename": name}]}))
            self.refused(folder, "not_found" if name == "gone.arrow" else "invalid_file")

    def test_shards_of_a_repository(self):
        folder = self.path / "repository"
        (folder / "data").mkdir(parents=True)
        table = pa.table({"text": [f"row {i}" for i in range(30)]})
        for i in range(3):
            pq.write_table(table.slice(10 * i, 10), folder / "data" / f"train-{i:05d}-of-00003.parquet")
        pq.write_table(table.slice(3, 4), folder / "data" / "test-00000-of-00001-0123456789abcdef.parquet")
        self.check(folder, table)
        self.check(folder / "data" / "train-*.parquet", table)
        self.check(folder / "data" / "test-00000-of-00001-0123456789abcdef.parquet", table.slice(3, 4))
        pq.write_table(pa.table({"other": ["x"]}), folder / "data" / "train-00001-of-00003.parquet")
        self.refused(folder, "invalid_file", "train-00001-of-00003.parquet", "text")
        self.refused(folder / "data" / "gone-*.parquet", "not_found")

    def test_what_cannot_be_read_says_so(self):
        (self.path / "a.parquet").write_bytes(b"PAR1 but nothing else")
        self.refused(self.path / "a.parquet", "invalid_file", "a.parquet")
        (self.path / "a.arrow").write_bytes(b"ARROW1\0\0")
        self.refused(self.path / "a.arrow", "invalid_file")
        (self.path / "b.arrow").write_bytes(b"\xff\xff\xff\xff\0\0\0\0")
        self.refused(self.path / "b.arrow", "invalid_file")
        (self.path / "e.parquet").write_bytes(b"PARE" + b"x" * 100 + b"PARE")
        self.refused(self.path / "e.parquet", "unsupported", "encrypted")
        nested = pa.string()
        for _ in range(40):
            nested = pa.struct([("x", nested)])
        with pa.ipc.new_file(self.path / "deep.arrow", pa.schema({"d": nested})):
            pass
        _, last = dump(self.path / "deep.arrow")
        self.assertIn(last["error"]["code"], ("unsupported", "invalid_file"))
        table = pa.table({"text": ["one", "two"] * 600})
        with pa.ipc.new_stream(self.path / "cut.arrow", table.schema) as out:
            out.write_table(table, max_chunksize=100)
        whole = (self.path / "cut.arrow").read_bytes()
        (self.path / "cut.arrow").write_bytes(whole[:-8])  # between two messages: only the end mark is missing
        self.refused(self.path / "cut.arrow", "invalid_file", "end mark")

    def test_without_the_library(self):
        shutil.copy2(PROGRAMS / "columnar_dump", self.path / "columnar_dump")
        pq.write_table(pa.table({"text": ["x"]}), self.path / "a.parquet")
        (self.path / "a.txt").write_text("x\n")
        alone = lambda path: subprocess.run([self.path / "columnar_dump", path], capture_output=True, text=True, check=False, timeout=60)
        error = json.loads(alone(self.path / "a.parquet").stdout)["error"]
        self.assertEqual(error["code"], "unsupported")
        self.assertIn("libassay_arrow.so", error["message"])
        self.assertEqual(alone(self.path / "a.txt").returncode, 0)

    def test_damaged_files_are_refused_or_read_and_never_crash(self):
        table = cases.plain_table(40)
        pq.write_table(table, self.path / "a.parquet", row_group_size=13, compression="zstd")
        pq.write_table(table, self.path / "b.parquet", compression="none", use_dictionary=False)
        table = pa.table({**dict(zip(table.column_names, table.columns)), **dict(zip(cases.rare_table(40).column_names, cases.rare_table(40).columns))})
        for name, writer, packing in (("a.arrow", pa.ipc.new_file, None), ("b.arrow", pa.ipc.new_stream, None), ("c.arrow", pa.ipc.new_stream, "zstd")):
            with writer(self.path / name, table.schema, options=pa.ipc.IpcWriteOptions(compression=packing)) as out:
                out.write_table(table, max_chunksize=13)
        for name in ("a.parquet", "b.parquet", "a.arrow", "b.arrow", "c.arrow"):
            (self.path / "broken").mkdir(exist_ok=True)
            _, last = dump("--damage", str(self.path / name), str(self.path / "broken"), "150")
            self.assertEqual((last["tried"], last["cut_refused"]), (300, 150), f"{name}: {last}")
            self.assertGreater(last["flipped_refused"], 0, name)


if __name__ == "__main__":
    unittest.main()
