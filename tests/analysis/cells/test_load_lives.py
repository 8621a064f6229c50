"""What the lives of a load say: estimates of single lives, and what becomes of a measure's interval."""

import numpy as np
import pytest

from ledger.analysis.cells.cell_rows import CellRows
from ledger.analysis.cells.load_lives import (
    NO_LOGARITHM,
    ONE_LIFE,
    LoadLives,
    arm_lives,
    estimates,
    widen_cell,
    widen_comparison,
    without_interval,
)
from ledger.analysis.measures.throughput import Counted
from ledger.analysis.statistics.lives import LIFE_RESAMPLES, Lives
from ledger.model.records.run import Cell, Comparison, Measure
from tests.analysis.recorded import CLOSED, latencies_of, request, simulated

TWO = LoadLives({"tpot.p50": {"base": Lives({1: 0.0, 2: 0.2}), "ngram": Lives({1: 0.0, 2: 0.2})}})
"""Two arms with a variance of 0.02 and two degrees of freedom."""


def measure(value: float = 1.0, low: float | None = 0.9, high: float | None = 1.1, unit: str = "s") -> Measure:
    """Return a measure."""
    return Measure(value=value, low=low, high=high, unit=unit, n=96)  # type: ignore[arg-type]  # checked by the model


def test_a_cell_and_a_comparison_are_widened_by_the_lives_behind_them() -> None:
    """T of 2 degrees of freedom, 4.3027: for one arm of two lives 4.3027 x sqrt(0.02 / 2) = 0.430, for a ratio 0.609."""
    requests: dict[Counted, int] = {"sent": 0, "completed": 0, "failed": 0, "aborted": 0, "empty": 0}
    cell = widen_cell(TWO, Cell(arm="base", load="c8", requests=requests, metrics={"tpot.p50": measure(1.0, 1.0, 1.0)}), 2)
    assert cell.metrics["tpot.p50"].high == pytest.approx(np.exp(0.43027), rel=1e-4)
    pair = Comparison(arm="ngram", base="base", load="c8", metrics={"tpot.p50": measure(1.0, 1.0, 1.0, "ratio")})
    found = widen_comparison(TWO, pair, {"ngram": 2, "base": 2, "other": 2})
    assert found.metrics["tpot.p50"].low == pytest.approx(np.exp(-0.60849), rel=1e-4)


def test_without_a_second_life_a_time_loses_its_interval_and_a_count_keeps_it() -> None:
    none = LoadLives()
    assert none.widen("tpot.p50", measure(), {"base": 1}).interval_reason == ONE_LIFE
    assert none.widen("acceptance.rate", measure(0.5, 0.4, 0.6, "share"), {"base": 1}).low == 0.4
    assert none.widen("match.rate", measure(0.5, 0.4, 0.6, "share"), {"base": 1}).low == 0.4


def test_a_share_stays_below_1() -> None:
    lives = LoadLives({"acceptance.rate": {"base": Lives({1: 0.0, 2: 0.5})}})
    found = lives.widen("acceptance.rate", measure(0.9, 0.8, 0.95, "share"), {"base": 2})
    assert found.high == 1
    assert (found.low or 1) < 0.8


def test_a_time_of_0_has_no_logarithm_and_a_count_of_0_needs_none() -> None:
    assert TWO.widen("tpot.p50", measure(0.0, 0.0, 0.0), {"base": 2}).interval_reason == NO_LOGARITHM
    assert TWO.widen("acceptance.rate", measure(0.0, 0.0, 0.04, "share"), {"base": 2}).high == 0.04


def test_what_has_no_interval_stays_as_it_is() -> None:
    withheld = Measure(unit="s", n=3, reason="withheld (n = 3, needs 72)")
    assert TWO.widen("tpot.p50", withheld, {"base": 2}) is withheld
    assert without_interval(withheld, "short") is withheld
    assert without_interval(measure(), "short") == Measure(value=1.0, unit="s", n=96, interval_reason="short")


def rows_by_repeat(requests: list, arm: str = "base") -> dict:  # type: ignore[type-arg]  # request traces; rows and samples by repeat
    """Return an arm's requests and samples by repeat."""
    rows = CellRows.of(latencies_of(requests), arm, CLOSED)
    return {repeat: (one := rows.one_repeat(repeat), one.samples(1)) for repeat in rows.repeats()}


def test_every_life_has_an_estimate_even_where_it_is_too_small_to_be_printed() -> None:
    """Of eight prompts no p95 is printed; both lives say one all the same. The second takes 1.25 of the first's time."""
    requests = []
    for repeat, pace in ((1, 1.0), (2, 1.25)):
        for i in range(8):
            times = tuple(2.0 * i + pace * (1 + i / 10) * t for t in (0.1, 0.2, 0.4))
            requests.append(request(f"p{i}", repeat=repeat, index=i, scheduled_s=2.0 * i, chunks_s=times))
    lives = dict(arm_lives(estimates(rows_by_repeat(requests), seed=1)))
    for key in ("tpot.p50", "tpot.p95", "itl.p99", "e2e.p50"):
        assert np.diff(list(lives[key].logs.values())) == pytest.approx([np.log(1.25)]), key
    assert lives["throughput.mean"].freedom == lives["requests-per-s.mean"].freedom == 1


def test_resamples_show_how_much_of_the_spread_requests_explain() -> None:
    """Two lives that differ by the chance of their requests alone: the spread between them is what resamples say it is."""
    chance, spreads, explained = np.random.default_rng(3), [], []
    for _ in range(40):
        found = dict(arm_lives(estimates(rows_by_repeat(simulated(chance, arms={"base": 1.0}, prompts=30, repeats=2)), seed=1)))["tpot.p50"]
        spreads.append(found.squares)
        explained.append(found.requests_variance)
    assert np.mean(explained) == pytest.approx(np.mean(spreads), rel=0.6)


def test_lives_with_different_prompts_are_not_drawn_alike() -> None:
    requests = simulated(np.random.default_rng(4), arms={"base": 1.0}, prompts=12, repeats=2)
    whole = dict(arm_lives(estimates(rows_by_repeat(requests), seed=1)))["tpot.p50"]
    cut = dict(arm_lives(estimates(rows_by_repeat([one for one in requests if (one.repeat, one.index) != (2, 3)]), seed=1)))["tpot.p50"]
    assert whole.requests_variance > 0
    assert cut.requests_variance == 0
    assert cut.freedom == 1


def test_a_life_is_resampled_as_often_as_a_variance_needs() -> None:
    found = estimates(rows_by_repeat(simulated(np.random.default_rng(5), arms={"base": 1.0}, prompts=12, repeats=1)), seed=1)[1]
    for key in ("tpot.p50", "itl.p50", "throughput.mean"):
        resampled = found[key].resampled
        assert resampled is not None
        assert resampled.shape == (LIFE_RESAMPLES,), key
