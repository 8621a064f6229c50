"""Acceptance by drafted position: a panel a load, up to 100 %."""

from ledger.render.citing.blocks import AcceptanceFigure
from ledger.render.citing.citations import Citing
from ledger.render.figures.acceptance_chart import acceptance_spec
from ledger.render.figures.plot import Plot
from ledger.render.figures.run_plots import acceptance_plot
from ledger.render.figures.svg import svg_of
from tests.render.figures.svg_reading import mark_colours, svg_texts

FIGURE = AcceptanceFigure(kind="acceptance", caption="x", run="demo-run")


def test_acceptance_is_told_by_drafted_position(citing: Citing) -> None:
    plot = acceptance_plot(FIGURE, citing)
    assert [(row[0], row[2]) for row in plot.rows] == [("ngram-4", "1"), ("ngram-4", "2")] * 2
    shown = svg_texts(svg_of(plot, 1))
    assert shown.count("Drafted position") == 2
    assert {"concurrency 1", "concurrency 8", "Drafted tokens accepted, %"} <= set(shown)


def test_an_arm_looks_the_same_in_every_figure(latency: Plot, citing: Citing) -> None:
    acceptance = acceptance_plot(FIGURE, citing)
    assert latency.arms == acceptance.arms == ("baseline", "ngram-4")
    assert mark_colours(svg_of(acceptance, 2)) == {"#0072b2"}
    assert "#0072b2" in mark_colours(svg_of(latency, 1))


def test_the_axis_holds_every_share_whatever_was_accepted(citing: Citing) -> None:
    spec = acceptance_spec(acceptance_plot(FIGURE, citing))
    up = spec["spec"]["layer"][0]["encoding"]["y"]
    assert up["axis"]["values"] == [0, 20, 40, 60, 80, 100]
    least, most = up["scale"]["domain"]
    assert least == 0
    assert most > 100


def test_a_name_stands_once_a_panel_at_the_end_of_its_line(citing: Citing) -> None:
    values = acceptance_spec(acceptance_plot(FIGURE, citing))["data"]["values"]
    assert [(value["row"], value["position"]) for value in values if value["name"]] == [("concurrency 1", 2.0), ("concurrency 8", 2.0)]
