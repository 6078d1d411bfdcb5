#!/usr/bin/python3
"""Makes "Assay Inter" from Debian's Inter: tabular digits and the l with a tail become the default glyphs.

Qt 6.4 cannot switch OpenType features on, so the substitution is done here once, at build time. The fonts are also cut
down to the letters, punctuation, arrows and mathematics that the studio writes; Chinese comes from Noto Sans CJK.
usage: freeze_fonts.py SOURCE_FOLDER OUTPUT_FOLDER
"""
import pathlib
import sys

from fontTools import subset
from fontTools.ttLib import TTFont

FAMILY = "Assay Inter"
WEIGHTS = ("Regular", "Medium", "SemiBold")
# The digits only: tabular punctuation would tear prose apart and does nothing for right-aligned numbers.
FROZEN = {"tnum": range(0x30, 0x3A), "cv05": [0x6C]}
RANGES = ((0x20, 0x24F), (0x2B0, 0x36F), (0x370, 0x52F), (0x1E00, 0x1EFF), (0x2000, 0x206F), (0x2070, 0x209F),
          (0x20A0, 0x20BF), (0x2100, 0x214F), (0x2150, 0x218F), (0x2190, 0x21FF), (0x2200, 0x22FF), (0x2300, 0x23FF),
          (0x2500, 0x25FF), (0x2600, 0x26FF), (0x2700, 0x27BF), (0xFB00, 0xFB06), (0xFFFD, 0xFFFD))
# No contextual alternates: they would show "->" of a data row as an arrow.
LAYOUT = ["kern", "mark", "mkmk", "ccmp", "locl"]


def substitutions(font, feature):
    table = font["GSUB"].table
    mapping = {}
    for record in table.FeatureList.FeatureRecord:
        if record.FeatureTag != feature:
            continue
        for index in record.Feature.LookupListIndex:
            for part in table.LookupList.Lookup[index].SubTable:
                part = getattr(part, "ExtSubTable", part)
                mapping.update(getattr(part, "mapping", {}))
    return mapping


def freeze(font):
    for feature, codes in FROZEN.items():
        mapping = substitutions(font, feature)
        for table in font["cmap"].tables:
            for code in codes:
                glyph = table.cmap.get(code)
                if glyph in mapping:
                    table.cmap[code] = mapping[glyph]
    level_digits(font)


def level_digits(font):
    # The middle weights are interpolated, and rounding left one digit a thousandth of an em narrower.
    metrics, best = font["hmtx"], font.getBestCmap()
    glyphs = [best[code] for code in FROZEN["tnum"]]
    widths = [metrics[glyph][0] for glyph in glyphs]
    if max(widths) - min(widths) > font["head"].unitsPerEm / 500:
        sys.exit(f"freeze_fonts: the digits are {min(widths)} to {max(widths)} wide; this Inter has no tabular figures")
    for glyph in glyphs:
        metrics[glyph] = (max(widths), metrics[glyph][1])


def rename(font, weight):
    # One family for all weights: the style is told by OS/2 and the subfamily, as fontconfig and Qt read it.
    names = font["name"]
    for record in list(names.names):
        if record.nameID in (1, 2, 3, 4, 6, 16, 17, 21, 22, 25):
            names.removeNames(nameID=record.nameID)
    for number, text in ((1, FAMILY), (2, weight), (3, f"{FAMILY} {weight}"), (4, f"{FAMILY} {weight}"),
                         (6, f"{FAMILY.replace(' ', '')}-{weight}")):
        names.setName(text, number, 3, 1, 0x409)


def shrink(font):
    options = subset.Options()
    options.layout_features = LAYOUT
    options.name_IDs = [0, 1, 2, 3, 4, 6, 13, 14]
    options.hinting = True
    options.desubroutinize = False
    options.notdef_outline = True
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=[code for low, high in RANGES for code in range(low, high + 1)])
    cutter.subset(font)


def main():
    source, target = map(pathlib.Path, sys.argv[1:3])
    target.mkdir(parents=True, exist_ok=True)
    for weight in WEIGHTS:
        # The time stamp of the original stays: the same input gives the same bytes.
        font = TTFont(source / f"Inter-{weight}.otf", recalcTimestamp=False)
        freeze(font)
        rename(font, weight)
        shrink(font)
        font.save(target / f"AssayInter-{weight}.otf")


if __name__ == "__main__":
    main()
