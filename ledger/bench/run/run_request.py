"""What a run is asked to do; the ledger and the pack make one each, the runner carries it out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ledger.bench.engine.clock import Clock, SystemClock
from ledger.bench.engine.interface import Backend
from ledger.bench.plan.suite_items import SuiteItem
from ledger.bench.plan.workload import Prompt
from ledger.bench.run.machine_lock import MACHINE_LOCK
from ledger.bench.run.progress import Report, silent
from ledger.bench.vllm.backend import VllmBackend
from ledger.model.records.protocol import Protocol, Telemetry
from ledger.model.records.run import Executor

BackendFactory = Callable[[Protocol, Path], Backend]
"""Makes the backend of a protocol and a model folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRequest:
    """One run: its plan, what it runs on, where it goes and with what."""

    protocol: Protocol
    prompts: Sequence[Prompt]
    """Those of the protocol's workload, in order."""
    suite_items: Sequence[SuiteItem] = ()
    """Those of all its suites."""
    model_path: Path
    """The folder of the model under test."""
    out_dir: Path
    """Where journal, traces and engine log go. A new run's holds none; a resumed run's holds its journal."""
    telemetry: Telemetry | None = None
    """The ledger's policy; the stricter of it and the protocol's holds."""
    protocol_commit: str | None = None
    """The commit that holds the protocol, None outside a repository."""
    command: str | None = None
    """As it would be typed to run the plan so again, for the record."""
    planned: bool = False
    """Whether the plan had landed before the run started."""
    executor: Executor | None = None
    """Who runs it, where that is known; of a pack's run, whoever imports it says so."""
    inputs: Mapping[str, str] = field(default_factory=dict)
    """The sha256 of the files of workload and suites, by record id."""
    parquet: bool = True
    """Whether to write traces and answers as Parquet; on a machine without the ledger the journal alone is written."""
    clock: Clock = field(default_factory=SystemClock)
    """Where instants come from."""
    backend_factory: BackendFactory = VllmBackend
    progress: Report = silent
    """Called after every request."""

    @property
    def lock(self) -> Path | None:
        """The lock that the run holds while it measures; None for a backend that is no engine of this machine."""
        return MACHINE_LOCK if self.backend_factory is VllmBackend else None
