"""Checks of records and of the history."""

from collections.abc import Iterator
from functools import cached_property

from ledger.analysis.rules import check_rules
from ledger.analysis.upkeep.waivers import apply_waivers
from ledger.analysis.validity.history_guard import check_history
from ledger.api.opened import Opened
from ledger.errors import Problem, ordered
from ledger.model.records.source import Source
from ledger.store.files.attached_files import check_attached


class Checks(Opened):
    """What holds records to their rules and the history to its word."""

    @cached_property
    def record_problems(self) -> tuple[Problem, ...]:
        """Every finding about records and the files they name; drafts are linted apart."""
        attached = [*check_attached(self.root, self.settings, self.catalogue), *self._capture_problems()]
        found = [*check_rules(self.catalogue), *attached]
        return (*self.files.all.problems, *apply_waivers(found, self.catalogue, self.now().date()))

    def _capture_problems(self) -> Iterator[Problem]:
        """Findings about archived captures; only a ledger that has any loads what reads them."""
        if any(capture.archived for source in self.catalogue.of(Source) for capture in source.captures):
            from ledger.store.sources.captures import check_captures  # tomlkit and urllib are not needed by most checks

            yield from check_captures(self.files, self.catalogue)

    def check_history(self) -> list[Problem]:
        """Return a finding for every landed record that changed in place or vanished, in history or in the work tree.

        A commit that a run or an edition names and the repository no longer holds is a warning: the record stays.
        """
        from ledger.store.git.repository import is_unborn  # git is only needed by recorded time

        if is_unborn(self.root):
            return []
        changed = check_history(*self.versions.guarded(self.catalogue))
        return ordered([*changed, *self.files.placed(self._lost_commits())])

    def _lost_commits(self) -> Iterator[Problem]:
        for entry in self.catalogue:
            named = {"protocol_commit": getattr(entry.record, "protocol_commit", None), "commit": getattr(entry.record, "commit", None)}
            for field, commit in named.items():
                if commit and not self.history.has_commit(commit):
                    message = f"commit {commit[:12]} is not in this repository, so what it named cannot be verified."
                    yield entry.problem("LEDG093", (field,), message, "Fetch the branch that held it.", "warning")
