"""Several runs side by side: what differs first, numbers only where arm and load agree, no paired look on what is not paired."""

from ledger.model.catalogue import Catalogue
from ledger.render.report.several_runs import runs_report
from ledger.render.report.words import RunUnderProtocol
from tests.render.report_fixtures import cells_of, planned, ran, reported, tables


def test_what_differs_comes_first() -> None:
    plan = planned()
    report = reported((ran(plan), plan), (ran(plan, id="later-run", planned=False, environment={"hardware": "4 CPU cores"}), plan))
    assert report.sections[0].title == "What differs"
    rows = {row[0]: row[1:] for row in tables(report)["What differs"].rows}
    assert rows["Label"] == ("measured, planned", "measured, unplanned")
    assert rows["Hardware"] == ("2 CPU cores", "4 CPU cores")
    assert rows["Engine"] == ("vllm 0.32.0", "not recorded")
    assert "Protocol" not in rows


def test_numbers_of_two_runs_are_divided_only_as_unpaired_and_without_interval() -> None:
    plan = planned()
    cells = cells_of(ran(plan))
    cells[0]["metrics"]["tpot.p50"] |= {"value": 0.0246, "low": 0.02, "high": 0.03}
    table = tables(reported((ran(plan), plan), (ran(plan, id="later-run", cells=cells), plan)))["Latencies and rates at c1"]
    assert table.header == ("Metric", "Arm", "A", "B", "B / A, unpaired", "n")
    assert table.rows[0] == ("TPOT, median, ms", "baseline", "12.3 (11.7 to 13.0)", "24.6 (20.0 to 30.0)", "2.00x", "40")
    assert any("unpaired: a quotient of two separate runs, without an interval" in note for note in table.notes)
    assert next(row for row in table.rows if row[0] == "TPOT, p95, ms")[4] == "no ratio"


def test_runs_of_different_plans_are_not_divided() -> None:
    plan, other = planned(), planned(id="other-plan", sampling={"temperature": "0", "max_tokens": 8})
    table = tables(reported((ran(plan), plan), (ran(other, id="later-run"), other)))["Latencies and rates at c1"]
    assert table.header == ("Metric", "Arm", "A", "B", "n")
    assert "No ratio of B to A: the plans differ in sampling." in table.notes


def test_a_load_or_arm_that_means_something_else_is_not_set_side_by_side() -> None:
    plan = planned()
    loads = [{"id": "c1", "concurrency": 2, "requests": 80}, {"id": "c8", "concurrency": 8, "requests": 80}]
    arms = [{"id": "baseline"}, {"id": "ngram-4", "method": "ngram", "num_speculative_tokens": 2}]
    other = planned(id="other-plan", loads=loads, arms=arms)
    report = reported((ran(plan), plan), (ran(other, id="later-run"), other))
    sections = {section.title.partition(" (")[0]: section for section in report.sections}
    assert sections["Load c1"].blocks == ()
    assert "load c1 does not mean the same in every run (concurrency)" in sections["Load c1"].lines[0]
    assert "arm ngram-4 does not mean the same in every run (num_speculative_tokens)" in sections["Load c8"].lines[0]
    assert {row[1] for row in tables(report)["Latencies and rates at c8"].rows} == {"baseline"}


def test_each_run_keeps_its_own_paired_ratios() -> None:
    plan = planned()
    ratio = {"value": 1.1, "unit": "ratio", "low": 1.05, "high": 1.2, "n": 40}
    later = ran(plan, id="later-run", comparisons=[{"arm": "ngram-4", "base": "baseline", "load": "c8", "metrics": {"tpot.p50": ratio}}])
    report = reported((ran(plan), plan), (later, plan))
    assert tables(report)["Ratios at c8"].header[1] == "Arm / baseline"
    assert tables(report)["Ratios at c8"].rows == (("TPOT, median", "ngram-4", "1.31x (1.20 to 1.42)", "1.10x (1.05 to 1.20)", "40"),)
    assert [one.name for one in report.figures[0].ratios] == ["A: ngram-4", "B: ngram-4"]


def test_verdicts_stand_side_by_side_only_where_the_rule_is_the_same() -> None:
    plan = planned()
    rule = plan.rules[0].model_dump(mode="json") | {"value": "1.5"}
    other = planned(id="other-plan", rules=[rule])
    same = reported((ran(plan), plan), (ran(plan, id="later-run", planned=False), plan))
    assert tables(same)["Rubric"].rows == (("no-slower", "fail (worse)", "no verdict"),)
    assert "Rubric" not in tables(reported((ran(plan), plan), (ran(other, id="later-run"), other)))


def test_more_runs_than_letters_keep_apart() -> None:
    plan = planned()
    runs = [RunUnderProtocol.of(ran(plan, id=f"run-{number}"), plan) for number in range(28)]
    header = tables(runs_report(runs, Catalogue([])))["What differs"].header
    assert len(set(header)) == 29
