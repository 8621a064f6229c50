"""The trace of a request: its tokens are those of its chunks."""

import pytest

from tests.analysis.recorded import request


@pytest.mark.parametrize(("chunk_tokens", "total"), [((), 0), ((1,), 1), ((1, 4, 2), 7)])
def test_output_tokens_are_those_delivered_in_chunks(chunk_tokens: tuple[int, ...], total: int) -> None:
    times = tuple(0.1 * (place + 1) for place in range(len(chunk_tokens)))
    assert request(chunks_s=times, chunk_tokens=chunk_tokens).output_tokens == total


def test_a_trace_never_changes() -> None:
    trace = request()
    with pytest.raises(AttributeError, match="cannot assign"):
        trace.arm = "other"  # type: ignore[misc]  # what is tested
