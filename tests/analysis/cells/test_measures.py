"""Measures as a run records them: a value with its interval, or the reason for none."""

import numpy as np
import pytest

from ledger.analysis.cells.measures import NO_MEAN_INTERVAL, latency_measures, match_measures, quotient_measure
from ledger.analysis.measures.output_match import Match
from ledger.analysis.measures.samples import Sample
from ledger.analysis.statistics.quotients import Quotient


def sample(n: int, *, bounds: tuple[float, float] | None = (0.1, 0.3)) -> Sample:
    """A sample of n prompts whose every quantile is 0.2."""
    stats = ("p50", "p95", "p99")
    return Sample(
        prompts=np.arange(n),
        count=2 * n,
        mean=0.25,
        minimum=0.1,
        maximum=0.9,
        quantiles=dict.fromkeys(stats, 0.2),
        intervals=dict.fromkeys(stats, bounds),
        resampled=None,
    )


def quotient(tops: list[float], bottoms: list[float]) -> Quotient:
    """A quotient over prompts of one request each."""
    return Quotient.of(np.arange(len(tops)), np.asarray(tops, np.float64), np.asarray(bottoms, np.float64))


@pytest.mark.parametrize(("metric", "reason"), [("ttft", "no data (0 requests with output)"), ("tpot", "no data (0 intervals)")])
def test_without_a_sample_each_statistic_says_why_and_the_count_is_zero(metric: str, reason: str) -> None:
    found = latency_measures(metric, None)
    assert found.pop(f"{metric}.count").value == 0
    assert {(measure.value, measure.reason) for measure in found.values()} == {(None, reason)}


def test_extreme_quantiles_are_withheld_and_the_median_stands_without_an_interval() -> None:
    found = latency_measures("tpot", sample(5, bounds=None))
    assert (found["tpot.p95"].value, found["tpot.p95"].reason) == (None, "withheld (n = 5, needs 72)")
    assert (found["tpot.p50"].value, found["tpot.p50"].low, found["tpot.p50"].interval_reason) == (0.2, None, "withheld (n = 5, needs 6)")


def test_with_prompts_enough_a_quantile_has_its_interval_and_a_mean_has_none() -> None:
    found = latency_measures("tpot", sample(72))
    assert (found["tpot.p95"].low, found["tpot.p95"].high, found["tpot.p95"].n) == (0.1, 0.3, 72)
    assert found["tpot.p99"].reason == "withheld (n = 72, needs 368)"
    assert (found["tpot.mean"].value, found["tpot.mean"].interval_reason) == (0.25, NO_MEAN_INTERVAL)
    assert found["tpot.count"].value == 144


def test_a_quotient_of_nothing_says_so_and_one_of_few_prompts_has_no_interval() -> None:
    undefined = quotient_measure(quotient([0.0], [0.0]), "share", undefined="undefined (0 drafts)", seed=1)
    assert (undefined.value, undefined.reason) == (None, "undefined (0 drafts)")
    few = quotient_measure(quotient([1.0, 3.0], [2.0, 2.0]), "tokens", undefined="", seed=1)
    assert (few.value, few.low, few.n) == (1.0, None, 2)  # 4 of 4


def match(*same: bool, positions: tuple[int, ...] = ()) -> Match:
    """The compared outputs of a prompt each."""
    return Match(prompts=np.arange(len(same)), is_same=np.asarray(same), first_differences=np.asarray(positions))


def test_sampled_outputs_are_not_compared() -> None:
    found = match_measures(match(True, False, positions=(3,)), is_greedy=False, seed=1)
    assert {measure.reason for measure in found.values()} == {"undefined (sampled, not greedy)"}


def test_a_match_rate_counts_outputs_and_differences_stand_at_their_median() -> None:
    found = match_measures(match(True, False, False, False, positions=(2, 8, 5)), is_greedy=True, seed=1)
    assert found["match.rate"].value == 0.25
    assert (found["match.first-difference"].value, found["match.first-difference"].n) == (5.0, 4)


def test_where_all_outputs_agree_there_is_no_first_difference() -> None:
    found = match_measures(match(True, True), is_greedy=True, seed=1)
    assert found["match.first-difference"].reason == "undefined (0 differences)"
