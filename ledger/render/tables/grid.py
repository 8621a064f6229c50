"""A table as Markdown: every row has as many cells as its header, whatever the cells hold."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

FOOT = "Note."
"""How a table's foot begins; the page tells it from a paragraph by this."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Header and rows of Markdown cells; `numeric` names the columns that align right."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: frozenset[int] = frozenset()
    note: str = ""
    """Markdown after the caption: what holds for every row."""
    foot: str = ""
    """Markdown below the table: what single rows need to be read rightly."""

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.header):
                raise ValueError(f"a row of {len(row)} cells under a header of {len(self.header)}")

    @property
    def markdown(self) -> str:
        """The table in Markdown, with its foot."""
        rule = ["---:" if index in self.numeric else "---" for index in range(len(self.header))]
        table = "\n".join(_line(cells) for cells in (self.header, rule, *self.rows))
        return f"{table}\n\n*{FOOT}* {self.foot}" if self.foot else table

    def without_uniform(self, names: Collection[str]) -> "Grid":
        """Return the table without those of the named columns that hold one value; the note says it instead."""
        uniform = [i for i, name in enumerate(self.header) if name in names and len({row[i] for row in self.rows}) == 1]
        kept = [i for i in range(len(self.header)) if i not in uniform]
        facts = "; ".join(f"{_inside(self.header[i])} {self.rows[0][i]}" for i in uniform)
        numeric = frozenset(place for place, index in enumerate(kept) if index in self.numeric)
        rows = tuple(tuple(row[i] for i in kept) for row in self.rows)
        return Grid(tuple(self.header[i] for i in kept), rows, numeric, f"In every row: {facts}." if facts else "", self.foot)

    def grouped(self) -> "Grid":
        """Return the table with a first cell printed only where it differs from the one above."""
        above = [None, *(row[0] for row in self.rows)]
        rows = tuple(row if row[0] != before else ("", *row[1:]) for row, before in zip(self.rows, above, strict=False))
        return Grid(self.header, rows, self.numeric, self.note, self.foot)


def _inside(heading: str) -> str:
    """A heading within a sentence; one that begins with an abbreviation keeps its capitals."""
    return heading if heading[:2].isupper() else heading[:1].lower() + heading[1:]


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("\n", " ") or " " for cell in cells) + " |"
