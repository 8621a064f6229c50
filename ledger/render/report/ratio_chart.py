"""Ratio figures as SVG: a row per mark with its words above it, the line of 1, bounds as dashed ticks, saturated rows hatched.

Words stand above their interval and not beside it, so that a figure is as narrow as a telephone.
"""

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import log

from ledger.model.values.text import one_line
from ledger.render.figures.palette import HATCH, INK, QUIET, RULE, SERIES, SHAPES, TEXT, Spec
from ledger.render.figures.svg import svg_from
from ledger.render.report.report import Ratio, RatioFigure

WIDTH = 340
_LINE, _BAND, _HEADING, _GAP = 13, 16, 22, 5
"""Heights in pixels: a line of words, the band of an interval, a heading, and the space below a row."""
_CHARACTERS = 58
"""Characters of the bundled sans that fit one line at its size here."""
_MARGIN = 0.06
"""Part of the axis left free at each end."""
STEPS = (0.1, 0.2, 0.5, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 2.0, 3.0, 5.0, 10.0, 20.0, 50.0, 100.0)
"""Ratios that an axis may name."""


def figures_svg(figures: Sequence[RatioFigure]) -> str:
    """Return figures below each other as one SVG file, each with its title and whose numbers they are."""
    spec: Spec = {"vconcat": [_panel(figure, is_alone=True) for figure in figures], "spacing": 30, "background": "#ffffff", "padding": 12}
    return _described(spec, " ".join(figure.title for figure in figures), " ".join(figure.alt for figure in figures), number=1)


def figure_svg(figure: RatioFigure, number: int) -> str:
    """Return one figure for a page, which has its title and proof in the caption."""
    return _described(_panel(figure, is_alone=False), figure.title, figure.alt, number=number)


def _described(spec: Spec, title: str, alt: str, *, number: int) -> str:
    words = one_line(alt)
    return with_description(svg_from(spec, words, number), one_line(title), words)


def with_description(svg: str, title: str, alt: str) -> str:
    """Return a figure whose title, all its data in words, becomes its description under a short title."""
    both = f"<title>{escape(title, quote=False)}</title><desc>{escape(alt, quote=False)}</desc>"
    return svg.replace(f"<title>{escape(alt, quote=False)}</title>", both, 1)


@dataclass(frozen=True, slots=True)
class _PlacedSpecs:
    """Words and marks with their pixels from the top."""

    texts: list[Spec]
    marks: list[Spec]
    height: int


def _panel(figure: RatioFigure, *, is_alone: bool) -> Spec:
    placed = _placed(figure)
    low, high = domain(figure)
    across = {"type": "quantitative", "scale": {"type": "log", "domain": [low, high], "nice": False}, "axis": _axis(low, high)}
    down = {"field": "y", "type": "quantitative", "scale": {"domain": [placed.height, 0], "nice": False, "zero": False}, "axis": None}
    title: Spec = {"title": _title(figure)} if is_alone else {}
    return {
        **title,
        "width": WIDTH,
        "height": placed.height,
        "layer": [
            _unity(placed.marks, across, down),
            *_mark_layers(placed.marks, figure, across, down=down),
            *_text_layers(placed.texts, down),
        ],
    }


def _title(figure: RatioFigure) -> Spec:
    lines = [line for text in (figure.proof, *figure.notes) for line in _lines(text)]
    return {"text": _lines(figure.title), "subtitle": lines, "color": INK, "subtitleColor": QUIET, "subtitleFontSize": 9}


def _lines(text: str) -> list[str]:
    return textwrap.wrap(one_line(text), _CHARACTERS, break_on_hyphens=False) or [""]


def domain(figure: RatioFigure) -> tuple[float, float]:
    """Return the ends of a figure's axis: all it holds, with room at both ends."""
    low, high = figure.ends
    room = (high / low) ** _MARGIN if high > low else 1.25
    return low / room, high * room


def ticks(low: float, high: float, apart: float) -> list[float]:
    """Return the ratios that an axis names: 1, and others that lie at least a part of its length from those named."""
    named = [1.0]
    for step in sorted(STEPS, key=lambda step: abs(log(step)), reverse=True):
        if low <= step <= high and all(abs(log(step / other)) >= apart * log(high / low) for other in named):
            named.append(step)
    return sorted(named)


def _axis(low: float, high: float) -> Spec:
    return {
        "title": "Ratio, logarithmic axis",
        "values": ticks(low, high, 0.1),
        "labelExpr": "datum.value + 'x'",
        "ticks": True,
        "grid": False,
        "domain": True,
    }


