"""What a figure of a run shows, before it is drawn."""

from dataclasses import replace

import pytest

from ledger.model.catalogue import Catalogue
from ledger.model.records.run import Cell, Measure
from ledger.render.citing.citations import Citing, UnprintableError
from ledger.render.citing.evidence import DocumentEvidence
from ledger.render.figures.run_plots import Point, has_value, position_points, run_plot
from tests.render.conftest import make_article
from tests.render.figures.conftest import LATENCY


def cell(**metrics: Measure) -> Cell:
    requests = {"sent": 1, "completed": 1, "failed": 0, "aborted": 0, "empty": 0}
    fields = {key.replace("__", ".").replace("_", "-"): measure for key, measure in metrics.items()}
    return Cell.model_validate({"arm": "draft", "load": "c1", "requests": requests, "metrics": fields})


def test_one_huge_interval_is_cut_and_said_to_be(catalogue: Catalogue) -> None:
    run = catalogue.by_id["demo-run"].record
    last = run.cells[-1]  # type: ignore[attr-defined]
    wide = last.model_copy(update={"metrics": {**last.metrics, "tpot.p50": last.metrics["tpot.p50"].model_copy(update={"high": 0.4})}})
    changed = run.model_copy(update={"cells": (*run.cells[:-1], wide)})  # type: ignore[attr-defined]
    others = [entry for entry in catalogue if entry.record.id != "demo-run"]
    held = Catalogue([*others, replace(catalogue.by_id["demo-run"], record=changed)])
    plot = run_plot(LATENCY, Citing(DocumentEvidence(make_article("Text."), held)))
    assert plot.top == pytest.approx(1.25 * 26.7)
    assert [row[2] for row in plot.rows if "drawn in part" in row[2]] == ["26.7 ms (25.4 to 400, drawn in part), n = 40"]


def test_positions_stand_in_their_numeric_order() -> None:
    shares = {f"acceptance__position_{place}": Measure(value=1 / place, unit="share", n=9) for place in (10, 2, 1)}
    points = position_points([cell(**shares, acceptance__rate=Measure(value=0.5, unit="share", n=9))])
    assert [point.position for point in points] == [1, 2, 10]


def test_a_metric_that_has_no_value_anywhere_is_refused_with_the_reason(citing: Citing) -> None:
    with pytest.raises(UnprintableError, match=r"^tpot\.p95 has no value in any cell: withheld \(n = 40, needs 72\)\.$"):
        run_plot(LATENCY.model_copy(update={"metric": "tpot.p95"}), citing)


def test_a_measure_without_a_value_is_nothing_to_draw() -> None:
    withheld = Point(cell(), Measure(unit="s", n=3, reason="withheld (n = 3, needs 72)"))
    assert not has_value([withheld])
    assert has_value([withheld, Point(cell(), Measure(value=0.0, unit="s", n=3))])
