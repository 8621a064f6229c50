"""A run against its protocol: bounds in the unit that is printed, outcomes, and why each candidate fell."""

import pytest

from ledger.model.records.protocol import Rule
from ledger.render.report.rubric_tables import bound_text, control_table, decision_table, outcome_words, subject, suite_tables
from ledger.render.report.words import RunUnderProtocol
from tests.render.report_fixtures import planned, ran

RULE = planned().rules[0]


def rule(metric: str, value: str) -> Rule:
    return RULE.model_copy(update={"metric": metric, "value": type(RULE.value)(value)})


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        ("0.05", "s", "50\u00a0ms"),
        ("0.9", "share", "90%"),
        ("1.10", "ratio", "1.1x"),
        ("1073741824", "bytes", "1\u00a0GiB"),
        ("3", "count", "3"),
    ],
)
def test_a_bound_prints_in_the_unit_of_the_number(value: str, unit: str, text: str) -> None:
    assert bound_text(rule(RULE.metric, value), unit) == text


@pytest.mark.parametrize(
    ("metric", "words"),
    [
        ("run:@this#ngram-4~baseline/c8/tpot.p50", "ngram-4 / baseline at c8: TPOT, median"),
        ("run:@this#ngram-4/c8/tpot.p50", "ngram-4 at c8: TPOT, median"),
    ],
)
def test_a_rule_says_what_it_is_about(metric: str, words: str) -> None:
    assert subject(rule(metric, "1")) == words


def test_an_unplanned_run_shows_no_outcome() -> None:
    plan = planned()
    record = ran(plan)
    assert outcome_words(record, record.verdicts[0]) == "fail (worse)"
    assert outcome_words(record, None) == "not judged"
    assert outcome_words(ran(plan, planned=False), record.verdicts[0]) == "no verdict"


def test_without_controls_a_decision_or_suites_there_is_no_table() -> None:
    plan = planned()
    execution = RunUnderProtocol.of(ran(plan, suites=[]), plan)
    assert control_table(execution) is None
    assert list(suite_tables(execution)) == []
    assert decision_table(RunUnderProtocol(execution.run, None)) is None


def test_suites_say_what_passed() -> None:
    plan = planned()
    [table] = suite_tables(RunUnderProtocol.of(ran(plan), plan))
    assert (table.header, table.rows) == (("Arm", "Passed", "Malformed"), (("baseline", "9 of 10", "0"),))
