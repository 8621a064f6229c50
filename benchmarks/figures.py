"""What a benchmark found: one line of the table at the end."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure, held against its bar where it has one."""

    what: str
    found: str
    bar: str = "none"
    met: bool | None = None
    """None where there is no bar, or where what was run cannot decide."""


def table(by_part: Mapping[str, Sequence[Figure]]) -> str:
    """Return the figures of all parts in aligned columns, each with the command that measures it again."""
    rows = [("what", "figure", "bar", "met", "command")]
    for part, figures in by_part.items():
        rows += [(one.what, one.found, one.bar, _met(one.met), f"python -m benchmarks {part}") for one in figures]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows)


def _met(met: bool | None) -> str:
    return "" if met is None else "yes" if met else "NO"
