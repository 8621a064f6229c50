"""Ratio figures in text: an interval a line on a logarithmic axis, the line of 1, and the bound of a rule."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import log

from rich.cells import cell_len

from ledger.cli.text.layout import WIDTH, Terminal, beside, paragraph
from ledger.render.report.ratio_chart import domain, ticks
from ledger.render.report.report import Ratio, RatioFigure

_LONGEST_NAME = 26
"""Columns for names; a longer name stands on a line of its own."""
_APART = 0.14
"""Part of the axis that two of its numbers lie apart at least."""


@dataclass(frozen=True, slots=True)
class _Signs:
    left: str
    line: str
    right: str
    value: str
    hollow: str
    unity: str
    bound: str
    axis: str
    tick: str


_DRAWN = _Signs("├", "─", "┤", "●", "○", "│", "┊", "─", "┴")
_PLAIN = _Signs("[", "-", "]", "o", "O", "|", "!", "-", "+")


@dataclass(frozen=True, slots=True)
class _Axis:
    low: float
    high: float
    width: int

    def column(self, ratio: float) -> int:
        """The column of a ratio, from 0."""
        return round(log(ratio / self.low) / log(self.high / self.low) * (self.width - 1))


def figure_lines(figure: RatioFigure, terminal: Terminal) -> Iterator[str]:
    """Yield a figure of at most 80 columns, with its key below."""
    signs = _PLAIN if terminal.is_ascii else _DRAWN
    names = max((length for ratio in figure.ratios if (length := cell_len(terminal.text(ratio.name))) <= _LONGEST_NAME), default=4)
    texts = max((cell_len(_number(ratio, terminal)) for ratio in figure.ratios if ratio.is_drawn), default=0)
    axis = _Axis(*domain(figure), max(20, WIDTH - 2 - names - 4 - min(texts, 30)))
    group = None
    for ratio in figure.ratios:
        if ratio.group != group:
            group = ratio.group
            yield from paragraph(terminal.text(group))
        yield from _ratio_lines(figure, ratio, axis, names=names, signs=signs, terminal=terminal)
    yield from _axis_lines(axis, names, signs)
    yield from paragraph(_key(figure, signs))
    yield from (line for bound in _bounds(figure, signs, terminal) for line in paragraph(bound, hang=2))


def _number(ratio: Ratio, terminal: Terminal) -> str:
    return terminal.text(ratio.text)


def _ratio_lines(figure: RatioFigure, ratio: Ratio, axis: _Axis, *, names: int, signs: _Signs, terminal: Terminal) -> Iterator[str]:
    name, number = terminal.text(ratio.name), _number(ratio, terminal)
    if cell_len(name) > names:
        yield from paragraph(name, indent=2)
        name = ""
    start = f"  {name}{' ' * (names - cell_len(name))}  "
    if not ratio.is_drawn:
        yield from paragraph(f"{start}{number}", hang=len(start)) if not name else beside(start, number)
        return
    line = f"{start}{_band(figure, ratio, axis, signs=signs)}  "
    if cell_len(line) + cell_len(number) <= WIDTH:
        yield f"{line}{number}"
        return
    yield line.rstrip()
    yield from paragraph(number, indent=4)


def _band(figure: RatioFigure, ratio: Ratio, axis: _Axis, *, signs: _Signs) -> str:
    """One mark on its line: the later sign wins where two fall on one column."""
    assert ratio.value is not None  # callers draw what has a value
    columns = [" "] * axis.width
    columns[axis.column(1.0)] = signs.unity
    if ratio.low is not None and ratio.high is not None and ratio.low > 0:
        left, right = axis.column(ratio.low), axis.column(ratio.high)
        columns[left : right + 1] = [signs.line] * (right - left + 1)
        columns[left], columns[right] = signs.left, signs.right
    bound = figure.bound(ratio)
    if bound and bound.value > 0:
        columns[axis.column(bound.value)] = signs.bound
    columns[axis.column(ratio.value)] = signs.hollow if ratio.is_saturated else signs.value
    return "".join(columns)


def _axis_lines(axis: _Axis, names: int, signs: _Signs) -> Iterator[str]:
    line, numbers = [signs.axis] * axis.width, [" "] * (axis.width + 4)
    for tick in ticks(axis.low, axis.high, _APART):
        place, text = axis.column(tick), f"{tick:g}x"
        line[place] = signs.tick
        start = max(0, min(place - len(text) // 2, axis.width - len(text)))
        numbers[start : start + len(text)] = text
    indent = " " * (names + 4)
    yield indent + "".join(line)
    yield indent + "".join(numbers).rstrip()


def _key(figure: RatioFigure, signs: _Signs) -> str:
    parts = [f"{signs.left}{signs.line}{signs.value}{signs.line}{signs.right} ratio and 95 % interval", f"{signs.unity} no change"]
    if figure.bounds:
        parts.append(f"{signs.bound} bound of a rule")
    if any(ratio.is_saturated for ratio in figure.ratios):
        parts.append(f"{signs.hollow} saturated")
    return "; ".join(parts) + "."


def _bounds(figure: RatioFigure, signs: _Signs, terminal: Terminal) -> Iterator[str]:
    for ratio in figure.ratios:
        if bound := figure.bound(ratio):
            yield f"{signs.bound} {terminal.text(f'{ratio.group}, {ratio.name}: {bound.text}')}"
    yield from (terminal.text(note) for note in figure.notes)
