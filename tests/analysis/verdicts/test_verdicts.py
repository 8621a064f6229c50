"""Verdicts: the whole interval against the bound, what fell short of its plan, and the vetoes of controls and suites."""

from decimal import Decimal

import pytest

from ledger.analysis.cells.summary import Summary
from ledger.analysis.measures.throughput import Counted
from ledger.analysis.verdicts.facts import Facts
from ledger.analysis.verdicts.verdicts import conclude, decide, evaluate, suite_regressions
from ledger.model.records.protocol import Arm, Decision, Protocol, Rule
from ledger.model.records.run import Cell, Comparison, DrillResult, Measure, SuiteResult, Verdict
from tests.analysis.recorded import protocol, rule

NOTHING: dict[Counted, int] = {"sent": 0, "completed": 0, "failed": 0, "aborted": 0, "empty": 0}
FASTER = rule("ngram~base/c8/tpot.p50")


def measure(value: float, low: float | None = None, high: float | None = None, **fields: object) -> Measure:
    """Return a measured ratio, or what `unit` says."""
    return Measure(**({"value": value, "low": low, "high": high, "unit": "ratio", "n": 96} | fields))  # type: ignore[arg-type]  # checked by the model


def measured(ratio: Measure | None = None, *, control: Measure | None = None, shortfall: str | None = None, **pooled: Measure) -> Summary:
    """Return a run with the ratios of `ngram` and `base-2` to `base` in `tpot.p50`, and pooled measures of `ngram`."""
    metrics = {key.replace("__", ".").replace("_", "-"): one for key, one in pooled.items()}
    cells = (Cell(arm="ngram", load="c8", requests=NOTHING, metrics=metrics, shortfall=shortfall),)
    ratios = {"ngram": ratio, "base-2": control}
    comparisons = tuple(Comparison(arm=arm, base="base", load="c8", metrics={"tpot.p50": one}) for arm, one in ratios.items() if one)
    return Summary(cells, comparisons, (), ())


def verdict(run: Summary, *rules: Rule, suites: tuple[SuiteResult, ...] = (), plan: Protocol | None = None) -> Verdict:
    """Return the verdict of the first rule."""
    return evaluate(plan or protocol(rules=rules or (FASTER,)), run, Facts(suites))[0]


def suite(arm: str, passed: int, asked: int = 24, **categories: tuple[int, int]) -> SuiteResult:
    """Return what an arm answered to suite `basics`."""
    return SuiteResult(suite="basics", arm=arm, passed=passed, failed=asked - passed, malformed=0, by_category=categories)


@pytest.mark.parametrize(
    ("ratio", "outcome", "direction"),
    [
        (measure(0.8, 0.75, 0.85), "pass", "better"),
        (measure(0.8, 0.75, 0.90), "pass", "better"),
        (measure(0.88, 0.82, 0.95), "inconclusive", "better"),
        (measure(0.95, 0.92, 0.98), "fail", "better"),
        (measure(1.2, 1.1, 1.3), "fail", "worse"),
        (measure(1.0, 0.98, 1.02), "fail", "no difference shown"),
        (Measure(unit="ratio", n=24, reason="withheld (n = 24, needs 72)"), "inconclusive", "no difference shown"),
        (Measure(value=0.5, unit="ratio", n=3, interval_reason="withheld (n = 3, needs 6)"), "inconclusive", "no difference shown"),
    ],
)
def test_the_whole_interval_must_meet_the_bound(ratio: Measure, outcome: str, direction: str) -> None:
    found = verdict(measured(ratio))
    assert (found.outcome, found.direction) == (outcome, direction), found.because


def test_the_reason_names_value_interval_and_bound() -> None:
    assert (
        verdict(measured(measure(0.88, 0.82, 0.95))).because == "0.88 (0.82 to 0.95) against at most 0.9; the interval straddles the bound"
    )


def test_a_bound_above_1_asks_for_no_more_than_being_no_worse() -> None:
    no_worse = rule("ngram~base/c8/tpot.p50", value="1.05")
    assert verdict(measured(measure(1.0, 0.97, 1.03)), no_worse).outcome == "pass"
    assert verdict(measured(measure(1.04, 1.01, 1.07)), no_worse).outcome == "inconclusive"
    assert verdict(measured(measure(1.1, 1.08, 1.12)), no_worse).outcome == "fail"


def test_a_gain_that_misses_the_bound_is_less_than_asked() -> None:
    found = verdict(measured(measure(0.95, 0.92, 0.98)))
    assert (found.outcome, found.direction) == ("fail", "better")
    assert found.because == "0.95 (0.92 to 0.98) against at most 0.9; a gain, but less than asked"
    assert "less than asked" not in verdict(measured(measure(1.2, 1.1, 1.3))).because


