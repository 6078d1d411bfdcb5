"""The messages of the .ts files."""
import dataclasses
import functools
import pathlib
import xml.etree.ElementTree as ElementTree

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FILES = ROOT / "resources" / "i18n"


@dataclasses.dataclass(frozen=True)
class Message:
    context: str
    source: str
    comment: str
    numerus: bool
    state: str      # "", or "unfinished", "vanished", "obsolete"
    forms: tuple    # one, or one for each plural form

    @property
    def key(self) -> tuple:
        return self.context, self.source, self.comment, self.numerus


def read(path: pathlib.Path) -> list:
    messages = []
    for context in ElementTree.parse(path).getroot().iter("context"):
        for element in context.findall("message"):
            translation = element.find("translation")
            numerus = element.get("numerus") == "yes"
            forms = [form.text or "" for form in translation.findall("numerusform")] if numerus else [translation.text or ""]
            messages.append(Message(context.findtext("name"), element.findtext("source"), element.findtext("comment") or "", numerus,
                                    translation.get("type", ""), tuple(forms)))
    return messages


@functools.cache
def language(code: str) -> tuple:
    return tuple(read(FILES / f"assay_{code}.ts"))


@functools.cache
def exceptions() -> dict:
    """exceptions.txt: section -> English texts."""
    sections, current = {}, None
    for line in (HERE / "exceptions.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("[") and line.endswith("]"):
            current = sections.setdefault(line[1:-1], set())
        elif line and not line.startswith("#"):
            current.add(line)
    return sections
