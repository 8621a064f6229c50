"""Traces as columns: refused when they cannot be traces, chosen by arm, load and repeat, worked through in blocks."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.analysis.measures.latencies import Latencies
from ledger.analysis.statistics.trace_columns import Names, Ragged, Traces, row_blocks
from tests.analysis.recorded import failed, request


def test_only_the_measured_requests_of_a_cell_are_chosen() -> None:
    traces = Traces.from_requests(
        [request(phase="warm-up"), request(arm="ngram"), request(repeat=2), request(load="c1"), request(), failed()]
    )
    assert traces.rows("base", "c8").tolist() == [2, 4, 5]
    assert traces.rows("base", "c8", 1).tolist() == [4, 5]
    assert traces.rows("absent", "c8").tolist() == []
    assert traces.repeats(traces.rows()) == [1, 2]


def test_names_are_put_in_order() -> None:
    column = Names.of(("b", "a"), np.asarray([0, 1, -1], np.int32))
    assert (column.names, column.codes.tolist()) == (("a", "b"), [1, 0, -1])


def test_impossible_columns_are_refused() -> None:
    traces = Traces.from_requests([request(chunks_s=(0.1, 0.2))])
    with pytest.raises(ValueError, match="sent_s: got 0 rows, expected 1"):
        replace(traces, sent_s=np.empty(0))
    with pytest.raises(ValueError, match="chunk without tokens"):
        replace(traces, chunk_tokens=np.asarray([1, 0]))
    with pytest.raises(ValueError, match="chunk_offsets"):
        replace(traces, chunk_offsets=np.asarray([0, 1]))
    with pytest.raises(ValueError, match="steps that differ"):
        replace(traces, accepted=Ragged.from_rows([(1,)]))
    with pytest.raises(ValueError, match=r"0\.100000 s before"):
        _ = Latencies(Traces.from_requests([request(chunks_s=(0.2, 0.1))])).longest_stall_s


@given(st.lists(st.integers(0, 9), max_size=30), st.integers(1, 12))
def test_blocks_cover_every_row_once_within_their_limit(sizes: list[int], limit: int) -> None:
    parts = list(row_blocks(np.asarray(sizes, np.int64), limit))
    assert [row for part in parts for row in range(len(sizes))[part]] == list(range(len(sizes)))
    assert all(sum(sizes[part]) < limit + 9 for part in parts)
