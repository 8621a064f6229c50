"""One run told: labels on everything, reasons in place of numbers, and why each candidate fell."""

from typing import Any

import pytest

from ledger.render.report.report import ReportTable
from tests.render.report_fixtures import cells_of, planned, ran, reported, tables


def row(table: ReportTable, *names: str) -> tuple[str, ...]:
    """The row that begins with these cells."""
    return next(row for row in table.rows if row[: len(names)] == names)


def test_each_block_says_whose_numbers_it_holds() -> None:
    report = reported((ran(planned()), planned()))
    proofs = {block.proof for section in report.sections for block in section.blocks}
    [proof] = proofs
    assert proof.startswith("measured, planned · run demo-run · protocol demo-plan (m1:")


def test_a_value_stands_with_its_interval_and_a_withheld_one_with_its_reason() -> None:
    table = tables(reported((ran(planned()), planned())))["Latencies at c8"]
    assert row(table, "TPOT, ms", "ngram-4") == ("TPOT, ms", "ngram-4", "26.7 (25.4 to 28.3)", "withheld (n = 40, needs 72)", "40")


def test_missing_things_print_differently() -> None:
    plan = planned()
    cells = cells_of(ran(plan))
    cells[0]["metrics"] |= {"acceptance.rate": {"unit": "share", "n": 40, "reason": "undefined (0 drafts)"}}
    cells[1]["metrics"] |= {"acceptance.rate": {"value": 0.0, "unit": "share", "n": 40, "interval_reason": "one figure a repeat"}}
    cells[2]["metrics"] |= {"acceptance.rate": {"unit": "share", "n": 0, "reason": "not recorded"}}
    found = tables(reported((ran(plan, cells=cells[:3]), plan)))
    rates = {(table, line[1]): line[2] for table in ("Rates at c1", "Rates at c8") for line in found[table].rows if "Acceptance" in line[0]}
    assert rates == {
        ("Rates at c1", "baseline"): "undefined (0 drafts)",
        ("Rates at c1", "ngram-4"): "0 (no interval)",
        ("Rates at c8", "baseline"): "not recorded",
        ("Rates at c8", "ngram-4"): "not run",
    }
    assert "(no interval): one figure a repeat." in found["Rates at c1"].notes


def test_a_partial_run_says_so_before_any_number() -> None:
    plan = planned()
    report = reported((ran(plan, status="partial", cells=cells_of(ran(plan))[:3]), plan))
    assert report.notices[0].startswith("Run demo-run is partial")
    assert row(tables(report)["Latencies at c8"], "TPOT, ms", "ngram-4")[2:] == ("not run", "not run", "none")


def test_the_rubric_is_a_table_of_bound_found_and_outcome() -> None:
    table = tables(reported((ran(planned()), planned())))["Rubric"]
    assert table.header == ("Rule", "Bound", "Found", "n", "Outcome")
    assert table.rows == (("no-slower", "at most 1x", "1.31x (1.20 to 1.42)", "40", "fail"),)
    assert "ngram-4 / baseline at c8: TPOT, median. Is it no slower under load? Direction: worse." in table.under[0]


def test_the_decision_says_why_each_candidate_fell() -> None:
    table = tables(reported((ran(planned()), planned())))["Decision: baseline"]
    assert row(table, "ngram-4")[2:] == ("fell", "no-slower: fail")
    assert row(table, "baseline")[1:3] == ("fallback", "chosen")


def test_a_candidate_that_passed_is_chosen_and_the_fallback_is_not_needed() -> None:
    plan = planned()
    verdict = {"rule": "no-slower", "outcome": "pass", "because": "below the bound"}
    table = tables(reported((ran(plan, verdicts=[verdict], decision="ngram-4"), plan)))["Decision: ngram-4"]
    assert row(table, "ngram-4")[2:] == ("chosen", "passed no-slower")
    assert row(table, "baseline")[2] == "not needed"


def test_an_unplanned_run_shows_no_verdict() -> None:
    report = reported((ran(planned(), planned=False), planned()))
    found = tables(report)
    assert [line[-1] for line in found["Rubric"].rows] == ["no verdict"]
    assert not any(title.startswith("Decision") for title in found)
    words = " ".join((*report.notices, *found["Rubric"].under, *(cell for line in found["Rubric"].rows for cell in line)))
    assert "fail" not in words
    assert "worse" not in words
    assert dict(report.facts)["Decision"] == "none: the run is unplanned"
    assert report.labels == (("demo-run", "unplanned"),)


def test_a_saturated_cell_is_flagged_wherever_it_is_printed() -> None:
    plan = planned()
    cells = cells_of(ran(plan))
    cells[3]["metrics"] |= {"saturation.repeats": {"value": 2.0, "unit": "count", "n": 40}}
    report = reported((ran(plan, cells=cells), plan))
    found = tables(report)
    flagged = "ngram-4 [saturated]"
    assert row(found["Latencies at c8"], "TPOT, ms", flagged)
    assert row(found["Ratios at c8"], "TPOT", flagged)
    assert row(found["Requests at c8"], flagged)[-1] == "in 2 repeats"
    assert found["Rubric"].rows[0][2] == "1.31x (1.20 to 1.42) [saturated]"
    assert [(one.name, one.is_saturated) for one in report.figures[0].ratios] == [(flagged, True)]
    assert row(found["Latencies at c1"], "TPOT, ms", "ngram-4")


