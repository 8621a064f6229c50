"""Which characters the bundled fonts can print, and how the others are spelled out in a PDF.

A font added to the templates' fonts folder is taken into account; none of the machine's own is.
"""

import re
from functools import cache

from ledger.render import assets

_FOREIGN = re.compile(r"[^\x00-\x7f]+")


@cache
def printable_characters() -> frozenset[str]:
    """Return every character for which a bundled font has a glyph."""
    from fontTools.ttLib import TTFont  # type: ignore[import-untyped]  # carries no types  # only PDFs need it

    codes: set[int] = set()
    for path in sorted(assets.fonts().glob("*.[to]tf")):
        with TTFont(path, lazy=True) as font:
            codes.update(font.getBestCmap())
    return frozenset(map(chr, codes))


def with_glyphs(html: str) -> str:
    """Return a page in which characters that no bundled font has are spelled out: `[U+7F6E 4FE1]`."""
    known = printable_characters()
    missing = sorted({character for run in _FOREIGN.findall(html) for character in run if character not in known})
    if not missing:
        return html
    pattern = re.compile(f"[{re.escape(''.join(missing))}]+")
    return pattern.sub(lambda match: f"[U+{' '.join(f'{ord(c):04X}' for c in match.group())}]", html)
