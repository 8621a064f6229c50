"""What a pack holds, and what is refused when it is not as it was packed."""

import zipfile
from pathlib import Path

import pytest

from ledger.bench.pack.packed_plan import read_pack
from ledger.errors import DataRefusedError
from tests.bench.plan_ledger import PLAN, PlanLedger


@pytest.fixture
def ledger(tmp_path: Path) -> PlanLedger:
    """A ledger whose plan has landed."""
    return PlanLedger(tmp_path / "works")


def changed(path: Path, name: str, old: bytes, new: bytes) -> None:
    """Replace text in one entry of a pack."""
    with zipfile.ZipFile(path) as archive:
        entries = {entry: archive.read(entry) for entry in archive.namelist()}
    assert old in entries[name]
    with zipfile.ZipFile(path, "w") as archive:
        for entry, content in entries.items():
            archive.writestr(entry, content.replace(old, new) if entry == name else content)


def test_a_pack_reads_back(ledger: PlanLedger) -> None:
    pack = read_pack(ledger.pack())
    inputs = ledger.open().plans.inputs(ledger.open().plans.protocol(PLAN))
    assert (pack.prompts, pack.items) == (inputs.prompts, inputs.items)
    assert (pack.plan.planned, pack.plan.protocol_commit) == (True, ledger.git("rev-parse", "HEAD").strip())


def test_the_stricter_telemetry_is_packed(ledger: PlanLedger) -> None:
    ledger.write("ledger.toml", 'organisation = "Test Works"\n[telemetry]\nprompts = "none"\noutputs = "none"\n')
    assert read_pack(ledger.pack()).plan.telemetry.outputs == "none"
    assert read_pack(ledger.pack()).plan.telemetry.prompts == "none"


@pytest.mark.parametrize(
    ("name", "old", "new", "says"),
    [
        ("prompts.jsonl", b"word", b"ward", "prompts.jsonl was changed"),
        ("suites/suite.jsonl", b"www", b"WWW", "suites/suite.jsonl was changed"),
        ("plan.json", b"Does it help?", b"Does it hurt?", "plan.json was changed"),
        ("plan.json", b'"repeats"', b'"repaets"', "no whole pack"),
    ],
)
def test_a_changed_pack_is_refused(ledger: PlanLedger, name: str, old: bytes, new: bytes, says: str) -> None:
    path = ledger.pack()
    changed(path, name, old, new)
    with pytest.raises(DataRefusedError, match=says):
        read_pack(path)
