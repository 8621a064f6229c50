"""Runs of protocols: executed, resumed, verified, and told as claims."""

from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ledger.analysis.drafting import drafted_claims
from ledger.api.opened import Opened
from ledger.errors import EnvironmentFault, Problem

if TYPE_CHECKING:
    from ledger.api.runs import Runs
    from ledger.bench.progress import Report
    from ledger.model.run import Run


class Benchmarks(Opened):
    """What a ledger measures."""

    @cached_property
    def runs(self) -> "Runs":
        """The runs of this ledger: their plans, folders and traces."""
        from ledger.api.runs import Runs  # the runner is not needed by queries

        return Runs(self.root, self.settings, self.catalogue)

    def not_landed(self, protocol_id: str) -> list[str]:
        """Return what of a protocol, its workload and suites has not landed on the main branch as it stands."""
        return self.runs.not_landed(self.runs.protocol(protocol_id), lambda entry: self.recorded_on(entry.record)[:1].isdigit())

    def run_protocol(self, protocol_id: str, *, model: Path | None, planned: bool, executor: str, today: date, progress: "Report") -> "Run":
        """Run a protocol and return the run, which is recorded under `records/runs/`."""
        head = self.head()
        return self.runs.execute(
            protocol_id,
            self.runs.new_id(protocol_id, today),
            model_path=self.model_folder(self.runs.protocol(protocol_id).model.name, model),
            commit=head.commit if head else None,
            planned=planned,
            relation=executor,
            progress=progress,
        )

    def resume_run(self, run_id: str, *, model: Path | None, executor: str, progress: "Report") -> "Run":
        """Finish an interrupted run and return it."""
        from ledger.api.runs import interrupted_protocol  # as above

        name = interrupted_protocol(self.runs.folder(run_id)).model.name
        return self.runs.resume(run_id, model_path=self.model_folder(name, model), relation=executor, progress=progress)

    def model_folder(self, name: str, given: Path | None) -> Path:
        """Return the folder of a model: the one given, the small demonstration model, or one in the cache.

        Raises:
            EnvironmentFault: it is not there.
        """
        from ledger.bench.model_files import NAME, cache_folder, small_model_path  # as above

        folder = given or cache_folder() / "models" / name
        if given is None and name == NAME:
            return small_model_path()
        if not (folder / "config.json").is_file():
            raise EnvironmentFault(f"{folder}: no model here. Give its folder with --model.")
        return folder

    def verify_run(self, run_id: str) -> list[Problem]:
        """Return every number of a run that its raw traces do not give."""
        return self.files.placed(self.runs.verify(run_id))

    def draft_claims(self, run_id: str, today: date) -> tuple[Path, ...]:
        """Write measured claims drafted from a run, with references and no numbers; return their files."""
        from ledger.store.authoring import write_all  # as above

        run = self.runs.run(run_id)
        drafts = drafted_claims(run, self.runs.protocol(run.protocol), today, author=self.settings.organisation)
        fields = [("claim", claim.model_dump(by_alias=True, exclude_defaults=True)) for claim in drafts]
        return write_all(self.root, self.settings, fields, today=today).paths
