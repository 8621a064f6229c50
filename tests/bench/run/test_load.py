"""Arrivals: the right mean, the right spread, the same for the same seed."""

import itertools
import statistics
from typing import Any

import pytest

from ledger.bench.run.load import arrivals_s, ramped_arrivals_s
from ledger.model.records.protocol import Load


def load(arrivals: str | None, rate: str = "20", **more: Any) -> Load:
    """An open load."""
    fields: dict[str, Any] = {"id": "r", "kind": "open", "rate_per_s": rate, "arrivals": arrivals, "requests": 1, **more}
    return Load.model_validate(fields)


@pytest.mark.parametrize(("arrivals", "variation"), [("poisson", 1.0), (None, 1.0), ("gamma", 2**0.5), ("constant", 0.0)])
def test_gaps_have_the_rate_and_the_spread_of_their_kind(arrivals: str | None, variation: float) -> None:
    times = arrivals_s(load(arrivals), 20_000, seed="7/r/1")
    gaps = [later - earlier for earlier, later in zip((0.0, *times), times, strict=False)]
    assert statistics.fmean(gaps) == pytest.approx(1 / 20, rel=0.03)
    assert statistics.stdev(gaps) / statistics.fmean(gaps) == pytest.approx(variation, abs=0.04)


def test_the_same_seed_gives_the_same_arrivals_and_another_gives_others() -> None:
    first = arrivals_s(load("poisson"), 100, seed="7/r/1")
    assert first == arrivals_s(load("poisson"), 100, seed="7/r/1")
    assert first != arrivals_s(load("poisson"), 100, seed="7/r/2")
    assert all(earlier < later for earlier, later in itertools.pairwise(first))


def test_arrivals_are_pinned() -> None:
    """They are part of what a protocol fixes: another release of ours or of Python must not move them."""
    assert arrivals_s(load("poisson"), 3, seed="7/r/1") == pytest.approx(PINNED)


PINNED = (0.05741734655545475, 0.0685227741959685, 0.07653471197026011)


def test_a_ramps_arrivals_grow_evenly_from_nothing_and_the_full_rate_follows_without_a_gap() -> None:
    """At 4 a second over 4 s, 8 are expected: arrival k at 2 * sqrt(k / 2), the last of them at the ramp's very end."""
    during, following = ramped_arrivals_s(load("constant", "4", ramp_s="4"), 3, seed="7/r/1")
    assert during == pytest.approx([(2 * number) ** 0.5 for number in range(1, 8)])
    assert following == pytest.approx((4.0, 4.25, 4.5))


@pytest.mark.parametrize("arrivals", ["poisson", "gamma"])
def test_a_ramp_bends_the_same_arrivals_and_adds_no_others(arrivals: str) -> None:
    """Twice the square root of their count up to an instant grows with the instant: a rate that rises evenly."""
    bent = load(arrivals, "200", ramp_s="60")
    during, following = ramped_arrivals_s(bent, 500, seed="7/r/1")
    whole = (*during, *following)
    assert all(earlier < later for earlier, later in itertools.pairwise(whole))
    assert during[-1] < 60 <= following[0]
    assert len(following) == 500
    for share in (0.25, 0.5, 0.75):
        assert sum(at_s < 60 * share for at_s in during) / len(during) == pytest.approx(share**2, abs=0.03)
    assert whole == (*ramped_arrivals_s(bent, 500, seed="7/r/1")[0], *following)
    straight = arrivals_s(load(arrivals, "200"), len(whole), seed="7/r/1")
    assert following == pytest.approx([at_s + 30 for at_s in straight[len(during) :]])


def test_without_a_ramp_the_arrivals_are_those_of_the_full_rate() -> None:
    assert ramped_arrivals_s(load("poisson"), 5, seed="s") == ((), arrivals_s(load("poisson"), 5, seed="s"))
