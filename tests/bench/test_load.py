"""Arrivals: the right mean, the right spread, the same for the same seed."""

import itertools
import statistics
from typing import Any

import pytest

from ledger.bench.load import arrivals_s
from ledger.model.protocol import Load


def load(arrivals: str | None, rate: str = "20") -> Load:
    """An open load."""
    fields: dict[str, Any] = {"id": "r", "kind": "open", "rate_per_s": rate, "arrivals": arrivals, "requests": 1}
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
