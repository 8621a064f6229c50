"""The folder of a run from another machine: found, read whole, and compared with this ledger's plan. Nothing is written."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from zoneinfo import ZoneInfo

from ledger.api.runs.runs import Runs
from ledger.bench.journal.journal import NAME, Line, is_at_work, read_journal
from ledger.bench.journal.result import RunResult, read_result
from ledger.bench.journal.status import refuse_misfit
from ledger.bench.run.runner import refuse_other_prompts
from ledger.errors import DataRefusedError, UsageError
from ledger.model.records.protocol import Protocol, Telemetry
from ledger.model.values.meaning import meaning_hash

FAULTS = (AttributeError, KeyError, IndexError, TypeError, ValueError)
"""What reading a journal ends in when somebody else's hand has been in it; pydantic's and Arrow's errors are among them."""


@dataclass(frozen=True, slots=True)
class RemoteRun:
    """A run from another machine that agrees with this ledger's plan."""

    folder: Path
    journal: bytes
    result: RunResult

    @property
    def protocol(self) -> Protocol:
        """The plan that it ran."""
        return self.result.protocol

    def started_on(self, zone: ZoneInfo) -> date:
        """Return the day on which it started, in a ledger's time zone."""
        return self.result.started_at.astimezone(zone).date()


def read_remote_run(folder: Path, runs: Runs) -> RemoteRun:
    """Return the run in a folder.

    Raises:
        UsageError: there is no run in it, or more than one.
        DataRefusedError: it is at work, its journal is torn or was edited, or speaks of another plan, other prompts or other suites.
    """
    folder = folder_of_run(folder)
    if folder.resolve().is_relative_to(runs.folder("").resolve()):
        raise UsageError(f"{folder}: is this ledger's own. Finish an interrupted run with `ledger bench resume {folder.name}`.")
    path = folder / NAME
    if is_at_work(path):
        raise DataRefusedError(f"{path}: its run is at work. Take it when it has ended.")
    content = whole_content(path)
    header = only_header(path)
    try:
        result = read_result(folder)
        refuse_other_plan(path, header, result, runs=runs)
        refuse_other_inputs(path, header, result.protocol, runs=runs)
        refuse_misfit(path, read_journal(path), result.protocol)
    except FAULTS as error:
        raise edited(path, error) from error
    return RemoteRun(folder, content, result)


def folder_of_run(folder: Path) -> Path:
    """Return the folder that holds the journal: the one given, or the only one in it that does."""
    if (folder / NAME).is_file():
        return folder
    if not folder.is_dir():
        raise UsageError(f"{folder}: no such folder. Name the one that the run was written to.")
    folders = sorted(path.parent for path in folder.glob(f"*/{NAME}"))
    if not folders:
        raise UsageError(f"{folder}: holds no {NAME}, so no run. Name the folder that was given as --out.")
    if len(folders) > 1:
        raise UsageError(f"{folder}: holds {len(folders)} runs, {', '.join(path.name for path in folders)}. Take them one by one.")
    return folders[0]


def whole_content(path: Path) -> bytes:
    """Return the bytes of a journal that ends with a whole line.

    Raises:
        DataRefusedError: its last line is torn.
    """
    content = path.read_bytes()
    last = content.splitlines()[-1] if content else b""
    if not content.endswith(b"\n") or not is_json(last):
        raise DataRefusedError(
            f"{path}: its last line is torn. `resume` on its machine cuts it; where that machine is gone, delete the line."
        )
    return content


def is_json(line: bytes) -> bool:
    """Whether a line holds JSON."""
    try:
        json.loads(line)
    except ValueError:
        return False
    return True


def only_header(path: Path) -> Line:
    """Return the header of a journal that holds one run.

    Raises:
        DataRefusedError: it holds more than one.
    """
    header, *others = read_journal(path)
    if any(line["kind"] == "header" for line in others):
        raise DataRefusedError(f"{path}: holds more than one run. Take the folders as they were written, one by one.")
    return header


def refuse_other_plan(path: Path, header: Line, result: RunResult, *, runs: Runs) -> None:
    """Compare the plan that was run with the ledger's.

    Raises:
        DataRefusedError: the ledger has no such protocol, or means something else by it.
    """
    ran = result.protocol
    if meaning_hash(ran) != header["protocol_meaning"]:
        raise DataRefusedError(f"{path}: its plan was changed after the run began. Take the folder as it was written.")
    ours = runs.files.catalogue.get(ran.id, Protocol)
    if ours is None:
        raise DataRefusedError(f"{path}: ran {ran.id}, which is no protocol of this ledger. Take it to the ledger that packed it.")
    if meaning_hash(ours) != header["protocol_meaning"]:
        raise DataRefusedError(
            f"{path}: ran another plan than this ledger's {ran.id}. Restore the plan, or take it to the ledger that packed it."
        )
    if result.started_at.tzinfo is None:
        raise DataRefusedError(f"{path}: its instants name no time zone. Take the folder as it was written.")


def refuse_other_inputs(path: Path, header: Line, protocol: Protocol, *, runs: Runs) -> None:
    """Compare prompts and suites with the ledger's, as far as the journal names them.

    Raises:
        DataRefusedError: they differ.
    """
    for record_id in differing(header.get("inputs") or {}, runs.plans.input_hashes(protocol)):
        raise DataRefusedError(
            f"{path}: ran another {record_id} than this ledger's. Take it to the ledger that packed it, or restore the file."
        )
    prompts = runs.plans.inputs(protocol).prompts
    try:
        refuse_other_prompts(header, prompts, Telemetry.model_validate(header["telemetry"]))
    except DataRefusedError:
        raise DataRefusedError(f"{path}: its prompts are not those of {protocol.workload}. Take the folder as it was written.") from None


def differing(theirs: Mapping[str, str], ours: Mapping[str, str]) -> Iterator[str]:
    """Yield every record whose file has another hash there; a journal of an earlier release names none."""
    if theirs:
        yield from (record_id for record_id in sorted({*theirs, *ours}) if theirs.get(record_id) != ours.get(record_id))


def edited(path: Path, error: Exception) -> DataRefusedError:
    """Return the refusal of a journal whose lines do not hold what the runner writes."""
    cause = str(error).splitlines()[0] if str(error) else "nothing"
    return DataRefusedError(
        f"{path}: holds lines that the runner does not write ({type(error).__name__}: {cause}). Take the folder as it was written."
    )
