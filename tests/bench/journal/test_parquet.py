"""Traces and answers as Parquet: lossless, deterministic, refusing what they are not."""

from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger.bench.journal.parquet import read_answers, read_traces, write_answers, write_traces
from ledger.bench.plan.suite_results import SuiteAnswer
from ledger.errors import DataRefusedError
from ledger.model.trace import RequestTrace
from tests.bench.conftest import trace_of

TEXT = st.text(st.characters(codec="utf-8"), max_size=20)
COUNT = st.integers(0, 2**31 - 1)
COUNTS = st.lists(COUNT, max_size=4).map(tuple)
SECONDS = st.floats(0, 1e9)
TRACES = st.builds(
    RequestTrace,
    arm=TEXT,
    load=TEXT,
    repeat=COUNT,
    phase=st.sampled_from(["warm-up", "measured"]),
    prompt_id=TEXT,
    index=COUNT,
    scheduled_s=SECONDS,
    sent_s=SECONDS,
    chunks_s=st.lists(SECONDS, max_size=4).map(tuple),
    chunk_tokens=COUNTS,
    outcome=st.sampled_from(["completed", "failed", "aborted", "empty"]),
    finish_reason=st.none() | TEXT,
    error=st.none() | TEXT,
    prompt_tokens=st.none() | COUNT,
    cached_tokens=st.none() | COUNT,
    steps_drafted=st.none() | COUNTS,
    steps_accepted=st.none() | COUNTS,
    output_sha256=st.none() | TEXT,
    output_text=st.none() | TEXT,
    output_token_ids=st.none() | COUNTS,
)
ANSWERS = st.builds(
    SuiteAnswer,
    **dict.fromkeys(("arm", "suite", "item", "category", "because"), TEXT),
    negative_control=st.booleans(),
    grade=st.sampled_from(["passed", "wrong", "malformed"]),
    **dict.fromkeys(("finish_reason", "output_sha256", "output_text"), st.none() | TEXT),
)
IN_ONE_FOLDER = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


@IN_ONE_FOLDER
@given(st.lists(TRACES, max_size=5))
def test_traces_come_back_equal(tmp_path: Path, traces: list[RequestTrace]) -> None:
    write_traces(traces, tmp_path / "t.parquet")
    assert read_traces(tmp_path / "t.parquet") == traces


@IN_ONE_FOLDER
@given(st.lists(ANSWERS, max_size=5))
def test_answers_come_back_equal(tmp_path: Path, answers: list[SuiteAnswer]) -> None:
    write_answers(answers, tmp_path / "a.parquet")
    assert read_answers(tmp_path / "a.parquet") == answers


def test_strategies_cover_every_field() -> None:
    assert {field.name for field in fields(RequestTrace)} == set(trace_of().__slots__)


def test_the_same_rows_give_the_same_bytes(tmp_path: Path) -> None:
    rows = [trace_of(index=number) for number in range(100)]
    for name in ("a", "b"):
        write_traces(rows, tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]


def test_what_is_no_trace_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no")
    write_answers([], tmp_path / "answers")
    for name, message in (("text", "no readable Parquet"), ("answers", "got the columns"), ("missing", "no readable Parquet")):
        with pytest.raises(DataRefusedError, match=message):
            read_traces(tmp_path / name)
