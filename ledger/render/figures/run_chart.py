"""A metric of a run by load: one mark per arm, its interval drawn; saturated cells hollow, on a hatched ground.

An arm's name stands above its mark, or in a key below the plot where names would run into something.
"""

import json

from ledger.render.figures.label_overlap import NAME_SIZE, Box, has_room, name_box
from ledger.render.figures.palette import HATCH, SERIES, SHAPES, Spec, arm_scale
from ledger.render.figures.plot import Plot

HEIGHT = 200
_LEAST_WIDTH, _MOST_WIDTH, _ARM_WIDTH = 240, 460, 46
_SPREAD, _HEADROOM = 0.8, 1.12
"""Part of a load's width that its arms take, and how far the axis reaches above the highest end."""
_GAP = 9
"""Pixels between a mark and its name."""


def run_spec(plot: Plot) -> Spec:
    """Return the chart of a run's metric."""
    arms = [arm for arm in plot.arms if any(value["arm"] == arm for value in plot.values)]
    loads = {float(value["order"] or 0): str(value["row"]) for value in plot.values}
    width = min(_MOST_WIDTH, max(_LEAST_WIDTH, len(loads) * len(arms) * _ARM_WIDTH))
    top = plot.top or _HEADROOM * max(float(value["high"] or value["value"] or 0) for value in plot.values)
    values = [placed(dict(value), arms, sorted(loads), top=top) for value in plot.values]
    named = _is_named(values, width=width, loads=len(loads), top=top)
    up = up_axis(top)
    return {
        "data": {"values": values},
        "title": plot.axis,
        "width": width,
        "height": HEIGHT,
        "encoding": {"x": _across([loads[order] for order in sorted(loads)]), "color": _coloured(plot, arms, named)},
        "layer": [_ground(), *intervals(up), *points(plot, arms, up, is_named=named), *([_names(up)] if named else [])],
    }


def placed(value: Spec, arms: list[str], orders: list[float], *, top: float) -> Spec:
    """Return a mark with its place across, the ends of its band, and its interval as far as the plot shows it."""
    step = _SPREAD / len(arms)
    across = orders.index(float(value["order"])) + step * (arms.index(value["arm"]) - (len(arms) - 1) / 2)
    return value | {"x": across, "left": across - step / 2, "right": across + step / 2} | shown(value, top)


def shown(value: Spec, top: float) -> Spec:
    """Return how far an interval is drawn, and whether it goes on above."""
    high = value["high"]
    return {"to": None if high is None else min(high, top), "cut": high is not None and high > top}


def _is_named(values: list[Spec], *, width: int, loads: int, top: float) -> bool:
    """Whether every name has room above its mark."""
    names, marks = [], []
    for value in values:
        middle = (value["x"] + 0.5) / loads * width
        peak, foot = (HEIGHT * (1 - end / top) for end in (value["to"] or value["value"], value["low"] or value["value"]))
        names.append(name_box(value["arm"], middle=middle, bottom=peak - _GAP))
        marks.append(Box(value["arm"], middle - 5, peak - 5, middle + 5, foot + 5))
    return has_room(names, marks) and all(name.left >= 0 and name.right <= width for name in names)


def _across(loads: list[str]) -> Spec:
    axis = {
        "title": "Load",
        "values": list(range(len(loads))),
        "ticks": False,
        "grid": False,
        "labelExpr": f"{json.dumps(loads)}[datum.value]",
    }
    return {"field": "x", "type": "quantitative", "scale": {"domain": [-0.5, len(loads) - 0.5], "nice": False}, "axis": axis}


def up_axis(top: float) -> Spec:
    """Return the vertical axis from 0, without a line of its own."""
    axis = {"title": None, "domain": False, "ticks": False, "tickCount": 6}
    return {"field": "value", "type": "quantitative", "scale": {"domain": [0, top], "nice": False}, "axis": axis}


def _coloured(plot: Plot, arms: list[str], is_named: bool) -> Spec:
    return {"field": "arm", "type": "nominal", "scale": arm_scale(plot.arms, arms, SERIES), "legend": None if is_named else {}}


def _ground() -> Spec:
    """Hatching behind what was measured under saturation."""
    return {
        "mark": {"type": "rect", "fill": HATCH, "opacity": 1},
        "transform": [{"filter": "datum.saturated"}],
        "encoding": {
            "x": {"field": "left", "type": "quantitative"},
            "x2": {"field": "right"},
            "y": {"value": 0},
            "y2": {"value": HEIGHT},
            "color": {"value": HATCH},
        },
    }


def intervals(up: Spec) -> list[Spec]:
    """Return the layers of intervals: a line, and an arrow head where it goes on above the plot."""
    return [
        {
            "mark": {"type": "rule", "strokeWidth": 1.3},
            "transform": [{"filter": "datum.low !== null && datum.to !== null"}],
            "encoding": {"y": up | {"field": "low"}, "y2": {"field": "to"}},
        },
        {
            "mark": {"type": "point", "shape": "triangle-up", "filled": True, "size": 40, "opacity": 1},
            "transform": [{"filter": "datum.cut"}],
            "encoding": {"y": up | {"field": "to"}},
        },
    ]


def points(plot: Plot, arms: list[str], up: Spec, *, is_named: bool) -> list[Spec]:
    """Return the layers of marks: filled, and hollow under saturation."""
    shape = {"field": "arm", "type": "nominal", "scale": arm_scale(plot.arms, arms, SHAPES), "legend": None if is_named else {}}
    base: Spec = {"type": "point", "size": 48, "opacity": 1}
    kinds = (("!datum.saturated", {"filled": True}), ("datum.saturated", {"filled": False, "fill": "#ffffff", "strokeWidth": 1.3}))
    return [{"mark": base | mark, "transform": [{"filter": test}], "encoding": {"y": up, "shape": shape}} for test, mark in kinds]


def _names(up: Spec) -> Spec:
    return {
        "mark": {"type": "text", "align": "center", "baseline": "bottom", "dy": -_GAP, "font": "Ledger Sans", "fontSize": NAME_SIZE},
        "transform": [{"calculate": "datum.to === null ? datum.value : datum.to", "as": "peak"}],
        "encoding": {"y": up | {"field": "peak"}, "text": {"field": "arm"}},
    }
