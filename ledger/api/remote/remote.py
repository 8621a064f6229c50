"""Runs on machines without this ledger: packed here, executed there, imported here."""

from pathlib import Path
from typing import TYPE_CHECKING

from ledger.api.ledger_files import LedgerFiles
from ledger.api.runs.plans import Plans
from ledger.api.runs.runs import Runs
from ledger.store.files.atomic_write import writing_lock

if TYPE_CHECKING:
    from ledger.api.remote.pack import Packed
    from ledger.api.remote.remote_run import RemoteRun
    from ledger.model.records.run import Executor, Run


class Remote:
    """What is measured on other machines."""

    def __init__(self, files: LedgerFiles, runs: Runs) -> None:
        self.files = files
        self.runs = runs

    def pack(self, protocol_id: str, *, planned: bool) -> "Packed":
        """Return a protocol with everything that a machine without this ledger needs to run it; see `pack_plan`."""
        from ledger.api.remote.pack import pack_plan  # reading the package's own source is only needed by packs

        return pack_plan(self.files, self.runs, protocol_id, planned=planned)

    def read(self, folder: Path) -> "RemoteRun":
        """Return the run in a folder that came from another machine, once it agrees with this ledger's plan.

        Raises:
            UsageError: there is no run in it, or more than one.
            DataRefusedError: it is torn, edited, one of another plan, or has been imported already.
        """
        from ledger.api.remote.import_run import earlier_part
        from ledger.api.remote.remote_run import read_remote_run

        remote_run = read_remote_run(folder, self.runs)
        earlier_part(remote_run, self.runs)
        return remote_run

    def import_run(self, remote_run: "RemoteRun", executor: "Executor") -> "Run":
        """Return a remote run's record, written with its evidence; a finished run supersedes the part of it imported before.

        Raises:
            EnvironmentFaultError: the evidence cannot be written, or no history tells what had landed.
            DataRefusedError: it has been imported meanwhile, or its journal holds what no run can.
        """
        from ledger.api.remote.import_run import import_run

        with writing_lock(self.files.root / self.files.settings.paths.records):
            files = self.files.reopened()  # others may have written since
            return import_run(remote_run, executor, Runs(files, Plans(files)))
