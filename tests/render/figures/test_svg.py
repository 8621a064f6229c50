"""Figures as SVG: the same bytes, a description, and nothing in them but shapes and text."""

import pytest

from ledger.render.figures import svg
from ledger.render.figures.plot import Plot


def test_the_same_data_gives_the_same_bytes(latency: Plot) -> None:
    assert svg.svg_of(latency, 1) == svg.svg_of(latency, 1)


def test_a_figure_describes_itself_and_holds_no_address(latency: Plot) -> None:
    drawn = svg.svg_of(latency, 1)
    assert f"<title>{latency.alt}</title>" in drawn
    assert drawn.startswith("<svg")
    assert 'role="img"' in drawn
    assert not any(word in drawn for word in ("href", "class=", "onclick"))


def test_text_of_a_record_stays_text(latency: Plot) -> None:
    hostile = Plot(latency.kind, 'A <script>alert("x")</script> & b', latency.values, latency.header, latency.rows, arms=latency.arms)
    drawn = svg.svg_of(hostile, 1)
    assert "<script" not in drawn
    assert "&lt;script&gt;" in drawn


@pytest.mark.parametrize("element", ["script", "image", "foreignObject", "a", "use"])
def test_an_element_that_no_chart_of_ours_has_is_refused(element: str) -> None:
    with pytest.raises(ValueError, match=f"holds the element {element}$"):
        svg._plain_svg(f'<svg xmlns="http://www.w3.org/2000/svg"><{element} href="https://x.example/" /></svg>', "words", 1)


def test_what_acts_or_points_elsewhere_is_taken_off() -> None:
    drawn = svg._plain_svg(
        '<svg xmlns="http://www.w3.org/2000/svg"><path onclick="f()" aria-label="x" d="M0,0" href="u" /></svg>', "words", 1
    )
    assert 'd="M0,0"' in drawn
    assert not any(word in drawn for word in ("onclick", "aria-label", "href"))
