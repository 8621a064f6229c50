"""Runs of protocols: executed, resumed, verified, and told as claims."""

from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ledger.api.opened import Opened
from ledger.errors import DataRefused, EnvironmentFault, Problem

if TYPE_CHECKING:
    from ledger.api.runs.runs import Runs
    from ledger.bench.run.progress import Report
    from ledger.model.records.run import Run


class Benchmarks(Opened):
    """What a ledger measures."""

    @cached_property
    def runs(self) -> "Runs":
        """The runs of this ledger: their plans, folders and traces."""
        from ledger.api.runs.runs import Runs  # the runner is not needed by queries

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

    def resume_run(self, run_id: str, *, model: Path | None, executor: str, today: date, progress: "Report") -> "Run":
        """Finish an interrupted run and return it; where its partial record has landed, as a new run that supersedes it.

        Raises:
            UsageError: no such run was interrupted here.
        """
        from ledger.api.runs.runs import interrupted_protocol  # as above

        self.runs.require_journal(run_id)
        folder = self.model_folder(interrupted_protocol(self.runs.folder(run_id)).model.name, model)
        goes_on_as = self.runs.resumable(run_id, self.has_landed, today)
        return self.runs.resume(goes_on_as, model_path=folder, relation=executor, progress=progress)

    def record_run(self, run_id: str, *, executor: str) -> "Run":
        """Write the record of an interrupted run, as far as its journal goes, and return it.

        Raises:
            UsageError: no such run was interrupted here.
            DataRefused: it is at work, or its record has landed.
        """
        self.runs.require_journal(run_id)
        if self.has_landed(run_id):
            raise DataRefused(f"{run_id}: its record has landed and stays as it is. Finish the run with `ledger bench resume {run_id}`.")
        return self.runs.record_journal(run_id, executor)

    def has_landed(self, record_id: str) -> bool:
        """Whether a record of that id has landed, whatever it meant; False where no history tells."""
        return any(landed == record_id for landed, _meaning in self.recorded() or {})

    def interrupted(self) -> list[str]:
        """Return the ids of runs with a journal here and no record; finding them needs no runner."""
        folders = (path.parent.name for path in (self.root / self.settings.paths.evidence).glob("*/journal.jsonl"))
        return sorted(name for name in folders if name not in self.catalogue.by_id and not name.startswith("."))

    def model_folder(self, name: str, given: Path | None) -> Path:
        """Return the folder of a model: the one given, the small demonstration model, or one in the cache.

        Raises:
            EnvironmentFault: it is not there.
        """
        from ledger.bench.vllm.demo_model import NAME, cache_folder, small_model_path  # as above

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
        from ledger.analysis.verdicts.draft_claims import draft_claims  # as above
        from ledger.store.append.write_records import write_all

        run = self.runs.run(run_id)
        drafts = draft_claims(run, self.runs.protocol(run.protocol), today, author=self.settings.organisation)
        fields = [("claim", claim.model_dump(by_alias=True, exclude_defaults=True)) for claim in drafts]
        return write_all(self.root, self.settings, fields, today=today).paths
