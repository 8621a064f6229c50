"""How wide a table's columns are, and how small or turned it must be to stay inside the page.

WeasyPrint's automatic layout is slow and lets long words leave the page; widths are decided here, from the text.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil

BREAKABLE = 22
"""Characters of a word from which on it may be broken, as an address is; joined by no-break spaces it never is."""
_FULL = 80.0
"""Characters of running text up to which a column asks for more width."""
_SHORT = 28
_JOINED = 0.82
"""Width of a badge's small capitals against running text."""


@dataclass(frozen=True, slots=True)
class Size:
    """A size of type for a table, the characters of the table's width, and where words may break."""

    name: str
    room: float
    breakable: int = BREAKABLE


SIZES = (Size("normal", 112), Size("small", 122), Size("small", 122, 13), Size("wide", 196))
"""Text size; 7.5 pt; the same on a landscape page."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A table's class and its columns' widths in percent."""

    size: str
    widths: tuple[float, ...]


def layout(texts: Sequence[Sequence[str]], numeric: frozenset[int] = frozenset()) -> Layout:
    """Return the layout of a table given as rows of plain texts, the header first."""
    columns = list(zip(*texts, strict=True))
    size, least = next(fits for fits in _sizes_to_try(columns, numeric) if sum(fits[1]) <= fits[0].room or fits[0] == SIZES[-1])
    longest = [max(map(len, column)) + 2.0 for column in columns]
    asked = [
        low if index in numeric else max(low, min(_FULL, _usual(column)))
        for index, (low, column) in enumerate(zip(least, columns, strict=True))
    ]
    wraps = [0.0 if index in numeric else max(0.0, full - want) for index, (full, want) in enumerate(zip(longest, asked, strict=True))]
    return Layout(size.name, _share(least, asked, wraps, room=size.room))


def _sizes_to_try(columns: Sequence[Sequence[str]], numeric: frozenset[int]) -> Iterator[tuple[Size, list[float]]]:
    """Every size with the columns' least widths, from the most readable on."""
    for size in SIZES:
        yield size, [1.1 * _least(column, i in numeric, size.breakable) + _gap(i, numeric) for i, column in enumerate(columns)]


def _gap(index: int, numeric: frozenset[int]) -> float:
    """Characters of space beside a column's text; there is more after a column of numbers."""
    return 3.6 if index - 1 in numeric else 2.0


def _least(column: Sequence[str], is_numeric: bool, breakable: int) -> int:
    """Numbers never break; their heading may."""
    if not is_numeric:
        return _longest_word(column, breakable)
    return max([_longest_word(column[:1], breakable), *(len(text) for text in column[1:])])


def _longest_word(column: Sequence[str], breakable: int) -> int:
    words = [word for text in column for word in text.split(" ")]
    return max([3, *(ceil(_JOINED * len(word)) if "\u00a0" in word else min(len(word), breakable) for word in words)])


def _usual(column: Sequence[str]) -> float:
    """Characters that a column asks for: all of its longest text where that is short."""
    longest, mean = max(map(len, column)), sum(map(len, column)) / len(column)
    return longest + 2.0 if longest <= _SHORT else (longest + mean) / 2


def _share(least: Sequence[float], asked: Sequence[float], wraps: Sequence[float], *, room: float) -> tuple[float, ...]:
    """Percent of the width for each column.

    Where there is room for all, each gets what it asked, and columns whose text still wraps share the rest; else each gets its least width
    and a part of the rest.
    """
    if sum(asked) <= room:
        spare = room - sum(asked)
        return _percent([want + spare * more / sum(wraps) for want, more in zip(asked, wraps, strict=True)] if any(wraps) else asked)
    spare = max(0.0, room - sum(least))
    more = [want - low for low, want in zip(least, asked, strict=True)]
    return _percent([low + spare * extra / (sum(more) or 1) for low, extra in zip(least, more, strict=True)])


def _percent(widths: Sequence[float]) -> tuple[float, ...]:
    return tuple(round(100 * width / sum(widths), 2) for width in widths)
