#!/usr/bin/env python3
"""Makes engine/data/tokenizer/unicode_tables.cpp.

The reference library answers for every code point, so that the tables are of the versions that its parts use (tokenizers
0.23.3: general categories, scripts and \\w of its two pattern engines Unicode 16, lower case and numerals Unicode 17,
normalization forms and combining marks Unicode 9, punctuation, control and non-spacing marks older than that, scripts of
UnicodeScripts older still); grapheme cluster classes and the characters with a decomposition come from the module
`regex` (Unicode 17). PCRE2's own categories are read too, since patterns are written in its terms where the two agree.

  packaging/dev deps --tests, then: oracles-light/bin/python tests/golden/unicode/make.py
Takes some minutes. tests/golden/unicode/live_test.py asks the library again for all of it.
"""
import ctypes
import os
import sys

import regex
import tokenizers
from tokenizers import Regex, normalizers, pre_tokenizers

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../tokenizers"))
import synthetic

OUT = os.path.join(HERE, "../../../engine/data/tokenizer/unicode_tables.cpp")
CPS = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]
ALL = "".join(map(chr, CPS))
CATEGORIES = "Cn Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Cs Co".split()




def onig(pattern):
    """Code points that Oniguruma's class matches. Runs of matches are isolated whole."""
    found = set()
    cut = pre_tokenizers.Split(Regex("(?:%s)+" % pattern), "removed")
    for i in range(0, len(CPS), 100000):
        part = CPS[i:i + 100000]
        inside = [True] * len(part)
        for _, (begin, end) in cut.pre_tokenize_str("".join(map(chr, part))):
            for k in range(begin, end):
                inside[k] = False
        found.update(c for c, yes in zip(part, inside) if yes)
    return found


def said(what):
    print(what, file=sys.stderr, flush=True)


def pcre_categories():
    lib = ctypes.CDLL("libpcre2-8.so.0")
    lib.pcre2_compile_8.restype = lib.pcre2_match_data_create_8.restype = ctypes.c_void_p
    lib.pcre2_get_ovector_pointer_8.restype = ctypes.POINTER(ctypes.c_size_t)
    version = ctypes.create_string_buffer(64)
    lib.pcre2_config_8(10, version)  # PCRE2_CONFIG_UNICODE_VERSION
    starts, raw = [], bytearray()
    for c in CPS:
        starts.append(len(raw))
        raw += chr(c).encode()
    at = {b: c for b, c in zip(starts, CPS)}
    starts.append(len(raw))
    raw, out = bytes(raw), {}
    for name in CATEGORIES:
        if name == "Cs":
            continue
        code = lib.pcre2_compile_8(b"\\p{%s}+" % name.encode(), ctypes.c_size_t(len(name) + 5), 0x00080000 | 0x00020000,
                                   ctypes.byref(ctypes.c_int()), ctypes.byref(ctypes.c_size_t()), None)
        data = ctypes.c_void_p(lib.pcre2_match_data_create_8(ctypes.c_uint32(2), None))
        offset = 0
        while lib.pcre2_match_8(ctypes.c_void_p(code), raw, ctypes.c_size_t(len(raw)), ctypes.c_size_t(offset), 0, data, None) > 0:
            span = lib.pcre2_get_ovector_pointer_8(data)
            begin, offset = span[0], span[1]
            while begin < offset:
                c = at[begin]
                out[c] = name
                begin += len(chr(c).encode())
    return version.value.decode(), out