def _placed(figure: RatioFigure) -> _PlacedSpecs:
    texts: list[Spec] = []
    marks: list[Spec] = []
    top, group = 0, None
    for ratio in figure.ratios:
        if ratio.group != group:
            group = ratio.group
            texts.append({"y": top + _HEADING - 6, "text": one_line(group), "kind": "heading"})
            top += _HEADING
        for left, right in _label(figure, ratio):
            top += _LINE
            texts += [{"y": top, "text": text, "kind": kind} for text, kind in ((left, "left"), (right, "right")) if text]
        marks.append(_mark(figure, ratio, top))
        top += _BAND + _GAP
    return _PlacedSpecs(texts, marks, top)


def _label(figure: RatioFigure, ratio: Ratio) -> Iterator[tuple[str, str]]:
    """Lines of words above a mark: left the name, right the number; on lines of their own where they would meet."""
    bound = figure.bound(ratio)
    number = one_line(f"{ratio.text}, n = {ratio.n}")
    names = _lines(ratio.name)
    if len(names[-1]) + len(number) + 2 <= _CHARACTERS:
        yield from ((line, "") for line in names[:-1])
        yield names[-1], number
    else:
        yield from ((line, "") for line in names)
        yield from (("", line) for line in _lines(number))
    if bound:
        yield one_line(bound.text), ""


def _mark(figure: RatioFigure, ratio: Ratio, top: int) -> Spec:
    bound = figure.bound(ratio)
    place = figure.arms.index(ratio.arm) if ratio.arm in figure.arms else len(figure.arms)
    drawn = ratio.is_drawn
    low = ratio.low if drawn and ratio.low is not None and ratio.low > 0 else None
    return {
        "y": top + _BAND / 2 + 2,
        "top": top + 3,
        "bottom": top + _BAND + 2,
        "value": ratio.value if drawn else None,
        "low": low,
        "high": ratio.high if low is not None else None,
        "bound": bound.value if bound and bound.value > 0 else None,
        "saturated": ratio.is_saturated,
        "place": place,
    }


def _unity(marks: list[Spec], across: Spec, down: Spec) -> Spec:
    """The line of 1, beside marks only: through words it would strike them out."""
    return {
        "data": {"values": [{"top": mark["top"] - 1, "bottom": mark["bottom"] + 1} for mark in marks]},
        "mark": {"type": "rule", "color": RULE, "strokeWidth": 1.2},
        "encoding": {"x": across | {"datum": 1}, "y": down | {"field": "top"}, "y2": {"field": "bottom"}},
    }


def _mark_layers(marks: list[Spec], figure: RatioFigure, across: Spec, *, down: Spec) -> Iterator[Spec]:
    """Hatching, intervals, bounds, then one layer of points per look."""
    if any(mark["saturated"] for mark in marks):
        yield {
            "data": {"values": [mark for mark in marks if mark["saturated"]]},
            "mark": {"type": "rect", "fill": HATCH, "opacity": 1},
            "encoding": {"x": {"value": 0}, "x2": {"value": WIDTH}, "y": down | {"field": "top"}, "y2": {"field": "bottom"}},
        }
    places = sorted({mark["place"] for mark in marks if mark["value"] is not None})
    for place in places:
        own = [mark for mark in marks if mark["place"] == place]
        colour = SERIES[place % len(SERIES)]
        yield {
            "data": {"values": [mark for mark in own if mark["low"] is not None]},
            "mark": {"type": "rule", "strokeWidth": 1.5, "color": colour},
            "encoding": {"x": across | {"field": "low"}, "x2": {"field": "high"}, "y": down},
        }
        for is_saturated in (False, True):
            values = [mark for mark in own if mark["saturated"] == is_saturated and mark["value"] is not None]
            fill = "#ffffff" if is_saturated else colour
            look = {"type": "point", "shape": SHAPES[place % len(SHAPES)], "size": 46, "fill": fill, "stroke": colour, "opacity": 1}
            yield {"data": {"values": values}, "mark": look, "encoding": {"x": across | {"field": "value"}, "y": down}}
    if figure.bounds:
        yield {
            "data": {"values": [mark for mark in marks if mark["bound"] is not None]},
            "mark": {"type": "rule", "strokeWidth": 1.5, "strokeDash": [2.5, 1.5], "color": INK},
            "encoding": {"x": across | {"field": "bound"}, "y": down | {"field": "top"}, "y2": {"field": "bottom"}},
        }


def _text_layers(texts: list[Spec], down: Spec) -> Iterator[Spec]:
    looks: tuple[tuple[str, Spec, int], ...] = (
        ("heading", {"align": "left", "fontWeight": 600}, 0),
        ("left", {"align": "left"}, 0),
        ("right", {"align": "right"}, WIDTH),
    )
    for kind, look, x in looks:
        yield {
            "data": {"values": [text for text in texts if text["kind"] == kind]},
            "mark": {"type": "text", "baseline": "bottom", **TEXT, **look},
            "encoding": {"x": {"value": x}, "y": down, "text": {"field": "text"}},
        }
