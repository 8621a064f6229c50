"""The noise floor and the A/A control."""

from math import log

import pytest

from ledger.analysis.cells.summary import Summary
from ledger.analysis.statistics.variance import direction, is_control_broken, is_difference, noise_floor
from ledger.model.records.run import Cell, Comparison, Measure
from tests.analysis.recorded import protocol


def summary(values: dict[tuple[str, int], float], ratio: Measure | None = None) -> Summary:
    """Return a summary with `tpot.p50` of each arm and repeat, and the ratio of `base-2` to `base`."""
    cells = tuple(
        Cell(
            arm=arm,
            load="c8",
            repeat=repeat,
            requests={"sent": 0, "completed": 0, "failed": 0, "aborted": 0, "empty": 0},
            metrics={"tpot.p50": Measure(value=value, unit="s", n=96)},
        )
        for (arm, repeat), value in values.items()
    )
    comparisons = (Comparison(arm="base-2", base="base", load="c8", metrics={"tpot.p50": ratio}),) if ratio else ()
    return Summary(cells, comparisons, (), (), ())


def floor(values: dict[tuple[str, int], float]) -> float | None:
    """Return the noise floor of these repeats."""
    return noise_floor(protocol(), summary(values), base="base", load="c8", metric="tpot.p50")


def ratio(value: float, low: float, high: float) -> Measure:
    """Return a measured ratio."""
    return Measure(value=value, low=low, high=high, unit="ratio", n=96)


def test_the_floor_is_the_largest_log_ratio_between_repeats_of_the_baseline() -> None:
    assert floor({("base", 1): 0.010, ("base", 2): 0.0102, ("ngram", 1): 0.005}) == pytest.approx(log(1.02))
    assert floor({("base", 1): 0.010, ("base", 2): 0.0102, ("base", 3): 0.0099}) == pytest.approx(log(1.02 / 0.99))


def test_an_arm_that_repeats_the_baseline_counts_as_its_repeats() -> None:
    assert floor({("base", 1): 0.010, ("base-2", 1): 0.009}) == pytest.approx(log(10 / 9))


def test_one_repeat_shows_no_noise() -> None:
    assert floor({("base", 1): 0.010}) is None


@pytest.mark.parametrize(
    ("measure", "noise", "expected"),
    [
        (ratio(0.8, 0.75, 0.85), 0.1, "better"),
        (ratio(1.25, 1.2, 1.3), 0.1, "worse"),
        (ratio(0.8, 0.75, 0.85), 0.3, "no difference shown"),
        (ratio(0.8, 0.5, 1.1), 0.1, "no difference shown"),
        (ratio(0.8, 0.75, 0.85), None, "no difference shown"),
        (Measure(value=0.8, unit="ratio", n=3, interval_reason="withheld (n = 3, needs 6)"), 0.1, "no difference shown"),
        (Measure(unit="ratio", n=3, reason="withheld (n = 3, needs 72)"), 0.1, "no difference shown"),
    ],
)
def test_a_difference_needs_its_interval_off_one_and_its_estimate_beyond_the_floor(
    measure: Measure, noise: float | None, expected: str
) -> None:
    assert direction(measure, noise, lower_is_better=True) == expected
    assert is_difference(measure, noise) == (expected != "no difference shown")


def test_better_depends_on_what_is_wished() -> None:
    assert direction(ratio(1.25, 1.2, 1.3), 0.1, lower_is_better=False) == "better"


@pytest.mark.parametrize(
    ("repeats", "measure", "expected"),
    [
        ((0.0100, 0.0101, 0.0120, 0.0121), ratio(1.2, 1.15, 1.25), True),
        ((0.0100, 0.0101, 0.0120, 0.0121), ratio(1.2, 0.9, 1.3), False),  # the prompts do not show it
        ((0.0100, 0.0120, 0.0110, 0.0130), ratio(1.1, 1.08, 1.12), False),  # the engine drifts as much within an arm
    ],
)
def test_a_control_is_broken_when_its_arms_lie_further_apart_than_their_repeats(
    repeats: tuple[float, ...], measure: Measure, expected: bool
) -> None:
    places = [("base", 1), ("base", 2), ("base-2", 1), ("base-2", 2)]
    found = summary(dict(zip(places, repeats, strict=True)), measure)
    assert is_control_broken(found, found.comparisons[0], "tpot.p50") is expected


def test_one_repeat_an_arm_cannot_judge_the_control() -> None:
    found = summary({("base", 1): 0.01, ("base-2", 1): 0.02}, ratio(2.0, 1.9, 2.1))
    assert not is_control_broken(found, found.comparisons[0], "tpot.p50")
