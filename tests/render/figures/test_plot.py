"""The data of a figure: marks in the unit that prints, and the words that describe it."""

import pytest

from ledger.model.records.run import Measure
from ledger.render.figures.plot import Plot, printed_ends


@pytest.mark.parametrize(
    ("measure", "unit", "ends"),
    [
        (Measure(value=0.0125, low=0.012, high=0.013, unit="s", n=72), "ms", (12.5, 12.0, 13.0)),
        (Measure(value=0.5, unit="share", n=9), "%", (50.0, None, None)),
        (Measure(value=2.8, low=2.5, high=3.0, unit="ratio", n=9), "x", (2.8, 2.5, 3.0)),
        (Measure(value=3145728, unit="bytes", n=1), "MiB", (3.0, None, None)),
    ],
)
def test_marks_stand_in_the_unit_that_prints(measure: Measure, unit: str, ends: tuple[float | None, ...]) -> None:
    printed, mark = printed_ends(measure)
    assert printed == unit
    assert (mark["value"], mark["low"], mark["high"]) == ends
    assert mark["bound"] == "exactly"


def test_a_figure_in_words_names_its_axis_and_every_row() -> None:
    plot = Plot("latency", "TPOT, ms", (), ("Arm", "Load", "Value"), (("base", "c1", "12 ms"), ("no data",)))
    assert plot.alt == "TPOT, ms. base, c1: 12 ms; no data."
