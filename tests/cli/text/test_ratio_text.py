"""Ratio figures in text: marks where their ratios say, in lines that fit."""

from hypothesis import given
from hypothesis import strategies as st

from ledger.cli.text.layout import Terminal
from ledger.cli.text.ratio_text import figure_lines
from ledger.render.report.report import Bound
from tests.cli.compare_fixtures import figure, mark, too_long


def test_marks_stand_where_their_ratios_say() -> None:
    lines = list(figure_lines(figure(mark(0.5, 0.4, 0.6), mark(1.0, 0.9, 1.1), mark(2.0, 1.8, 2.4, saturated=True)), Terminal()))
    half, one, two = lines[1], lines[2], lines[3]
    assert half.index("●") < half.index("│") == one.index("●") == two.index("│") < two.index("○")
    assert abs((one.index("●") - half.index("●")) - (two.index("○") - one.index("●"))) <= 1  # logarithmic: halving and doubling lie alike
    assert half.index("├") < half.index("●") < half.index("┤")


def test_a_ratio_without_value_keeps_its_row_and_says_why() -> None:
    lines = list(figure_lines(figure(mark(0.5, 0.4, 0.6), mark(None), mark(0.0)), Terminal()))
    assert lines[2].split() == ["ngram", "withheld", "(n", "=", "5)"]
    assert lines[3].split() == ["ngram", "0.0x"]


@given(
    st.lists(st.tuples(st.floats(1e-6, 1e6), st.text(max_size=60)), min_size=1, max_size=5),
    st.booleans(),
)
def test_no_figure_is_wider_than_the_terminal(marks: list[tuple[float, str]], is_ascii: bool) -> None:
    drawn = figure(
        *(mark(value, value / 2, value * 3, name=name) for value, name in marks), bounds=(Bound("TPOT, median", "ngram", 0.9, "rule r"),)
    )
    lines = list(figure_lines(drawn, Terminal(is_ascii=is_ascii)))
    assert too_long("\n".join(lines)) == []
    assert not is_ascii or "".join(lines).isascii()
