"""Facts by their keys: suites, memory and drills of an arm, an arm's over another's, and what a run does not have."""

import pytest

from ledger.analysis.verdicts.facts import Facts, Place, fact, measures, negative_controls, place, scores, why_no_verdict
from ledger.model.records.run import DrillResult, Measure, SuiteResult
from ledger.model.values.reference import FactReference, parse_reference


def reference(key: str) -> FactReference:
    """Return a fact's reference."""
    parsed = parse_reference(f"run:a#{key}")
    assert isinstance(parsed, FactReference)
    return parsed


def answers(arm: str, passed: int, **categories: tuple[int, int]) -> SuiteResult:
    """Return what an arm answered to 10 items."""
    return SuiteResult(suite="basics", arm=arm, passed=passed, failed=10 - passed, malformed=0, by_category=categories)


FACTS = Facts(
    suites=(answers("base", 8, json=(4, 4), refusal=(1, 2), abstain=(3, 4)), answers("ngram", 6, json=(3, 4))),
    memory={
        "base": {"kv-cache": Measure(value=400, unit="bytes", n=2), "device": Measure(value=0, unit="bytes", n=1)},
        "ngram": {"kv-cache": Measure(value=300, unit="bytes", n=1), "device": Measure(unit="bytes", n=0, reason="not recorded")},
    },
    drills=(
        DrillResult(drill="leave", arm="ngram", instants_s={}, metrics={"recovery.seconds": Measure(value=0.5, unit="s", n=1)}),
        DrillResult(drill="leave", arm="base", instants_s={}, metrics={"recovery.seconds": Measure(value=0.25, unit="s", n=1)}),
    ),
)


@pytest.mark.parametrize(
    ("key", "value", "unit", "n"),
    [
        ("suite.basics/base", 0.8, "share", 10),
        ("suite.basics/ngram/json", 0.75, "share", 4),
        ("suite.basics/base/negative-controls", 4 / 6, "share", 6),
        ("suite.basics/ngram~base", 0.75, "ratio", 10),
        ("memory.ngram/kv-cache", 300, "bytes", 1),
        ("memory.ngram~base/kv-cache", 0.75, "ratio", 1),
        ("drill.leave/ngram/recovery.seconds", 0.5, "s", 1),
    ],
)
def test_a_fact_by_its_key(key: str, value: float, unit: str, n: int) -> None:
    measure = fact(FACTS, reference(key))
    assert measure is not None
    assert measure.value == pytest.approx(value)
    assert (str(measure.unit), measure.n) == (unit, n)


@pytest.mark.parametrize(
    "key",
    [
        "suite.basics/draft",
        "suite.other/base",
        "suite.basics/ngram/negative-controls",  # it was asked none
        "memory.ngram/weights",
        "drill.leave/ngram/lost.count",
        "drill.leave/ngram~base/recovery.seconds",  # a drill happens once: a ratio of two would be chance
        "verdict.some",
    ],
)
def test_what_a_run_does_not_have_is_none(key: str) -> None:
    assert fact(FACTS, reference(key)) is None


def test_a_ratio_over_nothing_says_why() -> None:
    over_nothing = fact(FACTS, reference("memory.ngram~base/device"))
    assert over_nothing == Measure(unit="ratio", n=0, reason="not recorded")
    over_zero = fact(
        Facts(memory={"a": {"x": Measure(value=1, unit="bytes", n=1)}, "b": {"x": Measure(value=0, unit="bytes", n=1)}}),
        reference("memory.a~b/x"),
    )
    assert over_zero == Measure(unit="ratio", n=1, reason="undefined (the base is 0)")


def test_the_parts_of_a_key() -> None:
    assert place(reference("suite.basics/ngram~base/json")) == Place("basics", "ngram", "base", "json")
    assert place(reference("memory.base/kv-cache")) == Place("", "base", None, "kv-cache")
    assert place(reference("verdict.some")) is None
    assert place(reference("drill.leave/ngram")) is None  # no metric


def test_negative_controls_are_those_the_run_says_or_the_refusing_categories() -> None:
    assert negative_controls(FACTS.suites[0]) == (4, 6)
    assert negative_controls(FACTS.suites[0].model_copy(update={"negative_controls": (1, 3)})) == (1, 3)
    assert negative_controls(FACTS.suites[1]) == (0, 0)
    assert [key for key, _ in scores(FACTS.suites[1:])] == ["basics/ngram", "basics/ngram/json"]


def test_a_suite_of_no_items_has_no_share() -> None:
    empty = SuiteResult(suite="basics", arm="base", passed=0, failed=0, malformed=0, by_category={})
    assert measures(Facts(suites=(empty,)), "suite")["basics/base"] == Measure(unit="share", n=0, reason="no data (0 items)")


def test_why_no_verdict_can_rest_on_a_run() -> None:
    assert why_no_verdict("complete", planned=True) is None
    assert (
        why_no_verdict("complete", planned=False) == "the plan had not landed before the run started; a verdict needs one fixed beforehand"
    )
    assert why_no_verdict("partial", planned=True) == "the run is partial; a verdict needs a complete one"