def test_one_engine_life_gives_no_interval_and_so_no_verdict() -> None:
    reason = "withheld (1 repeat: what differs between engine lives is not known)"
    found = verdict(measured(measure(0.5, interval_reason=reason)))
    assert (found.outcome, found.because) == ("inconclusive", f"0.5 against at most 0.9; no interval: {reason}")


def test_counts_are_judged_by_their_value_and_have_no_direction() -> None:
    drafted = rule("ngram/c8/acceptance.drafted", "at-least", "1000", direction="higher-is-better")
    found = verdict(measured(acceptance__drafted=measure(1200, unit="tokens")), drafted)
    assert (found.outcome, found.direction) == ("pass", None)


def test_higher_can_be_better() -> None:
    rate = rule("ngram/c8/acceptance.rate", "at-least", "0.5", direction="higher-is-better")
    for bounds, outcome in [((0.55, 0.65), "pass"), ((0.45, 0.65), "inconclusive"), ((0.3, 0.45), "fail")]:
        assert verdict(measured(acceptance__rate=measure(0.5, *bounds, unit="share")), rate).outcome == outcome


def test_a_figure_the_run_lacks_is_inconclusive() -> None:
    assert verdict(measured()).because == "the run has no ngram~base/c8/tpot.p50"


def test_an_a_a_ratio_that_excludes_1_vetoes_the_verdict_on_its_own_statistic() -> None:
    found = verdict(measured(measure(0.8, 0.75, 0.85), control=measure(1.2, 1.15, 1.25)))
    assert (found.outcome, found.direction) == ("inconclusive", None)
    assert "invalid, A/A: base-2 differs from base in tpot.p50 at c8" in found.because


def test_an_a_a_ratio_vetoes_nothing_of_another_statistic_or_load() -> None:
    run = measured(measure(0.8, 0.75, 0.85))
    for load, key in (("c8", "tpot.p95"), ("c1", "tpot.p50"), ("c8", "throughput.mean")):
        control = Comparison(arm="base-2", base="base", load=load, metrics={key: measure(1.2, 1.15, 1.25)})
        assert verdict(Summary(run.cells, (*run.comparisons, control), (), ())).outcome == "pass"


def test_an_a_a_comparison_that_agrees_vetoes_nothing() -> None:
    assert verdict(measured(measure(0.8, 0.75, 0.85), control=measure(1.0, 0.99, 1.01))).outcome == "pass"


def test_a_control_arm_that_fails_its_rule_invalidates_the_speed_verdict() -> None:
    arms = (Arm(id="base"), Arm(id="ngram", method="ngram", expect="about no acceptance"), Arm(id="base-2", repeats_of="base"))
    hopeless = rule("ngram/c8/acceptance.rate", "at-most", "0.05", id="hopeless")
    plan = protocol(arms=arms, rules=(FASTER, hopeless))
    bad = measured(measure(0.8, 0.75, 0.85), acceptance__rate=measure(0.4, 0.3, 0.5, unit="share"))
    speed, control = evaluate(plan, bad)
    assert (speed.outcome, control.outcome) == ("inconclusive", "fail")
    assert "rule hopeless on the control ngram failed" in speed.because
    good = measured(measure(0.8, 0.75, 0.85), acceptance__rate=measure(0.0, 0.0, 0.0, unit="share"))
    assert [found.outcome for found in evaluate(plan, good)] == ["pass", "pass"]


def test_a_suite_regression_vetoes_speed_and_nothing_else() -> None:
    rate = rule("ngram/c8/acceptance.rate", "at-least", "0.5", id="accepts", direction="higher-is-better")
    run = measured(measure(0.8, 0.75, 0.85), acceptance__rate=measure(0.6, 0.55, 0.65, unit="share"))
    speed, other = evaluate(protocol(rules=(FASTER, rate)), run, Facts((suite("base", 23), suite("ngram", 22))))
    assert (speed.outcome, speed.direction, other.outcome) == ("fail", None, "pass")
    assert "vetoed, suite basics: 22 of 24 against 23 of 24" in speed.because


def test_a_better_total_does_not_hide_a_worse_category() -> None:
    found = suite_regressions(protocol(), (suite("base", 20, refusal=(6, 6)), suite("ngram", 22, refusal=(5, 6))), "ngram")
    assert found == ("suite basics (refusal): 5 of 6 against 6 of 6",)


