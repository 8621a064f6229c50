"""Checks of records and of the history."""

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from ledger.analysis.guard import check_history
from ledger.analysis.rules import check_rules
from ledger.analysis.waivers import apply_waivers
from ledger.api.opened import Opened
from ledger.errors import Problem, ordered
from ledger.model.source import Source
from ledger.store.attached_files import check_attached

if TYPE_CHECKING:
    pass


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
            from ledger.store.captures import check_captures  # tomlkit and urllib are not needed by most checks

            yield from check_captures(self.files, self.catalogue)

    def check_history(self) -> list[Problem]:
        """Return a finding for every landed record that changed in place or vanished, in history or in the work tree."""
        from ledger.store.repository import is_unborn  # git is only needed by recorded time

        if is_unborn(self.root):
            return []
        return ordered(check_history(*self.versions.guarded(self.catalogue)))