def hf_scripts():
    """Classes of code points that UnicodeScripts never separates. 0: goes with everything."""
    cut = pre_tokenizers.UnicodeScripts()
    guess = {}
    names = sorted({m for m in regex_scripts()})
    for name in names:
        for m in regex.finditer(r"\p{Script=%s}" % name, ALL):
            guess[CPS[m.start()]] = name

    def separated(pairs):
        out = [False] * len(pairs)
        for i in range(0, len(pairs), 50000):
            text = "".join(a + b for a, b in pairs[i:i + 50000])
            for _, (begin, _) in cut.pre_tokenize_str(text):
                if begin % 2:
                    out[i + begin // 2] = True
        return out

    latin = separated([("a", chr(c)) for c in CPS])
    cyrillic = separated([("б", chr(c)) for c in CPS])
    script = {c: 0 for c, x, y in zip(CPS, latin, cyrillic) if not x and not y}
    script.update({c: "Latin" for c, x, y in zip(CPS, latin, cyrillic) if not x and y})
    script.update({c: "Cyrillic" for c, x, y in zip(CPS, latin, cyrillic) if x and not y})
    samples = {"Latin": "a", "Cyrillic": "б"}
    left = [c for c in CPS if c not in script]
    order = sorted(left, key=lambda c: (guess.get(c, "?"), c))
    # First against the sample of the script that newer tables give, then against every sample there is.
    while order:
        rest = []
        for c in order:
            samples.setdefault(guess.get(c, "?"), chr(c))
        apart = separated([(samples[guess.get(c, "?")], chr(c)) for c in order])
        for c, x in zip(order, apart):
            if x:
                rest.append(c)
            else:
                script[c] = guess.get(c, "?")
        for name, sample in list(samples.items()):
            apart = separated([(sample, chr(c)) for c in rest])
            for c, x in zip(rest, apart):
                if not x:
                    script[c] = name
            rest = [c for c, x in zip(rest, apart) if x]
        if rest:
            guess[rest[0]] = "own%d" % rest[0]
        order = rest
    # Two names for one class are joined.
    joined = {}
    for name, sample in samples.items():
        for known in joined.values():
            if not separated([(samples[known], sample)])[0] and samples[known] != sample:
                joined[name] = known
                break
        else:
            joined[name] = name
    return {c: (joined[s] if s else 0) for c, s in script.items()}


def regex_scripts():
    names = """Adlam Ahom Anatolian_Hieroglyphs Arabic Armenian Avestan Balinese Bamum Bassa_Vah Batak Bengali Bhaiksuki Bopomofo
    Brahmi Braille Buginese Buhid Canadian_Aboriginal Carian Caucasian_Albanian Chakma Cham Cherokee Chorasmian Common Coptic
    Cuneiform Cypriot Cypro_Minoan Cyrillic Deseret Devanagari Dives_Akuru Dogra Duployan Egyptian_Hieroglyphs Elbasan Elymaic
    Ethiopic Garay Georgian Glagolitic Gothic Grantha Greek Gujarati Gunjala_Gondi Gurmukhi Gurung_Khema Han Hangul
    Hanifi_Rohingya Hanunoo Hatran Hebrew Hiragana Imperial_Aramaic Inherited Inscriptional_Pahlavi Inscriptional_Parthian
    Javanese Kaithi Kannada Katakana Kawi Kayah_Li Kharoshthi Khitan_Small_Script Khmer Khojki Khudawadi Kirat_Rai Lao Latin
    Lepcha Limbu Linear_A Linear_B Lisu Lycian Lydian Mahajani Makasar Malayalam Mandaic Manichaean Marchen Masaram_Gondi
    Medefaidrin Meetei_Mayek Mende_Kikakui Meroitic_Cursive Meroitic_Hieroglyphs Miao Modi Mongolian Mro Multani Myanmar
    Nabataean Nag_Mundari Nandinagari New_Tai_Lue Newa Nko Nushu Nyiakeng_Puachue_Hmong Ogham Ol_Chiki Ol_Onal Old_Hungarian
    Old_Italic Old_North_Arabian Old_Permic Old_Persian Old_Sogdian Old_South_Arabian Old_Turkic Old_Uyghur Oriya Osage
    Osmanya Pahawh_Hmong Palmyrene Pau_Cin_Hau Phags_Pa Phoenician Psalter_Pahlavi Rejang Runic Samaritan Saurashtra Sharada
    Shavian Siddham SignWriting Sinhala Sogdian Sora_Sompeng Soyombo Sundanese Sunuwar Syloti_Nagri Syriac Tagalog Tagbanwa
    Tai_Le Tai_Tham Tai_Viet Takri Tamil Tangsa Tangut Telugu Thaana Thai Tibetan Tifinagh Tirhuta Todhri Toto Tulu_Tigalari
    Ugaritic Vai Vithkuqi Wancho Warang_Citi Yezidi Yi Zanabazar_Square""".split()
    return names


def runs(value_of, default=0):
    """[(first code point, value)] of the runs of equal values over all code points."""
    out = []
    for c in range(0x110000):
        value = value_of(c)
        if not out or out[-1][1] != value:
            out.append((c, value))
    return out


def array(name, values, kind="uint32_t"):
    lines, line = [], "   "
    for v in values:
        item = " %s," % (hex(v) if kind == "uint32_t" else v)
        if len(line) + len(item) > 138:
            lines.append(line)
            line = "   "
        line += item
    lines.append(line)
    return "const %s %s[] = {\n%s};\nconst size_t %sCount = %d;\n" % (kind, name, "\n".join(lines), name, len(values))


def main():
    category = {}
    for name in CATEGORIES:
        for c in onig(r"\p{%s}" % name):
            category[c] = name
    said("categories")
    number = {name: i for i, name in enumerate(CATEGORIES)}
    word, space = onig(r"\w"), onig(r"\s")
    by_rule = {c for c in CPS if category[c] in ("Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "Pc")}
    extra_word = sorted(word - by_rule)
    assert by_rule <= word
    latin1_word = {0xB2, 0xB3, 0xB9, 0xBC, 0xBD, 0xBE}  # Oniguruma's table of the first 256 characters has these in \w
    crate_word = set()
    whitespace = pre_tokenizers.Whitespace()
    for i in range(0, len(CPS), 20000):
        part = CPS[i:i + 20000]
        for _, (begin, end) in whitespace.pre_tokenize_str("".join("a" + chr(c) + " " for c in part)):
            if end - begin == 2 and begin % 3 == 0:
                crate_word.add(part[begin // 3])
    assert crate_word - word == {0x200C, 0x200D} and word - crate_word == latin1_word, "the two \\w differ otherwise than known"
    assert space == {c for c in CPS if category[c] in ("Zs", "Zl", "Zp")} | {9, 10, 11, 12, 13, 0x85}

    def old(normalizer, text="a%sa"):
        f = normalizer.normalize_str
        return {c for c in CPS if f(text % chr(c)) == (text % "")}

    punctuation = set()
    cut = pre_tokenizers.Punctuation("removed")
    for i in range(0, len(CPS), 20000):
        part = CPS[i:i + 20000]
        kept = {b for _, span in cut.pre_tokenize_str("".join("a" + chr(c) for c in part)) for b in range(*span)}
        punctuation.update(c for k, c in enumerate(part) if 2 * k + 1 not in kept)
    numeric = set()
    cut = pre_tokenizers.Digits(True)
    for i in range(0, len(CPS), 20000):
        part = CPS[i:i + 20000]
        begins = {span[0] for _, span in cut.pre_tokenize_str("".join("a" + chr(c) for c in part))}
        numeric.update(c for k, c in enumerate(part) if 2 * k + 1 in begins)
    bert = lambda **on: normalizers.BertNormalizer(**{**dict(clean_text=False, handle_chinese_chars=False, strip_accents=False, lowercase=False), **on})
    other = old(bert(clean_text=True)) - {0, 0xFFFD}
    combining = old(normalizers.StripAccents())
    strip = bert(strip_accents=True).normalize_str
    nonspacing = {c for c in CPS if strip(chr(c)) == ""}
    said("old classes")
    nfd, nfkd = normalizers.NFD().normalize_str, normalizers.NFKD().normalize_str
    unmapped = {CPS[m.start()] for m in regex.finditer(r"\P{dt=None}", ALL) if nfkd(m.group()) == m.group()}
    for m in regex.finditer(r"\P{ccc=0}", ALL):  # marks that the library takes for starters: they are not reordered
        s, low = m.group(), regex.match(r"\p{ccc=1}", m.group())
        if nfd(s) == s and (nfd("a\u0301" + s) != "a" + s + "\u0301" if low else nfd("a" + s + "\u0334") != "a\u0334" + s):
            unmapped.add(ord(s))
    said("normalization: %d newer than Unicode 9" % len(unmapped))
    version, pcre = pcre_categories()
    differs = {c for c in CPS if pcre[c] != category[c]}
    odd = sorted((c, pcre[c]) for c in differs if pcre[c] != "Cn")
    said("PCRE2 Unicode %s: %d categories differ, %d not by being unassigned" % (version, len(differs), len(odd)))

    def bits(c):
        if 0xD800 <= c < 0xE000:
            return number["Cs"]
        return (number[category[c]] | (c in punctuation) << 5 | (c in other) << 6 | (c in nonspacing) << 7 | (c in combining) << 8 |
                (c in numeric) << 9 | (c in unmapped) << 10 | (c in differs) << 11)

    table = runs(bits)
    values = sorted({v for _, v in table})
    assert len(values) < 2048
    index = {v: i for i, v in enumerate(values)}

    lower = {}
    f = normalizers.Lowercase().normalize_str
    for c in CPS:
        if f(chr(c)) != chr(c) and c != 0x130:
            assert len(f(chr(c))) == 1
            lower[c] = ord(f(chr(c)))
    assert f("\u0130") == "i\u0307"
    case_runs, left = [], dict(lower)
    for c in sorted(lower):
        if c not in left:
            continue
        delta, best = lower[c] - c, (1, 1)
        for stride in (1, 2):
            n = 1
            while left.get(c + n * stride) == c + n * stride + delta:
                n += 1
            if n > best[0]:
                best = (n, stride)
        for k in range(best[0]):
            del left[c + k * best[1]]
        case_runs += [c | best[1] << 24, best[0], delta & 0xFFFFFFFF]

    grapheme = {}
    names = ["Other", "CR", "LF", "Control", "Extend", "ZWJ", "Regional_Indicator", "Prepend", "SpacingMark", "L", "V", "T", "LV", "LVT"]
    for i, name in enumerate(names[1:], 1):
        for m in regex.finditer(r"\p{GCB=%s}" % name, ALL):
            grapheme[CPS[m.start()]] = i
    for m in regex.finditer(r"\p{Extended_Pictographic}", ALL):
        assert CPS[m.start()] not in grapheme
        grapheme[CPS[m.start()]] = 14
    # What the library, whose tables are a version older, does not yet join to the character before it.
    joins = normalizers.Precompiled(synthetic.charsmap({"a": "X"})).normalize_str
    for c, kind in list(grapheme.items()):
        if kind in (4, 8) and joins("a" + chr(c)) != "X":
            del grapheme[c]
    for c in range(0xAC00, 0xD7A4):
        grapheme[c] = 12  # LV or LVT follows from the code point
    clusters = runs(lambda c: grapheme.get(c, 0))

    scripts, known = {}, ["Unknown"]
    for name in regex_scripts():
        try:
            found = onig(r"\p{%s}" % name)
        except Exception:  # newer than the engine
            continue
        known.append(name)
        for c in found:
            scripts[c] = len(known) - 1
    said("scripts %d" % len(known))
    old_scripts = hf_scripts()
    old_names = [0] + sorted({s for s in old_scripts.values() if s}, key=str)
    old_index = {s: i for i, s in enumerate(old_names)}
    said("old scripts %d" % len(old_names))

    with open(OUT, "w") as out:
        out.write("// Made by tests/golden/unicode/make.py from the answers of tokenizers %s, regex %s and PCRE2's Unicode %s; not edited by hand.\n"
                  "// What the arrays mean is said in unicode_tables.h.\n"
                  '#include "tokenizer/unicode_tables.h"\n\nnamespace assay::data::tables {\n\n' % (tokenizers.__version__, regex.__version__, version))
        out.write('const char kPcreUnicode[] = "%s";\n' % version)
        out.write(array("kBits", values, "uint16_t"))
        out.write(array("kClasses", [c | index[v] << 21 for c, v in table]))
        out.write(array("kPcreOdd", [c | number[name] << 21 for c, name in odd]))
        out.write(array("kWordExtra", extra_word))
        out.write(array("kLower", case_runs))
        out.write(array("kGraphemes", [c | v << 21 for c, v in clusters]))
        out.write(array("kScripts", [c | v << 21 for c, v in runs(lambda c: scripts.get(c, 0))]))
        out.write(array("kOldScripts", [c | v << 21 for c, v in runs(lambda c: old_index[old_scripts.get(c, 0)])]))
        out.write("const char* const kScriptNames[] = {%s};\nconst size_t kScriptNamesCount = %d;\n" % (", ".join('"%s"' % n for n in known), len(known)))
        out.write("\n}  // namespace assay::data::tables\n")


if __name__ == "__main__":
    main()
