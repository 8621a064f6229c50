"""Words and tables laid into a terminal's width; no line is ever longer, whatever the cells hold."""

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.cells import cell_len, chop_cells

from ledger.model.values.text import one_line, visible

WIDTH = 80
_GAP = 2
_BEGINNINGS = frozenset("0123456789(-")
"""With what a number or an interval begins."""
_NARROWEST = 6
"""Columns that a column of words keeps when a table has no room."""
_LONGEST_NAME = 28
"""Columns up to which the name of a row is not cut."""
_LONGEST_WORD = 20
"""Columns up to which a word in another column is not cut, such as an arm's name."""
_ASIDE, _FLAG = " (", " ["
"""Where a number's interval begins, which may stand below the number, and then its flag."""
_ASCII = str.maketrans(
    {"\u00a0": " ", "\u202f": " ", "–": "-", "—": "-", "−": "-", "×": "x", "·": "/", "…": "...", "“": '"', "”": '"', "’": "'", "‘": "'"}
)


@dataclass(frozen=True, slots=True)
class Terminal:
    """What signs a terminal can show."""

    is_ascii: bool = False

    def text(self, text: str) -> str:
        """Return a text on one line, in signs that the terminal can show; another sign gets its number."""
        shown = one_line(text.replace("\u00a0", "\u2007").replace("\u202f", "\u2007")).replace("\u2007", "\u00a0")
        return shown.translate(_ASCII).encode("ascii", "backslashreplace").decode() if self.is_ascii else shown


def wrap_words(text: str, width: int) -> list[str]:
    """Return lines of at most so many columns; a word that is longer is cut."""
    lines: list[str] = [""]
    for word in text.split(" "):
        for piece in chop_cells(word, width) if cell_len(word) > width else [word]:
            joined = f"{lines[-1]} {piece}" if lines[-1] else piece
            if cell_len(joined) <= width:
                lines[-1] = joined
            else:
                lines.append(piece)
    return lines


def paragraph(text: str, *, indent: int = 0, hang: int = 0) -> Iterator[str]:
    """Yield a text in lines of even length, indented; lines after the first by `hang` more."""
    first, *rest = wrap_words(text, WIDTH - indent - hang)
    yield f"{' ' * indent}{first}".rstrip()
    yield from (f"{' ' * (indent + hang)}{line}" for line in rest)


def hanging(text: str, *, indent: int = 0, hang: int = 2, keeps_spaces: bool = False) -> Iterator[str]:
    """Yield a text in lines that end at the terminal's edge, indented; lines after the first by `hang` more.

    Counts characters, not columns, and fills a line with the beginning of a word that is longer than a line.
    """
    start, rest = " " * indent, " " * (indent + hang)
    shown = visible(text) if keeps_spaces else one_line(text)
    yield from textwrap.wrap(shown, WIDTH, initial_indent=start, subsequent_indent=rest, break_on_hyphens=False)


def beside(start: str, text: str) -> Iterator[str]:
    """Yield a text in lines that all begin below its first word, which follows `start`."""
    indent = cell_len(start)
    first, *rest = wrap_words(text, WIDTH - indent)
    yield f"{start}{first}".rstrip()
    yield from (f"{' ' * indent}{line}" for line in rest)


def table_lines(
    header: Sequence[str], rows: Sequence[Sequence[str]], numeric: frozenset[int], *, under: Sequence[str] = ()
) -> Iterator[str]:
    """Yield a table with a ruled header; below each row what `under` says of it.

    Where room is short, words wrap or intervals go below their numbers, whichever takes fewer lines; a table that has
    no room even so prints a paragraph a row.
    """
    candidates = []
    for is_stacked in (False, True):
        cells = [[_pieces(cell, is_stacked=is_stacked) for cell in row] for row in (header, *rows)]
        if widths := _widths(cells, numeric):
            candidates.append(list(_rows(cells, widths, numeric, under=under)))
    yield from min(candidates, key=len) if candidates else _as_paragraphs(header, rows, under)


def _pieces(cell: str, *, is_stacked: bool) -> list[str]:
    """A cell's lines: its number, its interval and its flag apart where they are stacked."""
    number, opening, rest = cell.partition(_ASIDE)
    if not is_stacked or not opening or not any(char.isdigit() for char in number):
        return [cell]
    interval, flag, words = rest.partition(_FLAG)
    return [number, f"({interval}", *([f"[{words}"] if flag else [])]


def _widths(cells: Sequence[Sequence[list[str]]], numeric: frozenset[int]) -> list[int]:
    """Widths of the columns, words wrapped as far as they must; empty where numbers alone are too wide."""
    count = len(cells[0])
    widths = [max(cell_len(line) for row in cells for line in row[column]) for column in range(count)]
    least = [_least(cells, column, column in numeric) for column in range(count)]
    excess = sum(widths) + _GAP * (count - 1) - WIDTH
    while excess > 0:
        room = [width - floor for width, floor in zip(widths, least, strict=True)]
        if max(room) <= 0:
            return []
        widest = max((column for column in range(count) if room[column] > 0), key=lambda column: widths[column])
        widths[widest] -= 1
        excess -= 1
    return widths


def _least(cells: Sequence[Sequence[list[str]]], column: int, is_number: bool) -> int:
    """A column's smallest width: whole numbers, and words down to their longest, within reason."""
    header, *body = [row[column] for row in cells]
    words = [word for line in header for word in line.split(" ")]
    if is_number:
        numbers = [line for lines in body for line in lines if line[:1] in _BEGINNINGS and ", " not in line]  # reasons and lists wrap
        words += [word for lines in body for line in lines if line not in numbers for word in line.split(" ")]
        return max(cell_len(text) for text in (*words, *numbers))
    words += [word for lines in body for line in lines for word in line.split(" ")]
    most = _LONGEST_NAME if column == 0 else _LONGEST_WORD
    return max(_NARROWEST, min(max(map(cell_len, words)), most))


def _rows(cells: Sequence[Sequence[list[str]]], widths: Sequence[int], numeric: frozenset[int], *, under: Sequence[str]) -> Iterator[str]:
    header, *rows = cells
    yield from _row(header, widths, numeric)
    yield "-" * (sum(widths) + _GAP * (len(widths) - 1))
    for index, row in enumerate(rows):
        yield from _row(row, widths, numeric)
        if under:
            yield from paragraph(under[index], indent=2)


def _row(row: Sequence[list[str]], widths: Sequence[int], numeric: frozenset[int]) -> Iterator[str]:
    columns = [[line for piece in cell for line in wrap_words(piece, width)] for cell, width in zip(row, widths, strict=True)]
    for number in range(max(len(column) for column in columns)):
        texts = [column[number] if number < len(column) else "" for column in columns]
        aligned = [_align(text, width, index in numeric) for index, (text, width) in enumerate(zip(texts, widths, strict=True))]
        yield (" " * _GAP).join(aligned).rstrip()


def _align(text: str, width: int, is_number: bool) -> str:
    space = " " * (width - cell_len(text))
    return f"{space}{text}" if is_number else f"{text}{space}"


def _as_paragraphs(header: Sequence[str], rows: Sequence[Sequence[str]], under: Sequence[str]) -> Iterator[str]:
    for index, row in enumerate(rows):
        if row[0]:
            yield from paragraph(row[0])
        facts = "; ".join(f"{name}: {cell}" for name, cell in zip(header[1:], row[1:], strict=True))
        yield from paragraph(facts, indent=2)
        if under:
            yield from paragraph(under[index], indent=2)
