"""Figures of a run: one look per arm, names that do not collide, intervals that never hide the rest."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from ledger.model.catalogue import Catalogue
from ledger.render.citing.blocks import AcceptanceFigure, RunFigure
from ledger.render.citing.citations import Citing
from ledger.render.citing.evidence import DocumentEvidence
from ledger.render.figures.label_overlap import Box, has_room, name_box
from ledger.render.figures.plot import Plot
from ledger.render.figures.run_plots import acceptance_plot, run_plot
from ledger.render.figures.svg import svg_of
from tests.render.conftest import make_article

LATENCY = RunFigure(kind="latency", caption="x", run="demo-run", metric="tpot.p50")
ACCEPTANCE = AcceptanceFigure(kind="acceptance", caption="x", run="demo-run")


@pytest.fixture
def citing(catalogue: Catalogue) -> Citing:
    return Citing(DocumentEvidence(make_article("Text."), catalogue))


@pytest.fixture
def latency(citing: Citing) -> Plot:
    return run_plot(LATENCY, citing)


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def colours(svg: str) -> set[str]:
    """Fills of a figure's marks."""
    return set(re.findall(r'<path transform="[^"]*" d="[^"]*" fill="(#\w+)"', svg))


def test_an_arm_looks_the_same_in_every_figure(latency: Plot, citing: Citing) -> None:
    acceptance = acceptance_plot(ACCEPTANCE, citing)
    assert latency.arms == acceptance.arms == ("baseline", "ngram-4")
    assert colours(svg_of(acceptance, 2)) == {"#0072b2"}
    assert "#0072b2" in colours(svg_of(latency, 1))


def test_acceptance_is_told_by_drafted_position(citing: Citing) -> None:
    plot = acceptance_plot(ACCEPTANCE, citing)
    assert [(row[0], row[2]) for row in plot.rows] == [("ngram-4", "1"), ("ngram-4", "2")] * 2
    shown = texts(svg_of(plot, 1))
    assert shown.count("Drafted position") == 2
    assert {"concurrency 1", "concurrency 8", "Drafted tokens accepted, %"} <= set(shown)


def test_names_that_would_collide_stand_in_a_key(latency: Plot) -> None:
    long = tuple({**value, "arm": f"{value['arm']}-with-a-very-long-name-indeed"} for value in latency.values)
    crowded = replace(latency, values=long, arms=tuple(f"{arm}-with-a-very-long-name-indeed" for arm in latency.arms))
    assert texts(svg_of(latency, 1)).count("ngram-4") == 2
    assert texts(svg_of(crowded, 1)).count("ngram-4-with-a-very-long-name-indeed") == 1


def test_names_leave_each_other_room() -> None:
    first, second = name_box("baseline", middle=50, bottom=20), name_box("ngram-4", middle=150, bottom=20)
    assert has_room([first, second], [Box("baseline", 40, 5, 60, 40)])
    assert not has_room([first, name_box("ngram-4", middle=60, bottom=22)], [])
    assert not has_room([first], [Box("ngram-4", 40, 5, 60, 40)])


def test_one_huge_interval_is_cut_and_said_to_be(catalogue: Catalogue) -> None:
    run = catalogue.by_id["demo-run"].record
    cell = run.cells[-1]  # type: ignore[attr-defined]
    wide = cell.model_copy(update={"metrics": {**cell.metrics, "tpot.p50": cell.metrics["tpot.p50"].model_copy(update={"high": 0.4})}})
    changed = run.model_copy(update={"cells": (*run.cells[:-1], wide)})  # type: ignore[attr-defined]
    others = [entry for entry in catalogue if entry.record.id != "demo-run"]
    plot = run_plot(
        LATENCY, Citing(DocumentEvidence(make_article("Text."), Catalogue([*others, replace(catalogue.by_id["demo-run"], record=changed)])))
    )
    assert plot.top == pytest.approx(1.25 * 26.7)
    assert [row[2] for row in plot.rows if "drawn in part" in row[2]] == ["26.7 ms (25.4 to 400, drawn in part), n = 40"]


def test_what_was_saturated_is_hatched(latency: Plot) -> None:
    saturated = replace(latency, values=tuple({**value, "saturated": value["order"] == 1.0} for value in latency.values))
    svg = svg_of(saturated, 7)
    assert svg.count('fill="url(#hatch-7)"') == 2
    assert '<pattern id="hatch-7"' in svg
    assert "hatch" not in svg_of(latency, 7)
