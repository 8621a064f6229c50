"""Files that records name are held to their hash and count."""

from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from ledger.model.catalogue import Entry
from ledger.model.records.workload import Workload
from ledger.store.files.attached_files import attached_path, check_attached, file_sha256
from tests.conftest import DEFAULTS

if TYPE_CHECKING:
    from tests.conftest import LedgerFolder

PROMPTS = b'{"prompt": "a"}\n\n{"prompt": "b"}\n'


def messages(folder: "LedgerFolder") -> list[str]:
    """What is said of the attached files of a ledger."""
    ledger = folder.open()
    return [problem.message for problem in check_attached(ledger.root, ledger.settings, ledger.catalogue)]


def test_a_whole_file_with_its_count_passes(ledger_folder: "LedgerFolder") -> None:
    ledger_folder.write("records/workloads/prompts.jsonl", PROMPTS)
    ledger_folder.add("workload", "prompts", sha256=sha256(PROMPTS).hexdigest(), count=2)
    assert messages(ledger_folder) == []


def test_a_missing_a_changed_and_a_miscounted_file_are_found(ledger_folder: "LedgerFolder") -> None:
    ledger_folder.add("workload", "prompts", sha256=sha256(PROMPTS).hexdigest(), count=3)
    assert messages(ledger_folder) == ["prompts: sha256: records/workloads/prompts.jsonl is not there."]
    path = ledger_folder.write("records/workloads/prompts.jsonl", PROMPTS)
    assert messages(ledger_folder) == ["prompts: count: records/workloads/prompts.jsonl holds 2 lines, the record says 3."]
    changed = b"{}\n" * 3
    path.write_bytes(changed)
    assert messages(ledger_folder) == [f"prompts: sha256: records/workloads/prompts.jsonl has the hash {sha256(changed).hexdigest()}."]


def test_evidence_of_a_run_is_looked_for_below_the_evidence_folder(ledger_folder: "LedgerFolder") -> None:
    ledger_folder.add_plan()
    content = b"traces"
    item = {"path": "r/traces.parquet", "sha256": sha256(content).hexdigest(), "bytes": 6, "media_type": "application/x"}
    ledger_folder.add("run", "r", evidence=[item])
    assert messages(ledger_folder) == ["r: evidence.0.sha256: records/evidence/r/traces.parquet is not there."]
    ledger_folder.write("records/evidence/r/traces.parquet", content)
    assert messages(ledger_folder) == []


def test_a_name_never_leads_out_of_the_records_folder() -> None:
    record = Workload.model_validate({"id": "prompts", **DEFAULTS["workload"]})
    entry = Entry(record, "records/workloads/prompts.toml")
    assert attached_path(entry, "../../secret.jsonl") == PurePosixPath("records/workloads/secret.jsonl")


def test_a_hash_is_of_all_bytes_of_a_large_file(tmp_path: Path) -> None:
    path = tmp_path / "large"
    path.write_bytes(b"x" * (2**20 + 1))
    assert file_sha256(path) == sha256(b"x" * (2**20 + 1)).hexdigest()
