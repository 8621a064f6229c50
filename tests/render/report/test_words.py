"""The words that stand with a run's numbers: label, protocol, load, saturation and n."""

import pytest

from ledger.model.records.protocol import Load
from ledger.model.records.run import Cell, Measure
from ledger.render.report.words import (
    RunUnderProtocol,
    decision_words,
    interval_notes,
    label_key,
    label_words,
    load_words,
    n_text,
    proof,
    saturation_words,
)
from tests.render.conftest import run
from tests.render.report_fixtures import planned, ran


def test_a_protocol_counts_only_in_the_meaning_that_was_run() -> None:
    plan = planned()
    assert RunUnderProtocol.of(ran(plan), plan).protocol == plan
    assert RunUnderProtocol.of(ran(plan), planned(question="Another?")).protocol is None
    assert RunUnderProtocol.of(ran(plan), None).protocol is None


def test_arms_and_loads_stand_in_the_protocols_order_then_as_run() -> None:
    plan = planned()
    record = ran(plan)
    assert RunUnderProtocol(record, plan).loads == ("c1", "c8")
    reversed_cells = record.model_copy(update={"cells": record.cells[::-1]})
    assert RunUnderProtocol(reversed_cells, plan).arms == ("baseline", "ngram-4")
    assert RunUnderProtocol(reversed_cells, None).arms == ("ngram-4", "baseline")
    assert RunUnderProtocol(record, None).load("c1") is None


def test_labels_name_who_measured_where_it_was_not_us() -> None:
    assert (label_key(run()), label_words(run())) == ("measured", "measured, planned")
    other = run(planned=False, executor={"relation": "third-party", "organisation": "Lab"})
    assert (label_key(other), label_words(other)) == ("unplanned", "measured by a third party, unplanned")
    assert proof(run()) == "measured, planned · run demo-run · protocol demo-plan (m1:00000000)"


def test_a_decision_is_that_of_a_planned_run_only() -> None:
    assert decision_words(run(decision="baseline")) == "baseline"
    assert decision_words(run()) == "none recorded"
    assert decision_words(run(decision="baseline", planned=False)) == "none: the run is unplanned"


def test_a_load_stands_with_what_it_means() -> None:
    assert load_words(Load(id="c8", concurrency=8, requests=80), "c8") == "c8 (closed loop, 8 in flight)"
    assert load_words(None, "c8") == "c8"


@pytest.mark.parametrize(
    ("metrics", "words"),
    [
        ({}, "not asked"),
        ({"saturation.repeats": {"value": 0, "unit": "count", "n": 4}}, "no"),
        ({"saturation.repeats": {"value": 2, "unit": "count", "n": 4}}, "in 2 repeats"),
        ({"saturation.repeats": {"unit": "count", "n": 4, "reason": "too short"}}, "too short"),
    ],
)
def test_saturation_is_told_from_not_being_asked(metrics: dict[str, object], words: str) -> None:
    assert saturation_words(Cell.model_validate({"arm": "a", "load": "l", "requests": {}, "metrics": metrics})) == words
    assert saturation_words(None) == "not run"


def test_counts_print_once_where_they_agree() -> None:
    few, many = Measure(value=1, unit="count", n=4), Measure(value=1, unit="count", n=40, interval_reason="one figure")
    assert (n_text(few, None, few), n_text(few, many), n_text(None)) == ("4", "4, 40", "none")
    assert interval_notes([few, many, many, None]) == ("(no interval): one figure.",)
    assert interval_notes([few]) == ()
