"""Checks of records, drafts and the history."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path

from ledger.analysis.rules import check_rules
from ledger.analysis.upkeep.waivers import apply_waivers
from ledger.analysis.validity.landed_guard import check_history
from ledger.api.articles import Articles
from ledger.api.ledger_files import LedgerFiles
from ledger.errors import Problem, ordered
from ledger.model.records.article import Article
from ledger.model.records.source import Source
from ledger.store.files.attached_files import check_attached


class Checks:
    """What holds records and drafts to their rules, and the history to its word."""

    def __init__(self, files: LedgerFiles, articles: Articles) -> None:
        self.files = files
        self.articles = articles

    def check(self, within: Iterable[Path] = ()) -> list[Problem]:
        """Return every finding of every rule, placed and in order; with `within` only those in these files or folders."""
        chosen = self.files.record_files.relative_paths(within)
        problems = list(self.record_problems)
        for article in self.files.catalogue.of(Article):
            problems += self.articles.lint(article.id)
        stale = self.articles.stale(as_of=self.files.now().date())
        problems += [citation.problem() for citation in stale if not citation.is_told and not citation.is_linted]
        return [problem for problem in self.files.record_files.with_places(problems) if _lies_in(problem.path, chosen)]

    @cached_property
    def record_problems(self) -> tuple[Problem, ...]:
        """Every finding about records and the files they name; drafts are linted apart."""
        files = self.files
        attached = [*check_attached(files.root, files.settings, files.catalogue), *self._capture_problems()]
        problems = [*check_rules(files.catalogue, files.now().date()), *attached]
        return (*files.record_files.all.problems, *apply_waivers(problems, files.catalogue, files.now().date()))

    def _capture_problems(self) -> Iterator[Problem]:
        """Findings about archived captures; only a ledger that has any loads what reads them."""
        if any(capture.archived for source in self.files.catalogue.of(Source) for capture in source.captures):
            from ledger.store.sources.captures import check_captures  # tomlkit and urllib are not needed by most checks

            yield from check_captures(self.files.record_files, self.files.catalogue)

    def check_history(self) -> list[Problem]:
        """Return a finding for every landed record that changed in place or vanished, in history or in the work tree.

        A commit that a run or an edition names and the repository no longer holds is a warning: the record stays.
        """
        from ledger.store.git.repository import is_unborn  # git is only needed by recorded time

        if is_unborn(self.files.root):
            return []
        changed = check_history(*self.files.versions.with_worktree(self.files.catalogue))
        return ordered([*changed, *self.files.record_files.with_places(self._lost_commits())])

    def _lost_commits(self) -> Iterator[Problem]:
        for entry in self.files.catalogue:
            named = {"protocol_commit": getattr(entry.record, "protocol_commit", None), "commit": getattr(entry.record, "commit", None)}
            for field, commit in named.items():
                if commit and not self.files.history.has_commit(commit):
                    message = f"commit {commit[:12]} is not in this repository, so what it named cannot be verified."
                    yield entry.problem("LEDG093", (field,), message, remedy="Fetch the branch that held it.", severity="warning")


def _lies_in(path: str, chosen: tuple[str, ...]) -> bool:
    return not chosen or any(name in (".", path) or path.startswith(f"{name}/") for name in chosen)
