"""The table of bins answers as searching the edges does, for every value."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.analysis.statistics.bins import CELLS, Bins

EDGES = st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=40)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@given(edges=EDGES, others=st.lists(st.floats(-1e9, 1e9), max_size=40))
def test_every_value_finds_the_place_that_searching_finds(kind: Any, edges: list[float], others: list[float]) -> None:
    ordered = np.unique(np.asarray(edges, kind))
    near = np.concatenate((np.nextafter(ordered, kind(-np.inf)), ordered, np.nextafter(ordered, kind(np.inf)), np.asarray(others, kind)))
    values = np.resize(near, CELLS)
    assert np.array_equal(Bins.of(ordered).places(values), np.searchsorted(ordered, values))


def test_a_long_stall_does_not_send_every_value_to_the_search() -> None:
    chance = np.random.default_rng(1)
    gaps = np.sort(0.01 * np.exp(0.3 * chance.standard_normal(100_000)))
    edges = np.append(gaps[::200], 1000.0)
    bins = Bins.of(edges)
    cells = np.clip((gaps - edges[0]) * bins.scale, 0, CELLS).astype(int)
    assert bins.is_whole[cells].mean() > 0.9
    assert np.array_equal(bins.places(gaps), np.searchsorted(edges, gaps))
