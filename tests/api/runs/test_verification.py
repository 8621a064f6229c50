"""What `verify` notices: every change of a record, or of its evidence, but for what is listed as recorded and not recomputable."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks import mutations
from benchmarks.mutations import Recorded, escaped_leaves, escaped_parts, is_listed, recorded
from ledger.api.runs.run_record import run_of
from ledger.api.runs.verification import RECORDED, has_journal, verify
from ledger.bench.journal.events import EVENTS, events_content
from ledger.bench.journal.evidence import evidence_in, write_evidence
from ledger.bench.journal.evidence_rows import ANSWERS
from ledger.bench.journal.journal import NAME, read_journal
from ledger.bench.journal.result import result_from
from ledger.errors import DataRefusedError
from tests.bench.journal.journal_fixtures import chain_again

COUNT = 1_000 if os.environ.get("LEDGER_SLOW") else 150


@pytest.fixture(scope="module")
def of(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    """A run of the fake engine with two loads and repeats, a suite, a drill and a rule."""
    return recorded(tmp_path_factory.mktemp("mutations"))


@pytest.fixture
def own(of: Recorded, tmp_path: Path) -> Recorded:
    """The same with evidence that may be changed."""
    folder = tmp_path / "run"
    folder.mkdir()
    for path in of.folder.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    return replace(of, folder=folder)


def told(of: Recorded) -> list[str]:
    """What is wrong with a run, in words."""
    return [problem.message.removeprefix("run: ") for problem in verify(of.entry, of.run, of.protocol, folder=of.folder, inputs=of.inputs)]


def recorded_again(own: Recorded) -> Recorded:
    """The run as somebody records it who has edited its journal and knows how to do the rest."""
    chain_again(own.folder / NAME)
    lines = read_journal(own.folder / NAME)
    (own.folder / EVENTS).write_bytes(events_content(lines))
    result = replace(result_from(lines), evidence=evidence_in(own.folder))
    return replace(own, run=run_of(own.run.id, result, executor=own.run.executor, author="Nobody"))


def test_an_unchanged_run_has_no_finding(of: Recorded) -> None:
    assert told(of) == []
    assert has_journal(of.run)


def test_random_changes_of_single_leaves_are_noticed_or_listed(of: Recorded) -> None:
    missed, tried = escaped_leaves(of, COUNT)
    assert [leaf for leaf in missed if not is_listed(leaf)] == []
    assert {leaf.partition(".")[0] for leaf in missed} <= {"author", "note"}
    assert tried.total() == COUNT


def test_changes_of_whole_parts_are_all_noticed(of: Recorded) -> None:
    assert len(mutations.STRUCTURAL) >= 50
    assert escaped_parts(of) == []


def test_what_cannot_be_recomputed_is_this_list() -> None:
    """It says what a reader has to take on trust; a longer list is a weaker record."""
    assert list(RECORDED) == [
        "author, note, supersedes",
        "executor",
        "planned, protocol_commit",
        "started_at, finished_at, duration_s",
        "environment, configurations",
        "memory, conditions",
        "drills.instants_s",
    ]


def test_an_edited_journal_that_was_recorded_again_is_held_to_the_kept_texts(own: Recorded) -> None:
    """Chain, hashes and record agree; the text of the answer does not."""
    path = own.folder / NAME
    line = next(line for line in path.read_text().splitlines() if '"kind":"answer","arm":"again"' in line and '"grade":"wrong"' in line)
    path.write_text(path.read_text().replace(line, line.replace('"grade":"wrong"', '"grade":"passed"')))
    chain_again(path)
    write_evidence(own.folder)
    [fault] = told(recorded_again(own))
    assert fault.startswith(f"evidence: {ANSWERS}: row ")
    assert "graded passed" in fault
    assert "its text gives wrong" in fault


def test_a_journal_of_another_plan_is_named(own: Recorded) -> None:
    path = own.folder / NAME
    path.write_text(path.read_text().replace('"seed":1,', '"seed":2,', 1))
    forged = recorded_again(own)
    assert "protocol: the journal ran another plan." in told(forged)


def test_a_run_whose_plan_changed_since_is_refused(of: Recorded) -> None:
    other = of.protocol.model_copy(update={"seed": 99})
    with pytest.raises(DataRefusedError, match="no longer has the meaning that was run"):
        verify(of.entry, of.run, other, folder=of.folder, inputs=of.inputs)


def test_a_run_recorded_before_its_journal_was_evidence_is_held_to_its_traces_alone(own: Recorded) -> None:
    (own.folder / EVENTS).unlink()
    evidence = tuple(item for item in own.run.evidence if not item.path.endswith(EVENTS))
    older = replace(own, run=own.run.model_copy(update={"evidence": evidence}))
    assert told(older) == []
    assert not has_journal(older.run)
    hardware = older.run.model_copy(update={"environment": {"hardware": "NVIDIA H100"}})
    assert told(replace(older, run=hardware)) == []  # nothing there could show it
    cells = (older.run.cells[0].model_copy(update={"arm": "again"}), *older.run.cells[1:])
    relabelled = replace(older, run=older.run.model_copy(update={"cells": cells}))
    assert told(relabelled) == ["cells.0.arm: says 'again', the evidence gives 'base'."]
