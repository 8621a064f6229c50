"""Subset and rename the Source families: `python build.py FOLDER`, where FOLDER holds the unpacked npm packages (README.md)."""

import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

FACES = (
    ("source-serif-4.5.1", "SourceSerif4-Regular", "Ledger Serif", "Regular"),
    ("source-serif-4.5.1", "SourceSerif4-It", "Ledger Serif", "Italic"),
    ("source-serif-4.5.1", "SourceSerif4-Semibold", "Ledger Serif", "SemiBold"),
    ("source-sans-3.52.0", "SourceSans3-Regular", "Ledger Sans", "Regular"),
    ("source-sans-3.52.0", "SourceSans3-It", "Ledger Sans", "Italic"),
    ("source-sans-3.52.0", "SourceSans3-Semibold", "Ledger Sans", "SemiBold"),
    ("source-code-pro-2.42.0", "SourceCodePro-Regular", "Ledger Mono", "Regular"),
)
RANGES = (
    (0x20, 0x7E), (0xA0, 0x17F), (0x192, 0x192), (0x218, 0x21B), (0x2C6, 0x2DD), (0x300, 0x304), (0x306, 0x30C), (0x327, 0x328),
    (0x391, 0x3C9), (0x400, 0x45F), (0x490, 0x491), (0x1E80, 0x1E85), (0x1EF2, 0x1EF3), (0x2002, 0x2015), (0x2018, 0x2022),
    (0x2026, 0x2026), (0x202F, 0x2030), (0x2032, 0x2033), (0x2039, 0x203A), (0x2044, 0x2044), (0x2070, 0x208E), (0x20AC, 0x20AC),
    (0x2113, 0x2116), (0x2122, 0x2122), (0x2126, 0x2126), (0x2150, 0x215E), (0x2190, 0x2199), (0x2202, 0x2265), (0x25A0, 0x25CF),
    (0x2713, 0x2717),
)  # fmt: skip
FEATURES = (
    "kern liga ccmp locl mark mkmk calt "  # what text needs
    "tnum pnum lnum onum smcp c2sc case sups subs zero"  # figures, small capitals, positions
)
KEPT_NAMES = (0, 5, 8, 9, 11, 13, 14)
"""Copyright, version, maker, designer and licence stay as they were."""


def build(packages: Path, out: Path) -> None:
    """Write every face as TTF and WOFF2 beside this file."""
    for package, stem, family, style in FACES:
        font = TTFont(packages / package / "package" / "TTF" / f"{stem}.ttf", recalcTimestamp=False)
        _subset(font)
        name = f"{family.replace(' ', '')}-{style}"
        _rename(font, family, style, name=name)
        font.save(out / f"{name}.ttf")
        font.flavor = "woff2"
        font.save(out / f"{name}.woff2")


def _subset(font: TTFont) -> None:
    options = subset.Options(hinting=False, notdef_outline=True, glyph_names=False, name_IDs=["*"], name_languages=[0x409])
    options.layout_features = FEATURES.split()
    options.drop_tables += ["DSIG"]
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=[code for first, last in RANGES for code in range(first, last + 1)])
    subsetter.subset(font)


def _rename(font: TTFont, family: str, style: str, *, name: str) -> None:
    is_plain = style in ("Regular", "Italic")
    new = {1: family if is_plain else f"{family} {style}", 2: style if is_plain else "Regular", 3: f"evidence-ledger;{name}"}
    new |= {4: f"{family} {style}", 6: name} | ({} if is_plain else {16: family, 17: style})
    table = font["name"]
    for record in list(table.names):
        if record.nameID not in KEPT_NAMES:
            table.names.remove(record)
    for name_id, text in new.items():
        table.setName(text, name_id, 3, 1, 0x409)


if __name__ == "__main__":
    build(Path(sys.argv[1]), Path(__file__).parent)
