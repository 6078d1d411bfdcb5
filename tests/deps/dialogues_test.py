"""How packaging/deps reads questions and answers: one form of YAML, and everything in another form is left out whole."""
import json
import pathlib
import sys
import tempfile
import unittest
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "packaging/deps"))
import dialogues  # noqa: E402

TEXT = """categories:
- test
conversations:
- - Who?
  - Me.
  - 'It''s you.'
- - "Say \\"hi\\"."
  - hi
- - block
  - |
    two
    lines
- - over several
    lines
  - answer
- - key: value
  - answer
- - last
  - one
"""


class Dialogues(unittest.TestCase):
    def test_turns_on_one_line(self):
        self.assertEqual(list(dialogues.dialogues(TEXT.splitlines())), [["Who?", "Me.", "It's you."], ['Say "hi".', "hi"], ["last", "one"]])

    def test_no_question_stands_in_both_files(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "english").mkdir()
            rows = "".join(f"- - question {i % 40}\n  - answer {i % 80}\n" for i in range(160))  # every pair twice
            (folder / "english/a.yml").write_text("conversations:\n" + rows)
            dialogues.generate(folder)
            learned, held = ([json.loads(line) for line in (folder / name).read_text().splitlines()] for name in ("dialogues.jsonl", "held_out.jsonl"))
            self.assertFalse((folder / "english").exists())
            tenth = {f"question {i}\n" for i in range(40) if zlib.crc32(f"question {i}\n".encode()) % 10 == 0}
            self.assertTrue(tenth)
            self.assertEqual({row["prompt"] for row in held}, tenth)
            self.assertEqual(len(held), 2 * len(tenth), "two answers each, none twice")
            self.assertEqual(len(learned), 160 - 4 * len(tenth), "as often as they stand in the source")
            self.assertFalse(tenth & {row["prompt"] for row in learned})


if __name__ == "__main__":
    unittest.main()
