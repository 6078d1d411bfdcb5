"""English question and answer pairs as JSONL, read out of the dialogues of chatterbot-corpus.

dialogues.jsonl holds one {"prompt", "completion"} a line, as often as it stands in the source: each turn with the one that
answers it. held_out.jsonl holds every tenth question, by its checksum, with its answers, each once; none of them stands in
the first file. The files are YAML of
one form, two dashes before the first turn of a dialogue and one before the others; a dialogue in any other notation
(turns over several lines, quotes that do not end) is left out as a whole.
"""
import json
import pathlib
import shutil
import zlib

FIRST, NEXT = "- - ", "  - "
MARKS = tuple("|>&*!%@`{[")  # what makes a scalar something else than plain text on one line


def scalar(text: str):
    """The text of a one-line scalar; None when it is written in another way."""
    text = text.strip()
    if len(text) >= 2 and text[0] == text[-1] == '"':
        try:
            return json.loads(text)
        except ValueError:
            return None
    if len(text) >= 2 and text[0] == text[-1] == "'":
        return text[1:-1].replace("''", "'")
    if not text or text[0] in "\"'" or text.startswith(MARKS) or ": " in text or " #" in text:
        return None
    return text


def dialogues(lines):
    """Yields the turns of every dialogue that is written one turn a line."""
    turns = None
    for line in [*lines, FIRST]:
        if line.startswith(FIRST):
            if turns and None not in turns:
                yield turns
            turns = [scalar(line[len(FIRST):])]
        elif line.startswith(NEXT) and turns is not None:
            turns.append(scalar(line[len(NEXT):]))
        elif line.strip() and turns is not None:
            turns.append(None)


def generate(folder: pathlib.Path) -> None:
    source = folder / "english"
    rows = []
    for path in sorted(source.glob("*.yml")):
        for turns in dialogues(path.read_text(encoding="utf-8").splitlines()):
            rows += [{"prompt": asked + "\n", "completion": answered} for asked, answered in zip(turns, turns[1:])]
    shutil.rmtree(source)
    lines = [(json.dumps(row, ensure_ascii=False) + "\n", zlib.crc32(row["prompt"].encode()) % 10 == 0) for row in rows]
    learned = [line for line, held in lines if not held]
    held_out = list(dict.fromkeys(line for line, held in lines if held))
    for name, content in (("dialogues.jsonl", learned), ("held_out.jsonl", held_out)):
        (folder / name).write_text("".join(content), encoding="utf-8")
