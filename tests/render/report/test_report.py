"""What a comparison holds: rectangular tables, ratios on an axis that holds all of them, and words for a figure."""

from dataclasses import replace

import pytest

from ledger.render.report.report import Bound, Ratio, RatioFigure, ReportTable, RunReport, Section

MARK = Ratio("TPOT", "a", "a", 1.2, 1.1, 1.4, "1.20x", 40)
BOUND = Bound("TPOT", "a", 1.5, "rule r: at most 1.5x")


def figure(*ratios: Ratio, bounds: tuple[Bound, ...] = ()) -> RatioFigure:
    return RatioFigure("c1", "Ratios", ratios, bounds, ("base", "a"), "proof")


def test_a_ragged_table_is_refused() -> None:
    with pytest.raises(ValueError, match="Title: a row of 1 cells under a header of 2"):
        ReportTable("Title", ("a", "b"), (("1",),), "proof")


@pytest.mark.parametrize(("value", "is_drawn"), [(1.2, True), (0.0, False), (-1.0, False), (None, False)])
def test_only_a_ratio_above_nothing_has_a_place(value: float | None, is_drawn: bool) -> None:
    assert replace(MARK, value=value).is_drawn is is_drawn


@pytest.mark.parametrize(
    ("shown", "ends"),
    [
        (figure(MARK), (1.0, 1.4)),
        (figure(MARK, bounds=(BOUND,)), (1.0, 1.5)),
        (figure(replace(MARK, value=0.5, low=0.0, high=0.9)), (0.5, 1.0)),
        (figure(replace(MARK, value=None)), (1.0, 1.0)),
    ],
)
def test_the_axis_holds_one_and_all_that_is_drawn(shown: RatioFigure, ends: tuple[float, float]) -> None:
    assert shown.ends == ends


def test_a_bound_belongs_to_its_metric_and_arm() -> None:
    shown = figure(MARK, replace(MARK, arm="b", name="b"), bounds=(BOUND,))
    assert [shown.bound(ratio) for ratio in shown.ratios] == [BOUND, None]
    assert shown.alt == "Ratios. TPOT, a: 1.20x, n = 40, rule r: at most 1.5x; TPOT, b: 1.20x, n = 40."


def test_a_report_knows_its_ratio_figures() -> None:
    shown = figure(MARK)
    report = RunReport("t", (), (), (), (Section("a", (ReportTable("x", ("a",), (), "p"), shown)), Section("b")))
    assert report.figures == (shown,)