def test_a_suite_not_run_leaves_speed_inconclusive() -> None:
    plan = protocol(rules=(FASTER,), suites=("basics",))
    run = measured(measure(0.8, 0.75, 0.85))
    assert verdict(run, plan=plan, suites=(suite("base", 24),)).outcome == "inconclusive"
    assert verdict(run, plan=plan, suites=(suite("base", 24), suite("ngram", 24))).outcome == "pass"


def test_a_rule_may_ask_for_a_suites_pass_rate() -> None:
    asked = rule("suite.basics/ngram", "at-least", "0.9", direction="higher-is-better")
    assert verdict(measured(), asked, suites=(suite("ngram", 23),)).outcome == "pass"
    assert verdict(measured(), asked, suites=(suite("ngram", 20),)).outcome == "fail"


MEMORY = {
    "base": {"kv-cache-tokens": Measure(value=1000, unit="tokens", n=2)},
    "ngram": {"kv-cache-tokens": Measure(value=900, unit="tokens", n=2), "weights": Measure(unit="bytes", n=2, reason="not recorded")},
}
DRILLS = (
    DrillResult(drill="leave", arm="ngram", instants_s={}, metrics={"recovery": Measure(value=0.4, unit="s", n=8)}),
    DrillResult(drill="leave", arm="base", instants_s={}, metrics={"recovery": Measure(value=0.2, unit="s", n=8)}),
)
SUITES = (suite("base", 22, refusal=(6, 7), abstain=(4, 6), json=(6, 6)), suite("ngram", 20, refusal=(5, 7), abstain=(4, 6), json=(5, 6)))


@pytest.mark.parametrize(
    ("metric", "value", "found", "words"),
    [
        ("memory.ngram/kv-cache-tokens", "900", "pass", "900 against at least 900"),
        ("memory.ngram/kv-cache-tokens", "901", "fail", "900 against at least 901"),
        ("memory.ngram~base/kv-cache-tokens", "0.9", "pass", "0.9 against at least 0.9"),
        ("memory.ngram/weights", "1", "inconclusive", "not recorded"),
        ("memory.ngram/device", "1", "inconclusive", "the run has no memory.ngram/device"),
        ("suite.basics/ngram", "0.8", "pass", "0.8333 against at least 0.8"),
        ("suite.basics/ngram/json", "0.9", "fail", "0.8333 against at least 0.9"),
        ("suite.basics/ngram/negative-controls", "0.6", "pass", "0.6923 against at least 0.6"),
        ("suite.basics/ngram~base", "1", "fail", "0.9091 against at least 1"),
        ("suite.basics/base~ngram", "1", "pass", "1.1 against at least 1"),
        ("suite.basics/ngram~base/abstain", "1", "pass", "1 against at least 1"),
        ("suite.basics/ngram~base/negative-controls", "1", "fail", "0.9 against at least 1"),
        ("suite.basics/draft/json", "0.9", "inconclusive", "the run has no suite.basics/draft/json"),
        ("drill.leave/ngram/recovery", "0.3", "pass", "0.4 against at least 0.3"),
        ("drill.leave/ngram/lost", "0.3", "inconclusive", "the run has no drill.leave/ngram/lost"),
    ],
)
def test_a_rule_may_ask_for_suites_memory_and_drills(metric: str, value: str, found: str, words: str) -> None:
    plan = protocol(rules=(rule(metric, "at-least", value, direction="higher-is-better"),))
    [verdict] = evaluate(plan, measured(), Facts(SUITES, MEMORY, DRILLS))
    assert (verdict.outcome, verdict.because, verdict.direction) == (found, words, None)


def test_a_large_count_is_told_in_full() -> None:
    held = {"ngram": {"kv-cache-tokens": Measure(value=46592, unit="tokens", n=1)}}
    plan = protocol(rules=(rule("memory.ngram/kv-cache-tokens", "at-least", "40000"),))
    [found] = evaluate(plan, measured(), Facts(memory=held))
    assert found.because == "46592 against at least 40000"


def test_flagged_items_of_other_categories_are_negative_controls_where_the_run_says_so() -> None:
    told = suite("ngram", 20, refusal=(5, 7)).model_copy(update={"negative_controls": (2, 8)})
    asked = rule("suite.basics/ngram/negative-controls", "at-least", "0.5", direction="higher-is-better")
    assert verdict(measured(), asked, suites=(told,)).because == "0.25 against at least 0.5"


