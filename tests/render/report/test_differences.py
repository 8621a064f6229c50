"""In what runs differ, and whether an arm, a load or a whole run may be set beside another."""

import pytest

from ledger.render.report.differences import difference_table, joint_proof, letters, why_not_alike, why_not_divided
from ledger.render.report.words import RunUnderProtocol
from tests.render.report_fixtures import planned, ran


def execution(**fields: object) -> RunUnderProtocol:
    plan = planned(**fields)
    return RunUnderProtocol.of(ran(plan), plan)


def test_runs_have_letters_then_numbers() -> None:
    names = letters([execution()] * 27)
    assert (names[0], names[25], names[26]) == ("A", "Z", "R27")
    assert joint_proof([execution()]).startswith("A: measured, planned · run demo-run · protocol demo-plan (m1:")


def test_what_agrees_is_only_counted() -> None:
    table = difference_table([execution(), execution(repeats=3)])
    rows = {row[0]: row[1:] for row in table.rows}
    assert rows["Plan: repeats"] == ("2", "3")
    assert set(rows) == {"Protocol", "Plan: repeats"}
    assert table.notes[0].endswith(" other recorded facts agree.")


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({}, ""),
        ({"repeats": 3}, ""),
        ({"workload": "other-prompts"}, "the plans differ in workload"),
        ({"sampling": {"temperature": "0", "max_tokens": 8}}, "the plans differ in sampling"),
    ],
)
def test_numbers_are_divided_where_the_plans_agree_in_what_was_served(fields: dict[str, object], why: str) -> None:
    assert why_not_divided(execution(), execution(**fields)) == why


def test_nothing_is_divided_without_both_plans() -> None:
    lacking = RunUnderProtocol(execution(repeats=3).run, None)
    assert why_not_divided(execution(), lacking) == "a protocol is not in this ledger with the meaning that was run"


def test_a_load_that_means_something_else_says_in_what() -> None:
    loads = [{"id": "c1", "concurrency": 2, "requests": 80}, {"id": "c8", "concurrency": 8, "requests": 80}]
    runs = [execution(), execution(loads=loads)]
    assert why_not_alike(runs, "loads", "c1") == "load c1 does not mean the same in every run (concurrency)"
    assert why_not_alike(runs, "loads", "c8") == ""
    assert why_not_alike(runs, "loads", "unknown") == ""
