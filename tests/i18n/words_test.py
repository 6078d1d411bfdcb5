"""How the translations are written."""
import collections
import re
import unittest

import ts

PLACEHOLDER = re.compile(r"%(?:L?n|L?\d+)")
CHINESE = re.compile(r"[\u4e00-\u9fff]")
# Code inside a sentence keeps its characters: {a: b}, (*.png);;, ssh://…, 1,000.
CODE = re.compile(r"\{[^}]*\}|\(\*[^)]*\);?;?|\w+://\S*[\w\]]|\d,\d")
ASCII = re.compile(r"[,:;?!()\"']|\.$|\.\.\.")
SQUEEZED = re.compile(r"[\u4e00-\u9fff][A-Za-z0-9]|[A-Za-z0-9][\u4e00-\u9fff]")


def excepted(section, source):
    return source in ts.exceptions().get(section, ())


def edges(text):
    return text[:len(text) - len(text.lstrip())], text[len(text.rstrip()):]


def glossary():
    """Rows of resources/i18n/README.md: English pattern, allowed Chinese words."""
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", (ts.FILES / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    return [(english, [word.strip() for word in chinese.split("/")]) for english, chinese in rows if CHINESE.search(chinese) and english != "English"]


class Words(unittest.TestCase):
    maxDiff = None

    def test_placeholders_are_those_of_the_source(self):
        wrong = []
        for code in ("en", "zh_CN"):
            for m in ts.language(code):
                for number, form in enumerate(m.forms):
                    want, have = collections.Counter(PLACEHOLDER.findall(m.source)), collections.Counter(PLACEHOLDER.findall(form))
                    if code == "en" and number == 0:   # "once" instead of "1 times"
                        want.pop("%n", None), have.pop("%n", None)
                    if want != have:
                        wrong.append((m.source, form))
        self.assertEqual(wrong, [])

    def test_plural_forms(self):
        for code, count in (("en", 2), ("zh_CN", 1)):
            wrong = [m.source for m in ts.language(code) if len(m.forms) != (count if m.numerus else 1)]
            self.assertEqual(wrong, [], code)
        self.assertEqual([form for m in ts.language("en") for form in m.forms if "(s)" in form], [])

    def test_spaces_at_the_ends_are_those_of_the_source(self):
        wrong = [(m.source, form) for m in (*ts.language("zh_CN"), *ts.language("en")) for form in m.forms if edges(form) != edges(m.source)]
        self.assertEqual(wrong, [])

    def test_chinese_is_chinese(self):
        without = {m.source for m in ts.language("zh_CN") if not CHINESE.search(m.forms[0])}
        self.assertEqual(sorted(source for source in without if not excepted("not translated", source)), [])

    def test_the_exceptions_are_needed(self):
        sources = {m.source for m in ts.language("zh_CN")}
        listed = set().union(*ts.exceptions().values())
        self.assertEqual(sorted(listed - sources), [])

    def test_chinese_punctuation_is_full_width(self):
        wrong = [m.forms[0] for m in ts.language("zh_CN")
                 if CHINESE.search(m.forms[0]) and ASCII.search(CODE.sub("", m.forms[0])) and not excepted("ascii", m.source)]
        self.assertEqual(wrong, [])

    def test_sentences_end_alike(self):
        wrong = [(m.source, m.forms[0]) for m in ts.language("zh_CN")
                 if m.source.endswith(".") != m.forms[0].endswith("。") or m.source.endswith("…") != m.forms[0].endswith("…")]
        self.assertEqual(wrong, [])

    def test_chinese_and_latin_letters_stand_apart(self):
        self.assertEqual([m.forms[0] for m in ts.language("zh_CN") if SQUEEZED.search(m.forms[0])], [])

    def test_nothing_is_markup_or_a_stray_mnemonic(self):
        wrong = [m.forms[0] for m in ts.language("zh_CN") if re.search(r"</?\w", m.forms[0]) or "&" in m.forms[0] and "&" not in m.source]
        self.assertEqual(wrong, [])

    def test_terms_are_those_of_the_glossary(self):
        rows = glossary()
        self.assertGreater(len(rows), 30)
        wrong = []
        for english, chinese in rows:
            term = re.compile(rf"\b({english})\b", re.IGNORECASE)
            used = [m for m in ts.language("zh_CN") if term.search(m.source)]
            self.assertTrue(used, f"nothing in the window says {english}")
            wrong += [(english, m.source, m.forms[0]) for m in used
                      if not any(word in m.forms[0] for word in chinese) and not excepted("glossary", m.source)]
        self.assertEqual(wrong, [])


if __name__ == "__main__":
    unittest.main()
