"""Drafts: linted, and traced to what they cite."""

from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from ledger.analysis.claims.resolve import Bindings
from ledger.analysis.upkeep.impact import Impact, impact
from ledger.analysis.upkeep.staleness import Citation, Stale, stale
from ledger.api.ledger_files import LedgerFiles
from ledger.errors import FindingsError, Problem
from ledger.model.catalogue import Entry
from ledger.model.records.article import Article

if TYPE_CHECKING:
    from ledger.render.article.compose import Composition


class Articles:
    """What a ledger's drafts say and cite."""

    def __init__(self, files: LedgerFiles) -> None:
        self.files = files

    def article(self, article_id: str) -> tuple[Entry, Article]:
        """Return the draft of an id.

        Raises:
            FindingsError: its file has a fault.
            UsageError: there is no such article.
        """
        faults = [problem for problem in self.files.record_files.all.problems if Path(problem.path).stem == article_id]
        if faults and self.files.catalogue.get(article_id, Article) is None:
            raise FindingsError(f"{article_id} cannot be read", faults)
        article = self.files.record(Article, article_id)
        return self.files.entry(article_id), article

    def compose(self, article_id: str, bindings: Bindings | None = None) -> "Composition":
        """Return one draft with every reference resolved, as both its findings and its document are made from."""
        from ledger.render.article.compose import compose  # parsing Markdown is only needed by articles

        _entry, article = self.article(article_id)
        return compose(article, self.files.catalogue, bound_names(article, bindings))

    def lint(self, article_id: str, bindings: Bindings | None = None) -> list[Problem]:
        """Return the findings of one draft, placed."""
        return self.findings(article_id, self.compose(article_id, bindings))

    def findings(self, article_id: str, composition: "Composition") -> list[Problem]:
        """Return the findings of one draft that has been composed, placed."""
        from ledger.render.article.lint import lint  # parsing Markdown is only needed by articles

        entry, article = self.article(article_id)
        return self.files.record_files.with_places(lint(composition, article, entry.path))

    def citations(self, article_ids: Iterable[str] | None = None, bindings: Bindings | None = None) -> Iterator[Citation]:
        """Yield every place of drafts that names a record, those of all drafts by default."""
        from ledger.render.citing.draft_references import citations_of  # parsing Markdown is only needed by articles

        names = [article.id for article in self.files.catalogue.of(Article)] if article_ids is None else article_ids
        for name in names:
            entry, article = self.article(name)
            yield from citations_of(article, entry.path, bound_names(article, bindings))

    def impact(self, record_id: str) -> Impact:
        """Return the records and the sentences of drafts that would go stale if a record changed.

        Raises:
            UsageError: no record, or more than one, has the id.
        """
        return impact(self.files.catalogue, self.files.entry(record_id).record.id, self.citations())

    def stale(self, article_ids: Iterable[str] | None = None, *, as_of: date) -> list[Stale]:
        """Return every citation of drafts that no longer stands on a day."""
        return list(stale(self.files.catalogue, self.citations(article_ids), as_of))


def bound_names(article: Article, bindings: Bindings | None) -> dict[str, str]:
    """Return what `@run` stands for in an article: the run bound at build, else the one its front matter names."""
    bound = dict(bindings or {})
    if article.run and article.run.startswith("@"):
        bound["@run"] = bound.get(article.run, article.run)
    elif article.run:
        bound.setdefault("@run", article.run)
    return bound
