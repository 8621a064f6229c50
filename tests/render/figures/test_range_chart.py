"""Quantities as dots and ranges: what a bound leaves open is dotted, where a ratio says nothing a line stands."""

from typing import Any

import pytest

from ledger.render.figures.plot import Plot
from ledger.render.figures.range_chart import range_spec


def plot(*marks: dict[str, Any], axis: str = "Speed-up, x") -> Plot:
    base = {"value": None, "low": None, "high": None, "bound": "exactly", "label": "vendor-claimed", "row": "a", "text": "t"}
    values = tuple(base | {"order": number} | mark for number, mark in enumerate(marks))
    return Plot("range", axis, values, ("What", "Label", "Value"), ())


@pytest.mark.parametrize(
    ("mark", "line"),
    [
        ({"low": 1.5, "high": 2.5}, (1.5, 2.5, False)),
        ({"value": 2.8, "bound": "up-to"}, ("least", 2.8, True)),
        ({"value": 2.0, "bound": "at-least"}, (2.0, "most", True)),
        ({"value": 2.0}, (None, None, False)),
    ],
)
def test_a_line_runs_over_what_is_stated_and_is_open_where_a_bound_is(mark: dict[str, Any], line: tuple[Any, ...]) -> None:
    spec = range_spec(plot(mark, {"value": 1.2}))
    least, most = spec["layer"][-1]["encoding"]["x"]["scale"]["domain"]
    value = spec["data"]["values"][0]
    expected = {"least": least, "most": most}
    assert (value["from"], value["to"], value["open"]) == tuple(expected.get(end, end) if isinstance(end, str) else end for end in line)


def has_line_of_one(spec: dict[str, Any]) -> bool:
    return any(layer["encoding"].get("x", {}).get("datum") == 1 for layer in spec["layer"])


def test_the_line_of_one_stands_where_ratios_are_on_both_sides_or_begin_there() -> None:
    assert has_line_of_one(range_spec(plot({"value": 0.8}, {"value": 2.0})))
    assert has_line_of_one(range_spec(plot({"value": 2.0})))
    assert not has_line_of_one(range_spec(plot({"value": 2.0}, axis="Time, ms")))


def test_an_axis_of_other_units_begins_at_zero() -> None:
    spec = range_spec(plot({"value": 30.0}, {"value": 35.0}, axis="Time, ms"))
    assert spec["layer"][-1]["encoding"]["x"]["scale"]["domain"][0] == 0.0


def test_each_label_has_marks_of_its_own_shape() -> None:
    spec = range_spec(plot({"value": 2.0}, {"value": 1.5, "label": "measured"}, {"value": 1.2, "label": "proposed"}))
    shapes = {layer["mark"]["shape"] for layer in spec["layer"] if layer["mark"].get("shape")}
    assert shapes == {"circle", "square", "diamond"}
