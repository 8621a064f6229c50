"""Which files are records, and what `ledger.toml` may say."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ledger.api import Ledger
from ledger.errors import DataRefusedError, ExitCode, UsageError
from ledger.store.files.atomic_write import write_atomically
from ledger.store.files.record_files import RecordFiles

if TYPE_CHECKING:
    from tests.conftest import LedgerFolder


def test_links_hidden_files_and_other_suffixes_are_no_records(ledger_folder: "LedgerFolder", tmp_path: Path) -> None:
    ledger_folder.add_page()
    outside = tmp_path / "outside.toml"
    outside.write_text('[[claim]]\nid = "leak"\n')
    records = ledger_folder.root / "records"
    (records / "link.toml").symlink_to(outside)
    (records / "folder").symlink_to(tmp_path)
    (records / ".#page.toml").symlink_to("somebody@host.123:456")
    os.mkfifo(records / "pipe.toml")
    for name in (".page.toml.swp", ".hidden.toml", ".git/x.toml", "page.toml~", "page.yaml", "evidence/raw.json"):
        ledger_folder.write(f"records/{name}", b"not a record at all")
    ledger = ledger_folder.open()
    assert list(ledger.files.record_files.paths()) == ["records/sources/page.toml"]
    assert ledger.check() == []
    assert [source.id for source in ledger.sources()] == ["page"]


def test_files_come_in_one_order_whatever_the_disk_says(ledger_folder: "LedgerFolder") -> None:
    for name in ("b/a", "a/z", "a/b", "z", "a"):
        ledger_folder.write(f"records/{name}.toml", "")
    expected = ["records/a.toml", "records/z.toml", "records/a/b.toml", "records/a/z.toml", "records/b/a.toml"]
    assert list(ledger_folder.open().files.record_files.paths()) == expected


def test_a_file_that_cannot_be_read_is_a_finding(ledger_folder: "LedgerFolder", monkeypatch: pytest.MonkeyPatch) -> None:
    path = ledger_folder.add_page()

    def refuse(self: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(self))

    files: RecordFiles = ledger_folder.open().files.record_files
    with monkeypatch.context() as patched:
        patched.setattr(Path, "read_bytes", refuse)
        [problem] = files.all.problems
    assert str(problem) == "records/sources/page.toml:1:1: cannot be read: Permission denied. Mend its permissions. [LEDG001]"
    assert path.exists()


def test_a_ledger_without_records_answers_nothing_and_has_no_fault(ledger_folder: "LedgerFolder") -> None:
    ledger = ledger_folder.open()
    assert (ledger.check(), ledger.claims(), ledger.sources(), ledger.costs()) == ([], [], [], [])


def test_the_nearest_ledger_toml_above_counts(ledger_folder: "LedgerFolder", tmp_path: Path) -> None:
    deep = ledger_folder.root / "records/claims"
    deep.mkdir(parents=True)
    assert Ledger.open(deep).root == ledger_folder.root
    with pytest.raises(UsageError, match=r"no ledger\.toml here or above") as fault:
        Ledger.open(tmp_path)
    assert fault.value.exit_code is ExitCode.USAGE


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "organisation: missing"),
        ('organisation = ""', "organisation: got"),
        ('organisation = "T"\norganization = "T"', "organization: unknown key"),
        ('organisation = "T"\n[paths]\nrecords = "/etc"', 'paths.records: got "/etc", expected a path below the ledger'),
        ('organisation = "T"\n[paths]\nrecords = "../other"', 'paths.records: got "../other", expected a path below the ledger'),
        ('organisation = "T"\n[paths]\ncache = "a/../../b"', 'paths.cache: got "a/../../b", expected a path below the ledger'),
        ('organisation = "T"\n[paths]\nevidence = "."', 'paths.evidence: got ".", expected a path below the ledger'),
        ('organisation = "T"\n[telemetry]\nprompt = "full"', "telemetry.prompt: unknown key"),
    ],
)
def test_a_fault_in_ledger_toml_refuses_to_open(text: str, message: str, ledger_folder: "LedgerFolder") -> None:
    ledger_folder.write("ledger.toml", text)
    with pytest.raises(DataRefusedError) as fault:
        ledger_folder.open()
    assert any(problem.message.startswith(message) for problem in fault.value.problems), fault.value.problems
    assert all(problem.path == "ledger.toml" for problem in fault.value.problems)


@pytest.mark.parametrize("content", [b"organisation = ", b"organisation = 'T\xe9'", b"\xff\xfeo\x00"])
def test_a_ledger_toml_that_cannot_be_parsed_is_told_in_one_line(content: bytes, ledger_folder: "LedgerFolder") -> None:
    ledger_folder.write("ledger.toml", content)
    with pytest.raises(DataRefusedError, match=r"^ledger\.toml: .*\. Mend the file\.$"):
        ledger_folder.open()


def test_did_you_mean_in_ledger_toml(ledger_folder: "LedgerFolder") -> None:
    ledger_folder.write("ledger.toml", 'organisation = "T"\n[paths]\nrecord = "records"\n')
    with pytest.raises(DataRefusedError) as fault:
        ledger_folder.open()
    assert [problem.remedy for problem in fault.value.problems] == ["Did you mean records?"]


def test_records_and_cache_may_lie_elsewhere_in_the_ledger(ledger_folder: "LedgerFolder") -> None:
    ledger_folder.write("ledger.toml", 'organisation = "T"\n[paths]\nrecords = "data/facts"\ncache = "tmp/cache"\n')
    ledger_folder.add("source", "page", file="data/facts/page.toml")
    assert [source.id for source in ledger_folder.open().sources()] == ["page"]
    assert {path.name for path in ledger_folder.root.iterdir()} == {"ledger.toml", "data", "tmp"}


def test_a_write_that_fails_leaves_the_old_file_and_no_other(ledger_folder: "LedgerFolder", monkeypatch: pytest.MonkeyPatch) -> None:
    path = ledger_folder.write("records/a.toml", b"old")

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in path.parent.iterdir()] == ["a.toml"]


def test_attached_files_are_looked_for_beside_the_record_only(ledger_folder: "LedgerFolder") -> None:
    ledger_folder.write("secret.jsonl", b"{}\n{}\n")
    ledger_folder.add("workload", "w", prompts="../../secret.jsonl")
    [problem] = ledger_folder.check()
    assert (problem.code, "records/workloads/secret.jsonl is not there" in problem.message) == ("LEDG009", True)


def test_evidence_cannot_reach_out_of_its_folder(ledger_folder: "LedgerFolder", tmp_path: Path) -> None:
    (tmp_path / "outside").write_bytes(b"x")
    ledger_folder.add_plan()
    evidence = [
        {"path": name, "sha256": "0" * 64, "bytes": 1, "media_type": "text/plain"} for name in ("../../../outside", "/etc/hostname")
    ]
    ledger_folder.add("run", "run-1", evidence=evidence)
    problems = ledger_folder.check()
    assert problems
    assert not any("has the hash" in problem.message for problem in problems), problems
