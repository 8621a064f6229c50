"""Quantities as dots and ranges on one axis: one row each, the value written beside its mark, the label told by shape.

A stated range or an interval is a line; the open side of an "up to" or "at least" is dotted.
"""

from ledger.render.figures.palette import INK, QUIET, RULE, TEXT, Spec
from ledger.render.figures.plot import Plot

_WIDTH = 350
_ROW, _TIGHT_ROW, _MANY = 22, 18, 12
"""Heights of a row, and the number of rows from which on they stand closer."""


def range_spec(plot: Plot) -> Spec:
    """Return the chart of a range plot; rows stand in the order given, also where two have one name."""
    low, high = _domain(plot)
    across = _across(plot, low, high)
    values = [dict(value) | _ends(dict(value), low, high) for value in plot.values]
    is_ratio = low <= 1 <= high and plot.axis.endswith(" x")
    return {
        "data": {"values": values},
        "width": _WIDTH,
        "height": {"step": _ROW if len(values) < _MANY else _TIGHT_ROW},
        "encoding": {"y": {"field": "order", "type": "ordinal", "axis": None}},
        "layer": [
            *([_UNITY] if is_ratio else []),
            *_lines(across),
            *(_label_points(across, key) for key in _LABEL_MARKS if any(value["label"] == key for value in values)),
            *_texts(across),
        ],
    }


_UNITY: Spec = {
    "data": {"values": [{}]},
    "mark": {"type": "rule", "color": RULE, "strokeWidth": 1},
    "encoding": {"x": {"datum": 1}, "y": {"value": 0}, "y2": {"value": "height"}},
}
"""The line at which a ratio says that nothing changed."""


def _across(plot: Plot, low: float, high: float) -> Spec:
    axis = {"title": plot.axis, "tickCount": 6, "domain": False, "ticks": False}
    scale = {"domain": [low, high], "nice": False, "zero": False}
    return {"field": "value", "type": "quantitative", "scale": scale, "axis": axis}


def _lines(across: Spec) -> list[Spec]:
    ends = {"x": across | {"field": "from"}, "x2": {"field": "to"}}
    return [
        {
            "mark": {"type": "rule", "color": INK, "strokeWidth": 1.4},
            "transform": [{"filter": "datum.from !== null && !datum.open"}],
            "encoding": ends,
        },
        {
            "mark": {"type": "rule", "color": QUIET, "strokeWidth": 1, "strokeDash": [1.5, 2.5]},
            "transform": [{"filter": "datum.open"}],
            "encoding": ends,
        },
    ]


def _texts(across: Spec) -> list[Spec]:
    """Row names left of the plot, values right of their marks."""
    return [
        {
            "mark": {"type": "text", "align": "right", "baseline": "middle", "dx": -10, **TEXT},
            "encoding": {"x": {"value": 0}, "text": {"field": "row"}},
        },
        {
            "mark": {"type": "text", "align": "left", "baseline": "middle", "dx": 8, **TEXT},
            "encoding": {"x": across | {"field": "at"}, "text": {"field": "text"}},
        },
    ]


_LABEL_MARKS: dict[str, Spec] = {
    "measured": {"shape": "square", "fill": INK, "stroke": INK},
    "unplanned": {"shape": "square", "fill": "#bdbab3", "stroke": INK},
    "vendor-claimed": {"shape": "circle", "fill": "#ffffff", "stroke": INK},
    "proposed": {"shape": "diamond", "fill": "#ffffff", "stroke": INK, "strokeDash": [1.5, 1.5]},
    "price": {"shape": "triangle-up", "fill": "#ffffff", "stroke": INK},
}


def _label_points(across: Spec, key: str) -> Spec:
    """One label's marks: on the value, or on both ends of a range that has none."""
    return {
        "mark": {"type": "point", "filled": False, "size": 52, "strokeWidth": 1.4, "opacity": 1, **_LABEL_MARKS[key]},
        "transform": [
            {"filter": f"datum.label === '{key}'"},
            {"calculate": "datum.value === null ? [datum.low, datum.high] : [datum.value]", "as": "point"},
            {"flatten": ["point"]},
        ],
        "encoding": {"x": across | {"field": "point"}},
    }


def _ends(value: Spec, low: float, high: float) -> Spec:
    """Where a row's line runs: over its range or interval, or dotted to the side on which a bound leaves it open."""
    if value["low"] is not None and value["high"] is not None:
        return {"from": value["low"], "to": value["high"], "open": False, "at": value["high"]}
    if value["bound"] == "up-to":
        return {"from": low, "to": value["value"], "open": True, "at": value["value"]}
    if value["bound"] == "at-least":
        return {"from": value["value"], "to": high, "open": True, "at": value["value"]}
    return {"from": None, "to": None, "open": False, "at": value["value"]}


def _domain(plot: Plot) -> tuple[float, float]:
    numbers = [float(value[key] or 0) for value in plot.values for key in ("value", "low", "high") if value[key] is not None]
    low = 1.0 if min(numbers) >= 1 and plot.axis.endswith(" x") else min(0.0, *numbers)
    return low, max(numbers) + 0.28 * (max(numbers) - low or 1.0)
