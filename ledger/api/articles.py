"""Drafts: checked, linted, traced to what they cite, and built."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from ledger.analysis.claims.resolve import Bindings
from ledger.analysis.upkeep.impact import Impact, impact
from ledger.analysis.upkeep.staleness import Citation, Stale, stale
from ledger.api.checks import Checks
from ledger.api.parallel_builds import side_by_side
from ledger.errors import FindingsError, Problem, UsageError, has_errors
from ledger.model.catalogue import Entry
from ledger.model.records.article import Article
from ledger.store.files.atomic_write import write_atomically

if TYPE_CHECKING:
    from ledger.render.article.document import Document

FORMATS = ("md", "html", "pdf")


@dataclass(frozen=True, slots=True)
class Built:
    """The files of one built article, and what a reader of the terminal should know."""

    paths: tuple[Path, ...]
    warnings: tuple[Problem, ...]


class Articles(Checks):
    """What a ledger's drafts say, cite and become."""

    def check(self, within: Iterable[Path] = ()) -> list[Problem]:
        """Return every finding of every rule, placed and in order; with `within` only those in these files or folders."""
        chosen = self.files.within(within)
        problems = list(self.record_problems)
        for article in self.catalogue.of(Article):
            problems += self.lint(article.id)
        problems += [one.problem() for one in self.stale(as_of=self.now().date()) if not one.is_told and not one.is_linted]
        return [problem for problem in self.files.placed(problems) if _lies_in(problem.path, chosen)]

    def lint(self, article_id: str, bindings: Bindings | None = None) -> list[Problem]:
        """Return the findings of one draft, placed."""
        from ledger.render.article.lint import lint  # parsing Markdown is only needed by articles

        entry, article = self._article(article_id)
        found = lint(article, entry.path, self.catalogue, as_of=article.as_of, bindings=bound_names(article, bindings))
        return self.files.placed(found)

    def build(self, article_id: str, out: Path, *, formats: Iterable[str] = FORMATS, bindings: Bindings | None = None) -> Built:
        """Build one article into `out` as Markdown, HTML and PDF.

        Raises:
            FindingsError: the draft, or a record it cites, has an error; nothing was written.
        """
        from ledger.render.article.document import figure_file, render_markdown  # heavy: only builds need it

        entry, article = self._article(article_id)
        problems = self.lint(article_id, bindings)
        if not has_errors(problems):
            document = render_markdown(article, self.catalogue, path=entry.path, bindings=bound_names(article, bindings))
            problems += self.files.placed(self._problems_of(document.cited))
        if has_errors(problems):
            raise FindingsError(f"{article_id} was not built", problems)
        files = {f"{article_id}.{suffix}": content for suffix, content in _rendered(article, document, formats)}
        if f"{article_id}.md" in files:
            files |= {f"figures/{figure_file(article, name)}": figure.svg.encode() for name, figure in document.figures.items()}
        for name, content in files.items():
            write_atomically(out / name, content)
        return Built(tuple(out / name for name in files if not name.startswith("figures/")), tuple(problems))

    def build_all(
        self, article_ids: Sequence[str], out: Path, *, formats: Iterable[str] = FORMATS, bindings: Bindings | None = None
    ) -> list[Built]:
        """Build several articles side by side and return them in order; raises as `build` does, once all have ended."""
        self.record_problems  # noqa: B018  # read and checked once, before the processes part
        return side_by_side(lambda article_id: self.build(article_id, out, formats=formats, bindings=bindings), article_ids)

    def citations(self, article_ids: Iterable[str] | None = None, bindings: Bindings | None = None) -> Iterator[Citation]:
        """Yield every place of drafts that names a record, those of all drafts by default."""
        from ledger.render.citing.draft_references import citations_of  # parsing Markdown is only needed by articles

        names = [article.id for article in self.catalogue.of(Article)] if article_ids is None else article_ids
        for name in names:
            entry, article = self._article(name)
            yield from citations_of(article, entry.path, bound_names(article, bindings))

    def impact(self, record_id: str) -> Impact:
        """Return the records and the sentences of drafts that would go stale if a record changed.

        Raises:
            UsageError: no record, or more than one, has the id.
        """
        return impact(self.catalogue, self.entry(record_id).record.id, self.citations())

    def stale(self, article_ids: Iterable[str] | None = None, *, as_of: date) -> list[Stale]:
        """Return every citation of drafts that no longer stands on a day."""
        return list(stale(self.catalogue, self.citations(article_ids), as_of))

    def _problems_of(self, ids: Iterable[str]) -> list[Problem]:
        """Findings in the files of the records named."""
        paths = {self.catalogue.by_id[record_id].path for record_id in ids if record_id in self.catalogue.by_id}
        return [problem for problem in self.record_problems if problem.path in paths]

    def _article(self, article_id: str) -> tuple[Entry, Article]:
        """The draft of an id; a fault in its own file is told as such."""
        if (entry := self.catalogue.by_id.get(article_id)) and isinstance(entry.record, Article):
            return entry, entry.record
        faults = [problem for problem in self.files.all.problems if Path(problem.path).stem == article_id]
        if faults:
            raise FindingsError(f"{article_id} cannot be read", faults)
        known = ", ".join(article.id for article in self.catalogue.of(Article))
        raise UsageError(f"{article_id}: no such article. There is {known or 'none yet'}.")


def bound_names(article: Article, bindings: Bindings | None) -> dict[str, str]:
    """Return what `@run` stands for in an article: the run bound at build, else the one its front matter names."""
    bound = dict(bindings or {})
    if article.run and article.run.startswith("@"):
        bound["@run"] = bound.get(article.run, article.run)
    elif article.run:
        bound.setdefault("@run", article.run)
    return bound


def _lies_in(path: str, chosen: tuple[str, ...]) -> bool:
    return not chosen or any(name in (".", path) or path.startswith(f"{name}/") for name in chosen)


def _rendered(article: Article, document: "Document", formats: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """Yield suffix and bytes of each format asked for; HTML comes from the Markdown, the PDF from the HTML."""
    from ledger.render.page.html import render_html  # as above
    from ledger.render.page.pdf import render_pdf  # as above

    wanted = set(formats)
    if "md" in wanted:
        yield "md", document.markdown.encode()
    if wanted & {"html", "pdf"}:
        html = render_html(document, article)
        if "html" in wanted:
            yield "html", html.encode()
        if "pdf" in wanted:
            yield "pdf", render_pdf(html, article, document)
