"""A plan packed into one file, with everything that a machine without this ledger needs to run it."""

from dataclasses import dataclass
from pathlib import Path

from ledger import __version__
from ledger.api.ledger_files import LedgerFiles
from ledger.api.runs.runs import Runs
from ledger.bench.engine.redaction import strictest
from ledger.bench.pack.pack import pack_bytes
from ledger.bench.pack.packed_plan import PackedFile, PackedPlan
from ledger.model.records.suite import Suite
from ledger.model.records.workload import Workload
from ledger.model.values.meaning import meaning_hash
from ledger.store.files.attached_files import attached_path


@dataclass(frozen=True, slots=True)
class Packed:
    """A pack, and what its maker should know about it."""

    content: bytes
    prompts: int
    items: int
    permission: str
    """Who may use the prompts, which travel in full."""


def pack_plan(files: LedgerFiles, runs: Runs, protocol_id: str, *, planned: bool) -> Packed:
    """Return the pack of a protocol.

    Raises:
        UsageError: there is no such protocol.
        DataRefusedError: a file that it needs is missing, changed or faulty.
    """
    protocol = runs.plans.protocol(protocol_id)
    inputs = runs.plans.inputs(protocol)
    packed = [PackedFile(id=record_id, sha256=digest) for record_id, digest in runs.plans.input_hashes(protocol).items()]
    head = files.head()
    plan = PackedPlan(
        version=__version__,
        protocol=protocol,
        protocol_meaning=meaning_hash(protocol),
        protocol_commit=head.commit if head else None,
        planned=planned,
        telemetry=strictest(protocol.telemetry, runs.telemetry()),
        workload=packed[0],
        suites=tuple(packed[1:]),
    )
    content = pack_bytes(plan, {file.id: _attached(files, file.id) for file in packed})
    workload = files.catalogue.get(protocol.workload, Workload)
    return Packed(content, len(inputs.prompts), len(inputs.items), workload.permission if workload else "")


def _attached(files: LedgerFiles, record_id: str) -> bytes:
    """Return the bytes of the file that a workload or suite names."""
    entry = files.entry(record_id)
    record = entry.record
    name = record.prompts if isinstance(record, Workload) else record.items if isinstance(record, Suite) else ""
    return Path(files.root, attached_path(entry, name)).read_bytes()
