"""When a ratio shows a difference, and what the A/A ratios say of a run as a whole."""

from math import exp, log

import pytest

from ledger.analysis.cells.summary import Summary
from ledger.analysis.measures.throughput import Counted
from ledger.analysis.verdicts.differences import ControlRatio, check_controls, control_ratios, direction, freedom_of, holm, is_difference
from ledger.model.records.protocol import Arm, Load
from ledger.model.records.run import Cell, Comparison, Measure
from tests.analysis.recorded import CLOSED, protocol

NOTHING: dict[Counted, int] = {"sent": 0, "completed": 0, "failed": 0, "aborted": 0, "empty": 0}


def ratio(value: float, low: float | None = None, high: float | None = None, **fields: object) -> Measure:
    """Return a measured ratio."""
    return Measure(**({"value": value, "low": low, "high": high, "unit": "ratio", "n": 96} | fields))  # type: ignore[arg-type]  # checked by the model


def run(repeats: int, load: str = "c8", **metrics: Measure) -> Summary:
    """Return a run whose A/A comparison has these ratios, with cells of so many repeats."""
    cells = tuple(
        Cell(arm=arm, load=load, repeat=repeat, requests=NOTHING, metrics={})
        for arm in ("base", "ngram", "base-2")
        for repeat in range(1, repeats + 1)
    )
    named = {key.replace("__", ".").replace("_", "-"): one for key, one in metrics.items()}
    return Summary(cells, (Comparison(arm="base-2", base="base", load=load, metrics=named),), (), ())


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        (ratio(0.8, 0.75, 0.85), "better"),
        (ratio(1.25, 1.2, 1.3), "worse"),
        (ratio(0.8, 0.5, 1.1), "no difference shown"),
        (ratio(0.9, 0.8, 1.0), "no difference shown"),
        (ratio(0.8, interval_reason="withheld (n = 3, needs 6)"), "no difference shown"),
        (Measure(unit="ratio", n=3, reason="withheld (n = 3, needs 72)"), "no difference shown"),
    ],
)
def test_a_difference_needs_its_interval_off_1(measure: Measure, expected: str) -> None:
    assert direction(measure, lower_is_better=True) == expected
    assert is_difference(measure) == (expected != "no difference shown")


def test_better_depends_on_what_is_wished() -> None:
    assert direction(ratio(1.25, 1.2, 1.3), lower_is_better=False) == "better"
    assert direction(ratio(0.8, 0.7, 0.9), lower_is_better=False) == "worse"


def aa(value: float, low: float, high: float, freedom: int = 4) -> ControlRatio:
    """Return an A/A ratio."""
    return ControlRatio("base-2", "base", "c8", "tpot.p50", ratio(value, low, high), freedom)


def test_a_p_value_is_that_of_students_t() -> None:
    """Its interval just touches 1 at 5 %; 4.604 is the 99.5 % quantile of t with 4 degrees of freedom, whose 97.5 % one is 2.776."""
    assert aa(1.2, 1.0, 1.44).p_value == pytest.approx(0.05)
    assert aa(1.2, exp(log(1.2) * (1 - 2.7764451 / 4.6040949)), 2.0).p_value == pytest.approx(0.01, rel=1e-5)
    assert aa(0.8, 0.5, exp(log(0.8) * (1 - 2.7764451 / 4.6040949))).p_value == pytest.approx(0.01, rel=1e-5)
    assert aa(1.0, 0.9, 1.1).p_value == 1
    assert aa(1.2, 1.1, 1.3, freedom=0).p_value is None


def test_holms_correction_lets_chance_have_its_share() -> None:
    """Of p values 0.03, 0.03 and 0.5 none passes 0.05 / 3; of 0.01, 0.03 and 0.03 the first does, and 0.03 does not pass 0.05 / 2."""

    def of(p: float) -> ControlRatio:
        half = {0.01: 4.6040949, 0.03: 3.2976297, 0.5: 0.7406971}[p]
        return aa(1.2, exp(log(1.2) * (1 - 2.7764451 / half)), 9.0)

    assert list(holm([of(0.03), of(0.03), of(0.5)])) == []
    first, *others = of(0.01), of(0.03), of(0.03)
    assert list(holm([*others, first])) == [first]
    assert list(holm([of(0.03)])) == [of(0.03)]


def test_the_a_a_ratios_of_a_run_are_those_of_latencies_and_rates() -> None:
    found = run(2, tpot__p50=ratio(1.0, 0.9, 1.1), throughput__mean=ratio(1.1, 1.05, 1.2), match__rate=ratio(1.0, 0.9, 1.0))
    assert [one.key for one in control_ratios(protocol(), found)] == ["tpot.p50", "throughput.mean"]
    other = Summary((), (Comparison(arm="ngram", base="base", load="c8", metrics={"tpot.p50": ratio(0.5, 0.4, 0.6)}),), (), ())
    assert list(control_ratios(protocol(), other)) == []


def test_how_many_exclude_1_is_counted_beside_how_many_would_by_chance() -> None:
    found = run(3, tpot__p50=ratio(1.3, 1.2, 1.4), tpot__p95=ratio(1.0, 0.9, 1.1), itl__p50=ratio(1.5, interval_reason="withheld"))
    check = check_controls(protocol(), found, asked=[("c8", "tpot.p50")])
    assert (check.different, check.judged, check.unjudged, check.expected) == pytest.approx((1, 2, 1, 0.1))
    assert [one.key for one in check.broken] == ["tpot.p50"]
    assert check_controls(protocol(), found, asked=[("c8", "tpot.p95")]).broken == ()


def test_degrees_of_freedom_come_from_the_lives_of_the_two_and_two_at_most_of_others() -> None:
    """Three arms of R lives: 2 (R - 1) of the two compared and R - 1, at most 2, of the third; in an open loop R - 1 and as before."""
    assert [freedom_of(run(repeats), CLOSED, "base-2", "base") for repeats in (1, 2, 3, 5)] == [0, 3, 6, 10]
    arrivals = Load(id="c8", kind="open", rate_per_s="2", arrivals="poisson", requests=8)  # type: ignore[arg-type]  # read as a decimal
    assert [freedom_of(run(repeats), arrivals, "base-2", "base") for repeats in (1, 2, 3, 5)] == [0, 2, 4, 6]


def test_with_one_life_an_arm_no_a_a_ratio_is_judged() -> None:
    found = run(1, tpot__p50=ratio(1.3, interval_reason="withheld (1 repeat)"))
    check = check_controls(protocol(arms=(Arm(id="base"), Arm(id="base-2", repeats_of="base"))), found, asked=[("c8", "tpot.p50")])
    assert (check.judged, check.unjudged, check.broken) == (0, 1, ())
