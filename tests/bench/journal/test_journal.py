"""The journal: nothing finished is lost, whatever the moment of death; a resumed run ends complete."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ledger.api.ledger_files import LedgerFiles
from ledger.api.runs.plans import Inputs, Plans
from ledger.api.runs.runs import Runs
from ledger.api.runs.verification import verify
from ledger.bench.journal.chain import START, link
from ledger.bench.journal.evidence_rows import INTERRUPTED
from ledger.bench.journal.journal import NAME, Journal, cut_torn_line, extend, is_at_work, is_chained, read_journal
from ledger.bench.journal.parquet import read_traces
from ledger.bench.journal.result import RunResult, read_result
from ledger.bench.plan.plan import cells
from ledger.bench.run.runner import resume
from ledger.errors import DataRefusedError
from ledger.model.catalogue import Catalogue, Entry
from ledger.model.records.run import Run
from ledger.model.trace import RequestTrace
from tests.bench.conftest import prompts_of, resume_request
from tests.bench.journal.journal_fixtures import unchain
from tests.bench.killed_run import ITEMS, backend, plan

ROOT = Path(__file__).resolve().parents[3]
INSTANTS = 50 if os.environ.get("LEDGER_SLOW") else 4
LASTS_S = 1.4
"""About how long the run takes that is killed."""
RUN = "run"


def named(trace: RequestTrace) -> str:
    """The name under which the killed run announced a request."""
    return f"{trace.arm}/{trace.load}/{trace.repeat}/{trace.phase}/{trace.index}"


def killed_after(folder: Path, said: str, seconds: float) -> list[str]:
    """Start a run, kill it so many seconds after it said something, and return the requests it announced as on disk."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.bench.killed_run", str(folder)], cwd=ROOT, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert process.stdout is not None
    announced = []
    with process.stdout:
        while (line := process.stdout.readline()) and not line.startswith(said):
            announced.append(line)
        time.sleep(seconds)
        os.kill(process.pid, signal.SIGKILL)
        announced += [line, *process.stdout.readlines()]
    process.wait()
    return [line.rstrip("\n") for line in announced if line.endswith("\n") and "/" in line]


def runs_among(root: Path, *entries: Entry) -> Runs:
    """The runs of a ledger that holds these records."""
    files = LedgerFiles.at(root, lambda: datetime.now(UTC))
    files.catalogue = Catalogue(entries)
    return Runs(files, Plans(files))


def assert_recorded(root: Path) -> str:
    """Write the record of the run as far as its journal goes, assert that its traces give it, and return its status."""
    planned = Entry(plan(), "records/protocols/plan.toml")
    runs = runs_among(root, planned)
    status = runs.record_interrupted(RUN, "own").status
    [record] = json.loads(runs.record_path(RUN).read_bytes())["run"]
    entry, inputs = Entry(Run.model_validate(record), "records/runs/run.json"), Inputs(tuple(prompts_of(8)), tuple(ITEMS))
    assert isinstance(entry.record, Run)
    assert [str(problem) for problem in verify(entry, entry.record, plan(), folder=runs.folder(RUN), inputs=inputs)] == []
    return status


def whole_again(folder: Path) -> RunResult:
    """Resume a run to its end."""
    return resume(resume_request(folder, prompts=8, suite_items=ITEMS, backend=backend()))


def assert_lost_nothing(root: Path, announced: list[str]) -> None:
    """Assert that everything announced is on disk and recorded, and that the run resumes to its end."""
    folder = root / "records/evidence" / RUN
    if not (folder / NAME).exists() or not whole_lines(folder / NAME):
        assert announced == []  # killed before its first line: nothing was measured, and a new run may begin
        return
    partial = read_result(folder)
    kept = Counter(named(trace) for trace in (*partial.traces, *partial.interrupted))
    assert Counter(announced) - kept == Counter()
    assert assert_recorded(root) == partial.status
    whole = whole_again(folder)
    assert whole.status == assert_recorded(root) == "complete"
    counts = Counter((trace.arm, trace.load, trace.repeat) for trace in whole.traces)
    assert counts == {(cell.arm, cell.load, cell.repeat): 9 for cell in cells(plan())}
    assert len(whole.answers) == 2 * len(ITEMS)
    if partial.status == "partial":
        assert whole.resumed == 1
        assert "the run was interrupted and resumed" in whole.deviations
        assert {named(trace) for trace in partial.traces} <= {named(trace) for trace in whole.traces}
    if partial.interrupted:
        assert read_traces(folder / INTERRUPTED) == list(whole.interrupted) == list(partial.interrupted)


def whole_lines(path: Path) -> bytes:
    """The lines of a journal that were written whole."""
    content = path.read_bytes()
    return content[: content.rfind(b"\n") + 1]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """An empty ledger."""
    (tmp_path / "ledger.toml").write_text('organisation = "Test Works"\n')
    return tmp_path


@pytest.mark.parametrize("number", range(INSTANTS))
def test_a_run_killed_at_any_instant_loses_nothing_finished_and_resumes(root: Path, number: int) -> None:
    """The instants lie all over the run, from before its first line on."""
    seconds = (number + random.Random(number).random()) / INSTANTS * LASTS_S
    assert_lost_nothing(root, killed_after(root / "records/evidence" / RUN, "ready", seconds))


@pytest.mark.parametrize("said", ["header", "session-start", "cell-start", "cell-end", "session-end", "suites-start", "suites-end"])
def test_a_run_killed_between_two_steps_resumes(root: Path, said: str) -> None:
    """After `header` the first engine is starting, and nothing has been sent."""
    assert_lost_nothing(root, killed_after(root / "records/evidence" / RUN, said, 0))