def test_a_candidate_that_is_a_control_answers_for_its_acceptance_and_for_nothing_else() -> None:
    """Missing the acceptance it must show invalidates the run; a suite or a KV cache too small is an answer about the candidate."""
    arms = (Arm(id="base"), Arm(id="ngram", method="ngram", expect="nearly all accepted"), Arm(id="base-2", repeats_of="base"))
    accepts = rule("ngram/c8/acceptance.rate", "at-least", "0.9", id="accepts", direction="higher-is-better")
    roomy = rule("memory.ngram/kv-cache-tokens", "at-least", "1000", id="roomy", direction="higher-is-better")
    plan = protocol(arms=arms, rules=(FASTER, accepts, roomy), decision=Decision(candidates=("ngram",), otherwise="base"))

    def outcomes(rate: float) -> list[str]:
        run = measured(measure(0.8, 0.75, 0.85), acceptance__rate=measure(rate, rate - 0.01, rate + 0.01, unit="share"))
        return [found.outcome for found in evaluate(plan, run, Facts(memory=MEMORY))]

    assert outcomes(0.95) == ["pass", "pass", "fail"]
    assert outcomes(0.5) == ["inconclusive", "fail", "fail"]
    alone = plan.model_copy(update={"decision": None})
    run = measured(measure(0.8, 0.75, 0.85), acceptance__rate=measure(0.95, 0.94, 0.96, unit="share"))
    assert [found.outcome for found in evaluate(alone, run, Facts(memory=MEMORY))] == ["inconclusive", "pass", "fail"]


@pytest.mark.parametrize(
    ("status", "planned", "because"),
    [("partial", True, "the run is partial"), ("failed", True, "the run is failed"), ("complete", False, "the plan had not landed")],
)
def test_nothing_rests_on_a_run_that_is_unfinished_or_unplanned(status: str, planned: bool, because: str) -> None:
    plan = protocol(rules=(FASTER,), decision=Decision(candidates=("ngram",), otherwise="base"))
    run = measured(measure(0.8, 0.75, 0.85))
    [found], decision = conclude(plan, run, Facts(), status=status, planned=planned)
    assert (found.outcome, found.direction, decision) == ("inconclusive", None, None)
    assert found.because.startswith(because)
    assert conclude(plan, run, Facts(), status="complete", planned=True)[1] == "ngram"


def test_an_arm_that_fell_short_of_its_plan_cannot_win_even_at_a_load_that_no_rule_asks_about() -> None:
    plan = protocol(rules=(FASTER,), decision=Decision(candidates=("ngram",), otherwise="base"))
    for shortfall, chosen in ((None, "ngram"), ("12 of 72 completed", "base")):
        run = measured(measure(0.8, 0.75, 0.85), shortfall=shortfall)
        assert conclude(plan, run, Facts(), status="complete", planned=True)[1] == chosen


def test_a_number_of_a_cell_that_fell_short_decides_no_rule() -> None:
    drafted = rule("ngram/c8/acceptance.drafted", "at-least", "1000", direction="higher-is-better")
    short = measure(1200, unit="tokens", interval_reason="12 of 72 completed")
    assert verdict(measured(acceptance__drafted=short), drafted).outcome == "inconclusive"


def outcome(name: str, found: str) -> Verdict:
    """Return a verdict."""
    return Verdict(rule=name, outcome=found, because="so")  # type: ignore[arg-type]  # checked by the model


def test_the_first_candidate_whose_every_rule_passes_is_chosen() -> None:
    rules = (
        rule("ngram~base/c8/tpot.p50", id="n-speed"),
        rule("ngram/c8/acceptance.rate", "at-least", id="n-rate"),
        rule("draft~base/c8/tpot.p50", id="d-speed"),
        rule("suite.basics/draft/json", "at-least", id="d-suite"),
        rule("memory.draft~base/kv-cache-tokens", "at-least", id="d-memory"),
        rule("drill.leave/draft/recovery", id="d-drill"),
    )
    plan = protocol(rules=rules, decision=Decision(candidates=("ngram", "draft", "idle"), otherwise="base"))

    def decided(*found: str) -> str | None:
        return decide(plan, [outcome(one.id, state) for one, state in zip(rules, found, strict=True)])

    everything = ("pass",) * 6
    assert decided(*everything) == "ngram"
    assert decided("pass", "inconclusive", *everything[2:]) == "draft"
    for lost in range(2, 6):
        assert decided("fail", "pass", *("fail" if i == lost else "pass" for i in range(2, 6))) == "base"  # and never `idle`
    assert decide(protocol(rules=rules), []) is None
    passing = [outcome(one.id, "pass") for one in rules]
    assert decide(plan, passing, {"ngram"}) == "draft"
    assert decide(plan, passing, {"ngram", "draft"}) == "base"
    assert Decimal("0.9") == rules[0].value
