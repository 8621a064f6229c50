"""The made-up run is a run: its file reads as traces, and its summary is that of the requests one by one."""

from pathlib import Path

import pytest

from benchmarks import aggregation
from ledger.analysis.cells.summary import summarise
from ledger.bench.journal.parquet import read_traces
from ledger.bench.journal.parquet_columns import read_columns


@pytest.mark.parametrize("kind", ["plain", "ids"])
def test_columns_give_the_summary_that_requests_give(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.setattr(aggregation, "REQUESTS", 500)
    monkeypatch.setattr(aggregation, "PROMPTS", 5)
    file = tmp_path / "traces.parquet"
    aggregation.write(file, kind)
    plan, requests = aggregation.protocol(kind), read_traces(file)
    assert len(requests) == 500
    assert {request.output_tokens for request in requests} == {aggregation.TOKENS}
    assert summarise(plan, read_columns(file), seed=1) == summarise(plan, requests, seed=1)
