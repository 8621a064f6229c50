"""Acceptance by drafted position: a panel per load, a line per arm with its intervals, names at the lines' ends or in a key."""

from ledger.render.figures.label_overlap import NAME_SIZE, Box, has_room, name_box
from ledger.render.figures.palette import SERIES, Spec, arm_scale
from ledger.render.figures.plot import Plot
from ledger.render.figures.run_chart import intervals, points, shown, up_axis

_HEIGHT = 170
_WIDTHS = {1: 340, 2: 215}
_NARROW, _PANELS = 140, 3
"""Width of a panel where there are more, and panels beside each other."""
_SIDE, _JITTER = 0.5, 0.14
"""Room beside the first and last position, and between two arms at one position, in positions."""
_TOP = 104.0
_GAP = 8


def acceptance_spec(plot: Plot) -> Spec:
    """Return the chart of an acceptance plot."""
    arms = [arm for arm in plot.arms if any(value["arm"] == arm for value in plot.values)]
    panels = len({value["row"] for value in plot.values})
    last = max(float(value["position"] or 0) for value in plot.values)
    width = _WIDTHS.get(panels, _NARROW)
    values = [_placed(dict(value), arms) for value in plot.values]
    ends = _ends(values)
    named = all(_is_named(values, ends, row, step=width / (last - 1 + 2 * _SIDE)) for row in {value["row"] for value in values})
    for value in values:
        value["name"] = value["arm"] if named and (value["row"], value["arm"], value["position"]) in ends else ""
    return {
        "data": {"values": values},
        "title": plot.axis,
        "columns": _PANELS,
        "spacing": 26,
        "facet": {"field": "row", "type": "ordinal", "sort": {"field": "order", "op": "min"}, "header": {"title": None}},
        "spec": {"width": width, "height": _HEIGHT, **_panel(plot, arms, last, is_named=named)},
    }


def _panel(plot: Plot, arms: list[str], last: float, *, is_named: bool) -> Spec:
    up = up_axis(_TOP)
    up["axis"] |= {"values": [0, 20, 40, 60, 80, 100]}
    axis = {"title": "Drafted position", "values": list(range(1, int(last) + 1)), "format": "d", "ticks": False, "grid": False}
    across = {"field": "x", "type": "quantitative", "scale": {"domain": [1 - _SIDE, last + _SIDE], "nice": False}, "axis": axis}
    colour = {"field": "arm", "type": "nominal", "scale": arm_scale(plot.arms, arms, SERIES), "legend": None if is_named else {}}
    line = {"mark": {"type": "line", "strokeWidth": 1, "opacity": 0.55}, "encoding": {"y": up}}
    name = {
        "mark": {"type": "text", "align": "left", "baseline": "bottom", "dx": _GAP, "dy": -2, "font": "Ledger Sans", "fontSize": NAME_SIZE},
        "encoding": {"y": up, "text": {"field": "name"}},
    }
    layers = [line, *intervals(up), *points(plot, arms, up, is_named=is_named), *([name] if is_named else [])]
    return {"encoding": {"x": across, "color": colour}, "layer": layers}


def _placed(value: Spec, arms: list[str]) -> Spec:
    return value | {"x": value["position"] + _JITTER * (arms.index(value["arm"]) - (len(arms) - 1) / 2)} | shown(value, _TOP)


def _ends(values: list[Spec]) -> set[tuple[str, str, float]]:
    """Load, arm and position of every line's last point."""
    last: dict[tuple[str, str], float] = {}
    for value in values:
        key = (value["row"], value["arm"])
        last[key] = max(last.get(key, 0.0), value["position"])
    return {(row, arm, position) for (row, arm), position in last.items()}


def _is_named(values: list[Spec], ends: set[tuple[str, str, float]], row: str, *, step: float) -> bool:
    """Whether every name of a panel has room after the last point of its line."""
    names, marks = [], []
    width = step * (max(value["position"] for value in values) - 1 + 2 * _SIDE)
    for value in (value for value in values if value["row"] == row):
        x = (value["x"] - 1 + _SIDE) * step
        y, peak, foot = (
            _HEIGHT * (1 - end / _TOP) for end in (value["value"], value["to"] or value["value"], value["low"] or value["value"])
        )
        marks.append(Box(value["arm"], x - 5, peak - 5, x + 5, foot + 5))
        if (row, value["arm"], value["position"]) in ends:
            names.append(name_box(value["arm"], left=x + _GAP, bottom=y - 2))
    return has_room(names, marks) and all(name.right <= width for name in names)
