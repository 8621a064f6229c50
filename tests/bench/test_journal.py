"""The journal: nothing finished is lost, whatever the moment of death; a resumed run ends complete."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from ledger.bench.journal import NAME, Journal, drop_torn_line, read_journal
from ledger.bench.plan import cells
from ledger.bench.result import INTERRUPTED, read_result
from ledger.bench.runner import resume
from ledger.bench.traces import read_traces
from ledger.errors import DataRefused
from ledger.model.trace import RequestTrace
from tests.bench.conftest import prompts_of
from tests.bench.killed_run import ITEMS, backend, plan

ROOT = Path(__file__).resolve().parents[2]
INSTANTS = 50 if os.environ.get("LEDGER_SLOW") else 4


def named(trace: RequestTrace) -> str:
    """The name under which the killed run announced a request."""
    return f"{trace.arm}/{trace.load}/{trace.repeat}/{trace.phase}/{trace.index}"


def killed_after(folder: Path, seconds: float) -> list[str]:
    """Start a run, kill it so many seconds after its first request, and return the requests it announced as on disk."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.bench.killed_run", str(folder)], cwd=ROOT, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert process.stdout is not None
    with process.stdout:
        first = process.stdout.readline()
        time.sleep(seconds)
        os.kill(process.pid, signal.SIGKILL)
        announced = [first, *process.stdout.readlines()]
    process.wait()
    return [line.rstrip("\n") for line in announced if line.endswith("\n")]


@pytest.mark.parametrize("number", range(INSTANTS))
def test_a_run_killed_at_any_instant_loses_nothing_finished_and_resumes(tmp_path: Path, number: int) -> None:
    seconds = random.Random(number).uniform(0, 0.9)
    announced = killed_after(tmp_path, seconds)
    partial = read_result(tmp_path)
    kept = Counter(named(trace) for trace in (*partial.traces, *partial.interrupted))
    assert Counter(announced) - kept == Counter(), f"lost after {seconds:.3f} s"
    whole = resume(tmp_path, prompts=prompts_of(8), suite_items=ITEMS, model_path=tmp_path, backend_factory=lambda *_: backend())
    assert whole.status == "complete"
    counts = Counter((trace.arm, trace.load, trace.repeat) for trace in whole.traces)
    assert counts == {(cell.arm, cell.load, cell.repeat): 9 for cell in cells(plan())}
    assert len(whole.answers) == 2 * len(ITEMS)
    if partial.status == "partial":
        assert whole.resumed == 1
        assert "the run was interrupted and resumed" in whole.deviations
        assert {named(trace) for trace in partial.traces} <= {named(trace) for trace in whole.traces}
    if partial.interrupted:
        assert read_traces(tmp_path / INTERRUPTED) == list(whole.interrupted) == list(partial.interrupted)


def started(folder: Path) -> Path:
    """A journal with a header and one line."""
    with Journal.create(folder / NAME) as journal:
        journal.append("header", format=1)
        journal.append("request", text="ü\ud800")
    return folder / NAME


def test_lines_come_back_as_they_were_written(tmp_path: Path) -> None:
    assert read_journal(started(tmp_path)) == [{"kind": "header", "format": 1}, {"kind": "request", "text": "ü\ud800"}]


@pytest.mark.parametrize("torn", [b'{"kind":"requ', b'{"kind":"request","text":"half', b"\x00\x00\x00\n", b'{"kind":"a"}'])
def test_a_torn_last_line_is_left_out_and_cut_off_before_more_is_written(tmp_path: Path, torn: bytes) -> None:
    path = started(tmp_path)
    whole = path.read_bytes()
    path.write_bytes(whole + torn)
    assert len(read_journal(path)) == 2
    with Journal.reopen(path) as journal:
        journal.append("resume")
    assert [line["kind"] for line in read_journal(path)] == ["header", "request", "resume"]


def test_cutting_a_whole_journal_changes_nothing(tmp_path: Path) -> None:
    path = started(tmp_path)
    before = path.read_bytes()
    drop_torn_line(path)
    assert path.read_bytes() == before


def test_a_broken_line_in_the_middle_is_refused_by_its_number(tmp_path: Path) -> None:
    path = started(tmp_path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + b"{broken\n" + lines[1])
    with pytest.raises(DataRefused, match=r"journal\.jsonl:2: a line in the middle is broken"):
        read_journal(path)


@pytest.mark.parametrize("content", [b"", b'{"kind":"hea', b'{"kind":"request"}\n', b'{"kind":"header","format":99}\n'])
def test_a_journal_without_its_header_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / NAME
    path.write_bytes(content)
    with pytest.raises(DataRefused):
        read_journal(path)


def test_a_line_is_with_the_kernel_before_append_returns(tmp_path: Path) -> None:
    path = tmp_path / NAME
    with Journal.create(path) as journal:
        journal.append("header", format=1)
        assert json.loads(path.read_bytes()) == {"kind": "header", "format": 1}
    journal.close()
