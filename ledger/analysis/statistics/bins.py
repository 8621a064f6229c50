"""Which bin a value falls in, for millions of values: most are answered by a table, and only the rest by searching."""

from dataclasses import dataclass

import numpy as np

from ledger.analysis.statistics.trace_columns import Bools, Floats, Ints

CELLS = 1 << 14
"""Cells of equal width in the table; fewer values than this are searched."""
TOP_EDGES = 6
"""Edges left above the table, so that one long stall does not stretch its cells over everything else."""


@dataclass(frozen=True, slots=True, eq=False)
class Bins:
    """Ascending edges, and for every cell of the table how many edges lie in the cells below it."""

    edges: Floats
    scale: float
    """Cells per unit; 0 puts everything in one cell, which is then searched."""
    below: Ints
    is_whole: Bools
    """True where no edge cuts a cell: its values all fall in one bin."""

    @classmethod
    def of(cls, edges: Floats) -> "Bins":
        """Return the table of ascending edges, at least one."""
        width = float(edges[max(len(edges) - TOP_EDGES, 0)] - edges[0])
        scale = CELLS / width if width > CELLS * np.finfo(edges.dtype).tiny else 0.0
        below = np.searchsorted(_cells(edges, edges[0], scale), np.arange(CELLS + 2)).astype(np.int32)
        return cls(edges, scale, below, below[1:] == below[:-1])

    def places(self, values: Floats) -> Ints:
        """Return how many edges lie below each value, as `np.searchsorted(edges, values)` does.

        A value's cell never falls as the value grows, so an edge in a lower cell lies below it and one in a higher cell above.
        """
        if len(values) < CELLS:
            return np.searchsorted(self.edges, values)
        cells = _cells(values, self.edges[0], self.scale)
        places: Ints = self.below[cells]
        cut = np.flatnonzero(~self.is_whole[cells])
        places[cut] = np.searchsorted(self.edges, values[cut])
        return places


def _cells(values: Floats, low: float, scale: float) -> Ints:
    with np.errstate(over="ignore"):  # what lies beyond the last cell is put in it
        cells: Ints = np.clip((values - low) * values.dtype.type(scale), 0, CELLS).astype(np.int32)
    return cells