def started(folder: Path) -> Path:
    """A journal with a header and one line."""
    with Journal.create(folder / NAME) as journal:
        journal.append("header", format=2)
        journal.append("request", text="ü\ud800")
    return folder / NAME


def test_lines_come_back_as_they_were_written(tmp_path: Path) -> None:
    assert read_journal(started(tmp_path)) == [{"kind": "header", "format": 2}, {"kind": "request", "text": "ü\ud800"}]


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
    cut_torn_line(path)
    assert path.read_bytes() == before


def test_a_broken_line_in_the_middle_is_refused_by_its_number(tmp_path: Path) -> None:
    path = started(tmp_path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + b"{broken\n" + lines[1])
    with pytest.raises(DataRefusedError, match=r"journal\.jsonl:2: a line in the middle is broken"):
        read_journal(path)


@pytest.mark.parametrize("content", [b"", b'{"kind":"hea', b'{"kind":"request"}\n', b'{"kind":"header","format":99}\n'])
def test_a_journal_without_its_header_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / NAME
    path.write_bytes(content)
    with pytest.raises(DataRefusedError):
        read_journal(path)


def test_only_one_process_writes_a_journal(tmp_path: Path) -> None:
    """The lock goes with the process, so that a run that was killed can be resumed at once."""
    path = started(tmp_path)
    assert not is_at_work(path)
    with Journal.reopen(path):
        assert is_at_work(path)
        with pytest.raises(DataRefusedError, match="another process is writing it"):
            Journal.reopen(path)
    assert not is_at_work(path)


def test_a_line_is_with_the_kernel_before_append_returns(tmp_path: Path) -> None:
    path = tmp_path / NAME
    with Journal.create(path) as journal:
        journal.append("header", format=1)
        assert path.read_bytes() == b'{"kind":"header","format":1,"chain":"%s"}\n' % link(b'{"kind":"header","format":1}', START).encode()
    journal.close()


def long(folder: Path) -> tuple[Path, list[bytes]]:
    """A journal of five lines, and the lines."""
    path = started(folder)
    with Journal.reopen(path) as journal:
        for number in range(3):
            journal.append("request", index=number)
    return path, path.read_bytes().splitlines(keepends=True)


CHANGED: dict[str, tuple[Callable[[list[bytes]], list[bytes]], int]] = {
    "a header": (lambda it: [it[0].replace(b'"format":2', b'"format":2,"planned":true'), *it[1:]], 1),
    "a number": (lambda it: [*it[:3], it[3].replace(b'"index":1', b'"index":7'), it[4]], 4),
    "a line taken out": (lambda it: [*it[:2], *it[3:]], 3),
    "two lines that changed places": (lambda it: [*it[:2], it[3], it[2], it[4]], 3),
    "a line that stands twice": (lambda it: [*it[:4], it[3], it[4]], 5),
    "a link that is gone": (lambda it: [*it[:4], it[4][: it[4].index(b',"chain"')] + b"}\n"], 5),
    "white space": (lambda it: [*it[:4], it[4].replace(b'"index":2', b'"index": 2')], 5),
}


@pytest.mark.parametrize("name", CHANGED)
def test_a_line_that_was_changed_is_refused_by_its_number(tmp_path: Path, name: str) -> None:
    path, lines = long(tmp_path)
    change, number = CHANGED[name]
    path.write_bytes(b"".join(change(lines)))
    with pytest.raises(DataRefusedError, match=rf"journal\.jsonl:{number}: does not follow from the line before it"):
        read_journal(path)


def test_lines_cut_off_at_the_end_leave_a_journal_that_can_be_continued(tmp_path: Path) -> None:
    """A process that was killed leaves the same: the chain tells no end."""
    path, lines = long(tmp_path)
    path.write_bytes(b"".join(lines[:3]))
    with Journal.reopen(path) as journal:
        journal.append("resume")
    assert [line["kind"] for line in read_journal(path)] == ["header", "request", "request", "resume"]


def test_a_journal_of_an_earlier_release_is_read_and_continued_without_a_chain(tmp_path: Path) -> None:
    path, _ = long(tmp_path)
    unchain(path)
    with Journal.reopen(path) as journal:
        journal.append("resume")
    assert b"chain" not in path.read_bytes()
    lines = read_journal(path)
    assert (len(lines), is_chained(lines[0])) == (6, False)


def test_a_line_put_behind_a_whole_journal_follows_from_it(tmp_path: Path) -> None:
    path, lines = long(tmp_path)
    path.write_bytes(extend(path.read_bytes() + b'{"torn', {"kind": "goes-on", "run": "r"}))
    assert path.read_bytes().startswith(b"".join(lines))
    assert read_journal(path)[-1] == {"kind": "goes-on", "run": "r"}


def test_two_journals_in_one_are_refused(tmp_path: Path) -> None:
    path, _ = long(tmp_path)
    path.write_bytes(path.read_bytes() * 2)
    with pytest.raises(DataRefusedError, match="holds more than one run"):
        read_journal(path)


def test_closing_while_a_flush_begins_does_not_wait_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The flusher has seen that there is something to flush, and clears that only after `close` has said that it is the end."""
    journal = Journal.create(tmp_path / NAME)
    clear, begun, may_go_on = journal._unflushed.clear, threading.Event(), threading.Event()

    def late() -> None:
        begun.set()
        may_go_on.wait(5)
        clear()

    monkeypatch.setattr(journal._unflushed, "clear", late)
    journal.append("header", format=2)
    assert begun.wait(5)
    closer = threading.Thread(target=journal.close, daemon=True)
    closer.start()
    closer.join(0.1)  # it has set both events and waits for the flusher
    may_go_on.set()
    closer.join(5)
    assert not closer.is_alive()
