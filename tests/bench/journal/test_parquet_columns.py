"""Trace files read straight into columns: the numbers that come from reading them request by request."""

from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.analysis.statistics.trace_columns import Names, Ragged, Traces
from ledger.bench.journal import parquet_columns as trace_columns
from ledger.bench.journal.parquet import read_traces, write_answers, write_traces
from ledger.bench.journal.parquet_columns import Filling, read_columns
from ledger.errors import DataRefusedError
from ledger.model.trace import RequestTrace
from tests.bench.conftest import trace_of
from tests.bench.journal.test_parquet import COUNT, IN_ONE_FOLDER, TRACES


@st.composite
def requests(draw: st.DrawFn) -> RequestTrace:
    """A request that can be one: as many tokens as chunks, as many accepted as drafted steps."""
    drawn = draw(TRACES)
    tokens = tuple(draw(st.lists(st.integers(1, 2**31 - 1), min_size=len(drawn.chunks_s), max_size=len(drawn.chunks_s))))
    steps = drawn.steps_drafted
    accepted = None if steps is None else tuple(draw(st.lists(COUNT, min_size=len(steps), max_size=len(steps))))
    return replace(drawn, chunk_tokens=tokens, steps_accepted=accepted)


def plain(traces: Traces) -> dict[str, object]:
    """The columns in plain values, whatever the width of their numbers."""
    found: dict[str, object] = {}
    for field in fields(Traces):
        column = getattr(traces, field.name)
        if isinstance(column, Names):
            found[field.name] = column.names, column.codes.tolist()
        elif isinstance(column, Ragged):
            found[field.name] = column.offsets.tolist(), column.values.tolist(), column.recorded.tolist()
        else:
            found[field.name] = column.tolist()
    return found


@IN_ONE_FOLDER
@given(st.lists(requests(), max_size=6))
def test_columns_are_those_of_the_requests(tmp_path: Path, traces: list[RequestTrace]) -> None:
    write_traces(traces, tmp_path / "t.parquet")
    assert plain(read_columns(tmp_path / "t.parquet")) == plain(Traces.from_requests(read_traces(tmp_path / "t.parquet")))


def test_many_blocks_give_what_one_gives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        trace_of(
            index=n, prompt_id=f"p{n * 7 % 5}", chunks_s=(0.1,) * (n % 4), chunk_tokens=(n + 1,) * (n % 4), error="x" * (n % 3) or None
        )
        for n in range(300)
    ]
    write_traces(rows, tmp_path / "t.parquet")
    monkeypatch.setattr(trace_columns, "VALUES_AT_ONCE", 64)
    assert plain(read_columns(tmp_path / "t.parquet")) == plain(Traces.from_requests(rows))


def test_a_column_widens_for_a_number_it_cannot_hold() -> None:
    import pyarrow as pa

    filling = Filling(4, np.int8)
    for value in (127, 128, 40_000, 2**31 - 1):
        filling.add(pa.array([value], pa.int32()))
    assert filling.values.tolist() == [127, 128, 40_000, 2**31 - 1]


def test_what_is_no_trace_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no")
    write_answers([], tmp_path / "answers")
    write_traces([trace_of(index=n, sent_s=n * 0.1) for n in range(500)], tmp_path / "t")
    broken = bytearray((tmp_path / "t").read_bytes())
    broken[4:2000] = bytes(1996)
    (tmp_path / "broken").write_bytes(broken)
    for name, message in (("text", "no readable"), ("answers", "got the columns"), ("missing", "no readable"), ("broken", "no readable")):
        with pytest.raises(DataRefusedError, match=message):
            read_columns(tmp_path / name)