def test_a_plan_that_is_gone_leaves_outcomes_without_bounds() -> None:
    report = reported((ran(planned(), protocol_meaning="m1:" + "0" * 64), planned()))
    assert any("is not in this ledger with the meaning" in notice for notice in report.notices)
    assert tables(report)["Rubric"].rows == (("no-slower", "fail (worse)"),)
    assert report.figures[0].bounds == ()


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"status": "invalid"}, "is invalid"),
        ({"executor": {"relation": "supplier", "organisation": "Vendor"}}, "executed by Vendor (supplier)"),
        ({"deviations": ["one"]}, "deviates from its protocol in 1 point"),
    ],
)
def test_what_weakens_a_run_stands_at_its_head(fields: dict[str, Any], text: str) -> None:
    assert any(text in notice for notice in reported((ran(planned(), **fields), planned())).notices)


def test_controls_say_what_they_had_to_show_and_what_they_showed() -> None:
    arms = [{"id": "baseline"}, {"id": "ngram-4", "method": "ngram"}, {"id": "again", "repeats_of": "baseline"}]
    plan = planned(arms=arms)
    cells = [cell | {"arm": arm, "repeat": repeat} for cell in cells_of(ran(plan)) for arm in ("again",) for repeat in (1, 2)]
    same = {"value": 1.01, "unit": "ratio", "low": 0.97, "high": 1.04, "n": 40}
    pairs = [{"arm": "again", "base": "baseline", "load": "c8", "metrics": {"tpot.p50": same}}]
    table = tables(reported((ran(plan, cells=cells_of(ran(plan)) + cells, comparisons=pairs), plan)))["Controls"]
    assert row(table, "again") == ("again", "no difference from baseline (A/A)", "TPOT, median at c8: 1.01x (0.970 to 1.04), n = 40")
    assert table.notes == (
        "A/A: 0 of 1 ratios exclude 1, about 0.1 expected by chance.",
        "With Holm's correction over the rubric's metrics: none differs.",
    )


@pytest.mark.parametrize(
    ("fields", "note"),
    [
        ({"low": 1.1, "high": 1.3}, "A/A: 1 of 1 ratios exclude 1, about 0.1 expected by chance."),
        (
            {"interval_reason": "withheld (1 repeat)"},
            "A/A: not judged, since one engine life an arm does not show what differs between lives.",
        ),
    ],
)
def test_how_many_control_ratios_exclude_1_is_said_beside_how_many_would_by_chance(fields: dict[str, Any], note: str) -> None:
    plan = planned(arms=[{"id": "baseline"}, {"id": "again", "repeats_of": "baseline"}])
    pairs = [{"arm": "again", "base": "baseline", "load": "c8", "metrics": {"tpot.p50": {"value": 1.2, "unit": "ratio", "n": 40} | fields}}]
    assert note in tables(reported((ran(plan, comparisons=pairs), plan)))["Controls"].notes


def test_a_run_of_older_statistics_is_marked_and_its_a_a_ratios_are_not_judged() -> None:
    plan = planned(arms=[{"id": "baseline"}, {"id": "again", "repeats_of": "baseline"}])
    table = tables(reported((ran(plan, statistics=1), plan)))["Controls"]
    assert table.notes == ("A/A: not judged. Recorded under older statistics: its intervals leave out what differs between engine lives.",)
    assert "older statistics" in table.proof


def test_device_and_drills_are_told_where_recorded() -> None:
    readings = [
        {"arm": "baseline", "load": "c1", "repeat": repeat, "measures": {"cpu.clock.median": {"value": clock, "unit": "MHz", "n": 9}}}
        for repeat, clock in ((1, 2500.0), (2, 2600.0))
    ]
    drill = {"drill": "kill", "arm": "baseline", "instants_s": {}, "metrics": {"lost.count": {"value": 2.0, "unit": "count", "n": 4}}}
    found = tables(reported((ran(planned(), conditions=readings, drills=[drill]), planned())))
    assert found["Device at c1"].rows == (("cpu: clock, median", "baseline", "2500 to 2600\u00a0MHz", "18"),)
    assert found["Drill kill"].rows == (("baseline", "lost.count", "2", "4"),)
    assert not {"Device at c1", "Drill kill"} & tables(reported((ran(planned()), planned()))).keys()


GPU_ENVIRONMENT = {
    "engine": "vllm 0.32.0",
    "torch": "2.13.0",
    "cuda": "13.0",
    "hardware": "2 x NVIDIA H100",
    "gpu": "NVIDIA H100",
    "gpu_count": 2,
    "gpu_memory_bytes": 80 << 30,
    "gpu_power_limit_w": 700.0,
    "gpu_driver": "580.95",
    "gpu_1": "NVIDIA H100, 80.0 GiB",
}
"""As `ledger.bench.machine.environment` writes it."""


def test_a_run_on_gpus_shows_their_driver_at_the_head_and_every_fact_at_the_end() -> None:
    plan = planned()
    report = reported((ran(plan, environment=GPU_ENVIRONMENT), plan))
    assert dict(report.facts)["Driver"] == "580.95"
    assert tables(report)["Environment"].rows == (
        ("Engine", "vllm 0.32.0"),
        ("PyTorch", "2.13.0"),
        ("CUDA", "13.0"),
        ("Hardware", "2 x NVIDIA H100"),
        ("GPU", "NVIDIA H100"),
        ("GPUs", "2"),
        ("GPU memory", "80\u00a0GiB"),
        ("GPU power limit, W", "700.0"),
        ("Driver", "580.95"),
        ("GPU 1", "NVIDIA H100, 80.0 GiB"),
    )
