"""What a comparison of runs shows, before a terminal or a page prints it: facts, tables and ratio figures, all as plain text."""

from dataclasses import dataclass

from ledger.render.figures.plot import Plot


@dataclass(frozen=True, slots=True)
class ReportTable:
    """Header and rows of plain text; the first cell of a row names it."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    proof: str
    """Whose numbers these are: measured or not, planned or not, run and protocol, and what n counts."""
    numeric: frozenset[int] = frozenset()
    """Columns that align right."""
    under: tuple[str, ...] = ()
    """A line below each row; none, or as many as rows."""
    notes: tuple[str, ...] = ()
    grouped: bool = False
    """Whether a first cell that repeats the one above is left out in print."""

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.header):
                raise ValueError(f"{self.title}: a row of {len(row)} cells under a header of {len(self.header)}")


@dataclass(frozen=True, slots=True)
class Ratio:
    """One mark of a ratio figure, or the reason why there is none."""

    group: str
    """The metric in words; marks of one group stand together."""
    name: str
    arm: str
    """Decides how the mark looks."""
    value: float | None
    low: float | None
    high: float | None
    text: str
    """The printed ratio with its interval, or the reason why there is none."""
    n: int
    is_saturated: bool = False

    @property
    def is_drawn(self) -> bool:
        """Whether it has a place on a logarithmic axis."""
        return self.value is not None and self.value > 0


@dataclass(frozen=True, slots=True)
class Bound:
    """A rule's bound on a ratio of the figure."""

    group: str
    arm: str
    value: float
    text: str


@dataclass(frozen=True, slots=True)
class RatioFigure:
    """Paired ratios at one load on a logarithmic axis, with the line of 1 and the bounds of the rules."""

    key: str
    """A name for files and anchors, such as the load's id."""
    title: str
    ratios: tuple[Ratio, ...]
    bounds: tuple[Bound, ...]
    arms: tuple[str, ...]
    """Every arm of the protocol, in order: an arm's place decides its mark."""
    proof: str
    notes: tuple[str, ...] = ()

    def bound(self, ratio: Ratio) -> Bound | None:
        """Return the bound that a rule sets on a mark."""
        return next((one for one in self.bounds if (one.group, one.arm) == (ratio.group, ratio.arm)), None)

    @property
    def ends(self) -> tuple[float, float]:
        """Lowest and highest number that the axis must hold; 1 is among them."""
        drawn = [end for one in self.ratios if one.is_drawn for end in (one.value, one.low, one.high) if end is not None and end > 0]
        numbers = [1.0, *drawn, *(one.value for one in self.bounds if one.value > 0)]
        return min(numbers), max(numbers)

    @property
    def alt(self) -> str:
        """The figure in words."""
        facts = (f"{one.group}, {one.name}: {one.text}, n = {one.n}{_bound_words(self.bound(one))}" for one in self.ratios)
        return f"{self.title}. {'; '.join(facts)}."


def _bound_words(bound: Bound | None) -> str:
    return f", {bound.text}" if bound else ""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A metric by load, or acceptance by position, as articles draw it; for pages only, since tables hold its numbers."""

    title: str
    plot: Plot
    proof: str


ReportBlock = ReportTable | RatioFigure | Drawing


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with what stands below it."""

    title: str
    blocks: tuple[ReportBlock, ...] = ()
    lines: tuple[str, ...] = ()
    """Sentences before the blocks."""


@dataclass(frozen=True, slots=True)
class RunReport:
    """A comparison, ready to print."""

    title: str
    labels: tuple[tuple[str, str], ...]
    """Run and key of its label, `measured` or `unplanned`, in the order given."""
    notices: tuple[str, ...]
    """What a reader must know before any number: a partial run, one without a plan, one that another replaces."""
    facts: tuple[tuple[str, str], ...]
    sections: tuple[Section, ...]

    @property
    def figures(self) -> tuple[RatioFigure, ...]:
        """Every ratio figure, in order."""
        return tuple(block for section in self.sections for block in section.blocks if isinstance(block, RatioFigure))
