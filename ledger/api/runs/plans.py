"""Plans of a ledger: what a run needs before it starts, with every file held to its hash."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from ledger.bench.plan.plan import Outline, outline
from ledger.bench.plan.suite_items import SuiteItem, read_suite_items
from ledger.bench.plan.workload import Prompt, read_prompts
from ledger.bench.run.run_request import BackendFactory
from ledger.bench.vllm.backend import VllmBackend
from ledger.errors import DataRefused, UsageError
from ledger.model.catalogue import Catalogue, Entry
from ledger.model.records.protocol import Protocol
from ledger.model.records.run import Run
from ledger.model.records.suite import Suite
from ledger.model.records.workload import Workload
from ledger.store.files.attached_files import attached_path, file_sha256
from ledger.store.files.settings import Settings

Landed = Callable[[Entry], bool]
"""Whether a record's present meaning has landed on the main branch."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """What a protocol runs on."""

    prompts: tuple[Prompt, ...]
    items: tuple[SuiteItem, ...]


class Plans:
    """The protocols and runs of one ledger, and what they run on."""

    def __init__(self, root: Path, settings: Settings, catalogue: Catalogue, backend_factory: BackendFactory = VllmBackend) -> None:
        self.root = root
        self.settings = settings
        self.catalogue = catalogue
        self.backend_factory = backend_factory

    def protocol(self, protocol_id: str) -> Protocol:
        """Return a protocol of the ledger."""
        if protocol := self.catalogue.get(protocol_id, Protocol):
            return protocol
        known = ", ".join(one.id for one in self.catalogue.of(Protocol))
        raise UsageError(f"{protocol_id}: no such protocol. There is {known or 'none yet'}.")

    def run(self, run_id: str) -> Run:
        """Return a run of the ledger."""
        if run := self.catalogue.get(run_id, Run):
            return run
        known = ", ".join(one.id for one in self.catalogue.of(Run))
        raise UsageError(f"{run_id}: no such run. There is {known or 'none yet'}.")

    def folder(self, run_id: str) -> Path:
        """Return where a run's evidence lies."""
        return self.root / self.settings.paths.evidence / run_id

    def outline(self, protocol_id: str) -> Outline:
        """Return what a protocol will run, how long it may take, and what its sample cannot show."""
        protocol = self.protocol(protocol_id)
        inputs = self.inputs(protocol)
        return outline(protocol, prompt_count=len(inputs.prompts), suite_item_count=len(inputs.items))

    def inputs(self, protocol: Protocol) -> Inputs:
        """Return the prompts and suite items of a protocol.

        Raises:
            DataRefused: a file is missing, differs from its record's hash, or holds lines that cannot be read.
        """
        workload = self._named(protocol.workload, Workload)
        prompts, problems = read_prompts(self._lines(workload, "prompts"), path=workload.path)
        items: list[SuiteItem] = []
        for suite in protocol.suites:
            entry = self._named(suite, Suite)
            read, faults = read_suite_items(self._lines(entry, "items"), suite=suite, path=entry.path)
            items += read
            problems += faults
        if problems:
            raise DataRefused(f"{protocol.id} cannot run", problems)
        return Inputs(tuple(prompts), tuple(items))

    def _named(self, record_id: str, kind: type[Workload] | type[Suite]) -> Entry:
        entry = self.catalogue.by_id.get(record_id)
        if entry is None or not isinstance(entry.record, kind):
            raise DataRefused(f"{record_id}: no such {kind.KIND} in this ledger. Add it, or mend the protocol.")
        return entry

    def _lines(self, entry: Entry, field: str) -> list[str]:
        path = self.root / attached_path(entry, getattr(entry.record, field))
        if not path.is_file():
            raise DataRefused(f"{path.relative_to(self.root)}: not there. {entry.record.id} names it.")
        if file_sha256(path) != getattr(entry.record, "sha256", None):
            raise DataRefused(
                f"{path.relative_to(self.root)}: differs from the hash in {entry.record.id}. Restore it, or add a new record."
            )
        return path.read_text("utf-8").splitlines()

    def input_hashes(self, protocol: Protocol) -> dict[str, str]:
        """Return the sha256 of the files of a protocol's workload and suites, by record id."""
        records = (self._named(protocol.workload, Workload).record, *(self._named(suite, Suite).record for suite in protocol.suites))
        return {record.id: record.sha256 for record in records if isinstance(record, Workload | Suite)}

    def not_landed(self, protocol: Protocol, landed: Landed) -> list[str]:
        """Return what of a plan has not landed unchanged: the protocol, its workload, its suites."""
        ids = (protocol.id, protocol.workload, *protocol.suites)
        return [record_id for record_id in ids if not landed(self.catalogue.by_id[record_id])]

    def new_id(self, protocol_id: str, today: date) -> str:
        """Return a run id that is not taken: the day, the protocol, and a number from the second run of a day on."""
        base = f"{today}-{protocol_id}"
        names = (base if number == 1 else f"{base}-{number}" for number in range(1, 1000))
        return next(name for name in names if name not in self.catalogue.by_id and not self.folder(name).exists())
