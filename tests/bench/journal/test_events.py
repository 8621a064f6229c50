"""The journal as evidence: all but the rows of the Parquet files, and from both the same journal again."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from ledger.bench.journal.events import EVENTS, events_content, restore_lines
from ledger.bench.journal.evidence_rows import ANSWERS, TRACES
from ledger.bench.journal.journal import NAME, encode_line, read_journal
from ledger.bench.journal.parquet import read_answers, read_traces
from ledger.errors import DataRefusedError
from tests.bench.conftest import Run, suite_item
from tests.bench.fake_engine import FakeBackend, Script, Step

SPECULATIVE = Script(steps=(Step(0.1, 1), Step(0.01, 3)), drafted=(4,), accepted=(2,), text="ü")


@pytest.fixture
def folder(run: Run, tmp_path: Path) -> Path:
    """A run with speculation and a suite, its evidence written."""
    run(FakeBackend(lambda _: SPECULATIVE), suites=["suite"], suite_items=[suite_item("b"), suite_item("a")], warm_up_requests=1)
    return tmp_path / "run"


def rows(folder: Path) -> dict[str, list[object]]:
    """The rows of the Parquet files."""
    return {TRACES: [*read_traces(folder / TRACES)], ANSWERS: [*read_answers(folder / ANSWERS)]}


def test_the_journal_comes_back_line_by_line(folder: Path) -> None:
    restored = restore_lines((folder / EVENTS).read_bytes(), rows(folder), name=EVENTS)  # type: ignore[arg-type]  # rows of both kinds
    assert [encode_line(line, None) for line in restored] == [encode_line(line, None) for line in read_journal(folder / NAME)]


def test_what_is_kept_names_rows_and_holds_no_output(folder: Path) -> None:
    content = (folder / EVENTS).read_text()
    events = [json.loads(line) for line in content.splitlines()]
    named = [event for event in events if event["kind"] == "row"]
    assert len(named) == 2 * (7 + 2)
    assert {event["file"] for event in named} == {TRACES, ANSWERS}
    assert all(("t" in event) == (event["file"] == TRACES) for event in named)
    assert "ü" not in content
    assert events[-1] == {"kind": "journal-end", "lines": len(events) - 1, "link": events[-1]["link"]}
    assert (folder / EVENTS).read_bytes() == events_content(read_journal(folder / NAME))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (b'"arm":"ngram"', b'"arm":"ngran"', "is not the journal that was written"),
        (b'"row":1', b'"row":2', "is not the journal that was written"),
        (b'"row":1', b'"row":999', "is not what the runner writes"),
        (b'"kind":"journal-end"', b'"kind":"row"', "is not the journal that was written"),
        (b'"link":"', b'"link":"0', "is not the journal that was written"),
        (b'"link"', b'"lonk"', "is not what the runner writes"),
    ],
)
def test_a_change_of_what_is_kept_is_refused(folder: Path, old: bytes, new: bytes, says: str) -> None:
    content = (folder / EVENTS).read_bytes()
    assert old in content
    if says.endswith("written") and b"journal-end" in old:
        content = b"\n".join(content.splitlines()[:-2] + content.splitlines()[-1:]) + b"\n"  # a line fewer
    else:
        content = content.replace(old, new, 1)
    with pytest.raises(DataRefusedError, match=says):
        restore_lines(content, rows(folder), name=EVENTS)  # type: ignore[arg-type]  # rows of both kinds


def test_a_row_that_was_changed_is_noticed(folder: Path) -> None:
    found = rows(folder)
    first = read_traces(folder / TRACES)[0]
    found[TRACES][0] = replace(first, sent_s=first.sent_s + 1e-9)
    with pytest.raises(DataRefusedError, match="a line or a row was changed"):
        restore_lines((folder / EVENTS).read_bytes(), found, name=EVENTS)  # type: ignore[arg-type]  # rows of both kinds
