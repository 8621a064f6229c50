"""The evidence of a run: which files it has, and what is said where they cannot be written."""

from errno import ENOSPC
from pathlib import Path

import pytest

from ledger.bench.journal import evidence
from ledger.bench.journal.evidence import evidence_in, write_evidence, write_whole
from ledger.bench.journal.journal import NAME
from ledger.errors import EnvironmentFaultError
from tests.bench.conftest import Run, suite_item
from tests.bench.fake_engine import FakeBackend, Script
from tests.bench.journal.journal_fixtures import unchain


def test_a_file_is_written_for_what_there_is(run: Run, tmp_path: Path) -> None:
    plain = run(folder="plain")
    assert [item.path for item in plain.evidence] == ["traces.parquet", "events.jsonl"]
    deadly = Script(fails="EngineDeadError: gone", kills=True)
    backend = FakeBackend(lambda request: deadly if request.id == "ngram-c2-r1-measured-3" else Script())
    full = run(backend, folder="full", suites=["suite"], suite_items=[suite_item()])
    assert [item.path for item in full.evidence] == ["traces.parquet", "answers.parquet", "interrupted.parquet", "events.jsonl"]
    assert evidence_in(tmp_path / "full") == full.evidence
    for item in full.evidence:
        assert item.bytes == (tmp_path / "full" / item.path).stat().st_size


def test_a_journal_without_a_chain_is_no_evidence(run: Run, tmp_path: Path) -> None:
    run()
    (tmp_path / "run" / "events.jsonl").unlink()
    unchain(tmp_path / "run" / NAME)
    assert [item.path for item in write_evidence(tmp_path / "run").evidence] == ["traces.parquet"]


def test_a_full_disk_ends_in_one_line_with_what_to_do(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run()

    def full(*_: object) -> None:
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr(evidence, "write_traces", full)
    with pytest.raises(EnvironmentFaultError, match=r"cannot be written: No space left on device\. What finished stands"):
        write_evidence(tmp_path / "run")


def test_a_file_appears_whole(tmp_path: Path) -> None:
    write_whole(tmp_path / "a", b"one")
    write_whole(tmp_path / "a", b"two")
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    assert (tmp_path / "a").read_bytes() == b"two"
