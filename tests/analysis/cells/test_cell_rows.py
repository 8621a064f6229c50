"""The requests of a cell: chosen by arm, load and repeat, sampled, and laid out in slots."""

import numpy as np
import pytest

from ledger.analysis.cells.cell_rows import CellRows
from ledger.analysis.statistics.lives import LIFE_RESAMPLES
from tests.analysis.recorded import CLOSED, failed, latencies_of, request

REQUESTS = [
    request("b", repeat=2, index=0, chunks_s=(0.1, 0.3)),
    request("a", repeat=1, index=0, chunks_s=(0.1, 0.2)),
    request("b", repeat=1, index=1, chunks_s=(0.2, 0.4)),
    request("a", arm="ngram", chunks_s=(0.1, 0.2)),
    request("a", load="c1"),
    request("a", phase="warm-up"),
]


def rows(repeat: int | None = None) -> CellRows:
    """Return the cell of `base` at `c8`."""
    return CellRows.of(latencies_of(REQUESTS), "base", CLOSED, repeat=repeat)


def test_a_cell_has_the_measured_requests_of_its_arm_and_load() -> None:
    assert rows().rows.tolist() == [0, 1, 2]
    assert [one.tolist() for one in rows().by_repeat()] == [[1, 2], [0]]
    assert rows().repeats() == [1, 2]


def test_one_repeat_of_a_pool_is_the_cell_of_that_repeat() -> None:
    assert rows().one_repeat(1).rows.tolist() == rows(1).rows.tolist() == [1, 2]
    assert rows().one_repeat(2).repeat == 2


def test_a_pool_is_resampled_for_comparisons_and_a_repeat_for_the_variance_between_lives() -> None:
    latencies = latencies_of([request(f"p{i}", repeat=r, index=i, chunks_s=(0.1 + i, 0.3 + 2 * i)) for r in (1, 2) for i in range(8)])
    pool = CellRows.of(latencies, "base", CLOSED)
    for cell, count in ((pool, 2000), (pool.one_repeat(1), LIFE_RESAMPLES)):
        sample = cell.samples(1)["tpot"]
        assert sample is not None
        assert sample.resampled is not None
        assert sample.resampled.shape == (count, 3)


def test_chunks_of_one_token_make_gaps_and_inter_token_latencies_the_same() -> None:
    assert rows().has_single_tokens
    samples = rows().samples(1)
    assert samples["itl"] is samples["chunk-gap"]
    several = CellRows.of(latencies_of([request(chunks_s=(0.1, 0.2), chunk_tokens=(1, 3))]), "base", CLOSED)
    assert not several.has_single_tokens
    assert several.samples(1)["chunk-gap"] is not several.samples(1)["itl"]


def test_tokens_over_the_time_in_slots() -> None:
    """`a` held its slot for 0.2 s for two tokens; `b` for 0.4 s and 0.3 s for four."""
    found = rows().tokens_over_slot_time()
    assert found.numerators.tolist() == [2, 4]
    assert found.denominators == pytest.approx([0.2, 0.7])
    lost = CellRows.of(latencies_of([failed("a", sent_s=1.0)]), "base", CLOSED).tokens_over_slot_time()
    assert np.array_equal(lost.denominators, [0.0])  # without output its last sign is its send
