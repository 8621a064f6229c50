"""Ratio figures as SVG: an axis with 1 on it, words above each mark, and whose numbers they are."""

import pytest

from ledger.render.report.ratio_chart import domain, figure_svg, figures_svg, ticks, with_description
from ledger.render.report.report import Ratio, RatioFigure

MARK = Ratio("TPOT", "ngram", "ngram", 2.0, 1.5, 4.0, "2.00x (1.50 to 4.00)", 40)
FIGURE = RatioFigure("c1", "Arm / base at c1", (MARK,), (), ("base", "ngram"), "measured, planned · run r")


@pytest.mark.parametrize(("low", "high"), [(0.85, 1.1), (0.3, 2.5), (0.01, 200.0), (1.0, 1.0001)])
def test_an_axis_names_one_and_only_what_lies_on_it(low: float, high: float) -> None:
    named = ticks(low, high, 0.1)
    assert 1.0 in named
    assert named == sorted(named)
    assert all(low <= tick <= high for tick in named)


def test_an_axis_keeps_its_numbers_apart() -> None:
    assert ticks(0.5, 2.0, 0.1) == [0.5, 0.8, 1.0, 1.25, 1.5, 2.0]
    assert len(ticks(0.01, 200.0, 0.2)) <= 6


def test_the_axis_has_room_at_both_ends() -> None:
    low, high = domain(FIGURE)
    assert (low, high) == pytest.approx((4**-0.06, 4 * 4**0.06))


def test_a_figure_on_a_page_leaves_its_proof_to_the_caption() -> None:
    alone, inside = figures_svg((FIGURE,)), figure_svg(FIGURE, 3)
    assert "measured, planned · run r" in alone.partition("</desc>")[2]
    assert "measured, planned" not in inside.partition("</desc>")[2]
    assert "2.00x (1.50 to 4.00), n = 40" in inside.partition("</desc>")[2]


def test_a_short_title_stands_before_all_data_in_words() -> None:
    svg = with_description("<svg><title>a &lt; b</title></svg>", "T & U", "a < b")
    assert svg == "<svg><title>T &amp; U</title><desc>a &lt; b</desc></svg>"
