"""Plans of a ledger: what a run needs before it starts, with every file held to its hash."""

from dataclasses import dataclass, replace
from pathlib import Path

from ledger.api.ledger_files import LedgerFiles
from ledger.bench.models.demo_model import NAME as DEMO_MODEL
from ledger.bench.models.demo_model import cache_folder, small_model_path
from ledger.bench.plan.estimate import Pace, pace_of_run
from ledger.bench.plan.plan import Outline, outline
from ledger.bench.plan.plan_warnings import plan_warnings
from ledger.bench.plan.suite_items import SuiteItem, read_suite_items
from ledger.bench.plan.workload import Prompt, read_prompts, text_lines
from ledger.errors import DataRefusedError, EnvironmentFaultError, Problem
from ledger.model.catalogue import Entry
from ledger.model.records.protocol import Protocol
from ledger.model.records.run import Run
from ledger.model.records.suite import Suite
from ledger.model.records.workload import Workload
from ledger.store.files.attached_files import attached_path, file_sha256


@dataclass(frozen=True, slots=True)
class Inputs:
    """What a protocol runs on."""

    prompts: tuple[Prompt, ...]
    items: tuple[SuiteItem, ...]


class Plans:
    """The protocols of one ledger, and what they run on."""

    def __init__(self, files: LedgerFiles) -> None:
        self.files = files

    def protocol(self, protocol_id: str) -> Protocol:
        """Return a protocol of the ledger.

        Raises:
            UsageError: there is none of that id.
        """
        return self.files.record(Protocol, protocol_id)

    def outline(self, protocol_id: str) -> Outline:
        """Return what a protocol will run, how long it may take, and what its sample cannot show."""
        protocol = self.protocol(protocol_id)
        inputs = self.inputs(protocol)
        pace = self.known_pace(protocol)
        return outline(protocol, prompt_count=len(inputs.prompts), suite_item_count=len(inputs.items), pace=pace)

    def known_pace(self, protocol: Protocol) -> Pace | None:
        """Return how fast the last whole run of a plan was, or of another plan for the same model and engine; None without any."""
        runs = sorted(self.files.catalogue.of(Run), key=lambda run: (run.protocol == protocol.id, run.started_at), reverse=True)
        for run in runs:
            planned = self.files.catalogue.get(run.protocol, Protocol)
            if planned is None or (planned.model.name, planned.engine) != (protocol.model.name, protocol.engine):
                continue
            inputs = self.inputs(planned)
            counts = {"suite_item_count": len(inputs.items), "prompt_count": len(inputs.prompts)}
            if pace := pace_of_run(planned, run, **counts):
                return pace
        return None

    def warnings(self, protocol_id: str) -> tuple[str, ...]:
        """Return what weakens what a protocol's run can show, one sentence or two each."""
        protocol = self.protocol(protocol_id)
        return plan_warnings(protocol, self.inputs(protocol).prompts)

    def check(self, protocol_id: str, model: Path | None = None) -> list[Problem]:
        """Return what would keep a protocol from running, as far as it can be told here, placed; warnings among it.

        Args:
            protocol_id: The plan.
            model: The folder of its model; by default the one in the cache, as far as it is there.
        """
        from ledger.bench.vllm.desk import desk_problems  # loads the engine's library where it is installed

        protocol = self.protocol(protocol_id)
        inputs, entry = self.inputs(protocol), self.files.catalogue.by_id[protocol_id]
        folder = model or cache_folder() / "models" / protocol.model.name
        model_path = folder if (folder / "config.json").is_file() else None
        found = desk_problems(protocol, inputs.prompts, inputs.items, model_path=model_path)
        placed = [replace(problem, path=entry.path, field=entry.field + problem.field, record=protocol_id) for problem in found]
        return self.files.record_files.with_places(placed)

    def inputs(self, protocol: Protocol) -> Inputs:
        """Return the prompts and suite items of a protocol.

        Raises:
            DataRefusedError: a file is missing, differs from its record's hash, or holds lines that cannot be read.
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
            raise DataRefusedError(f"{protocol.id} cannot run", problems)
        return Inputs(tuple(prompts), tuple(items))

    def _named(self, record_id: str, kind: type[Workload] | type[Suite]) -> Entry:
        entry = self.files.catalogue.by_id.get(record_id)
        if entry is None or not isinstance(entry.record, kind):
            raise DataRefusedError(f"{record_id}: no such {kind.KIND} in this ledger. Add it, or mend the protocol.")
        return entry

    def _lines(self, entry: Entry, field: str) -> list[str]:
        path = self.files.root / attached_path(entry, getattr(entry.record, field))
        shown = path.relative_to(self.files.root)
        if not path.is_file():
            raise DataRefusedError(f"{shown}: not there. {entry.record.id} names it.")
        if file_sha256(path) != getattr(entry.record, "sha256", None):
            raise DataRefusedError(f"{shown}: differs from the hash in {entry.record.id}. Restore it, or add a new record.")
        return text_lines(path.read_bytes(), name=str(shown))

    def input_hashes(self, protocol: Protocol) -> dict[str, str]:
        """Return the sha256 of the files of a protocol's workload and suites, by record id."""
        records = (self._named(protocol.workload, Workload).record, *(self._named(suite, Suite).record for suite in protocol.suites))
        return {record.id: record.sha256 for record in records if isinstance(record, Workload | Suite)}

    def not_landed(self, protocol_id: str) -> list[str]:
        """Return what of a protocol, its workload and suites has not landed on the main branch as it stands.

        Raises:
            DataRefusedError: one of them is not in this ledger.
        """
        protocol = self.protocol(protocol_id)
        ids = (protocol.id, protocol.workload, *protocol.suites)
        by_id = self.files.catalogue.by_id
        if missing := [record_id for record_id in ids if record_id not in by_id]:
            raise DataRefusedError(f"{missing[0]}: not in this ledger, and {protocol_id} names it. Add it, or mend the protocol.")
        return [record_id for record_id in ids if not self.files.is_landed(by_id[record_id].record)]

    def model_folder(self, name: str, given: Path | None = None) -> Path:
        """Return the folder of a model: the one given, the small demonstration model, which is prepared, or one in the cache.

        Raises:
            EnvironmentFaultError: it is not there.
        """
        folder = given or cache_folder() / "models" / name
        if given is None and name == DEMO_MODEL:
            return small_model_path()
        if not (folder / "config.json").is_file():
            raise EnvironmentFaultError(f"{folder}: no model here. Give its folder with --model.")
        return folder
