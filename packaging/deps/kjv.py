"""The King James text as plain files, read out of Debian's bible-kjv.

kjv.txt holds one verse a line; chapters.txt holds the same verses with an empty line between chapters.
"""
import pathlib
import subprocess


def verses():
    """Yields (chapter reference, verse text) for the whole book, in order."""
    listing = subprocess.run(["bible", "-f", "gen1:1-rev22:21"], capture_output=True, check=True)
    for line in listing.stdout.decode("latin-1").splitlines():
        reference, _, text = line.partition(" ")
        if text.strip():
            yield reference.rpartition(":")[0], text.strip()


def generate(folder: pathlib.Path) -> None:
    lines, chapters, previous = [], [], None
    for chapter, text in verses():
        lines.append(text)
        if previous not in (None, chapter):
            chapters.append("")
        chapters.append(text)
        previous = chapter
    for name, content in (("kjv.txt", lines), ("chapters.txt", chapters)):
        (folder / name).write_text("\n".join(content) + "\n", encoding="utf-8")
