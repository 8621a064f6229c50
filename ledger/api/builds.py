"""Articles built into files: Markdown, HTML and PDF."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ledger.analysis.claims.resolve import Bindings
from ledger.api.articles import Articles
from ledger.api.checks import Checks
from ledger.api.ledger_files import LedgerFiles
from ledger.api.parallel_builds import parallel_builds
from ledger.errors import FindingsError, Problem, has_errors
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


class Builds:
    """Builds articles whose draft and cited records have no error."""

    def __init__(self, files: LedgerFiles, articles: Articles, checks: Checks) -> None:
        self.files = files
        self.articles = articles
        self.checks = checks

    def build(self, article_id: str, out: Path, *, formats: Iterable[str] = FORMATS, bindings: Bindings | None = None) -> Built:
        """Build one article into the folder `out`, in some of `FORMATS`.

        Raises:
            FindingsError: the draft, or a record it cites, has an error; nothing was written.
        """
        [built] = self.build_all([article_id], out, formats=formats, bindings=bindings)
        return built

    def build_all(
        self, article_ids: Sequence[str], out: Path, *, formats: Iterable[str] = FORMATS, bindings: Bindings | None = None
    ) -> list[Built]:
        """Build several articles in parallel and return them in order; raises as `build` does, once all have ended."""
        record_problems = self.checks.record_problems  # read and checked once, before the processes part

        def build(article_id: str) -> Built:
            document, warnings = self._document(article_id, bindings, record_problems)
            return Built(self._write(article_id, document, out, formats=formats), tuple(warnings))

        return parallel_builds(build, article_ids)

    def _document(self, article_id: str, bindings: Bindings | None, record_problems: Iterable[Problem]) -> "tuple[Document, list[Problem]]":
        """Return an article's document and its warnings.

        Raises:
            FindingsError: the draft, or a record it cites, has an error.
        """
        from ledger.render.article.document import document_of  # heavy: only builds need it

        entry, article = self.articles.article(article_id)
        composition = self.articles.compose(article_id, bindings)
        problems = self.articles.findings(article_id, composition)
        if not has_errors(problems):
            document = document_of(composition, article, path=entry.path)
            paths = {self.files.catalogue.by_id[record_id].path for record_id in document.cited}
            problems += self.files.record_files.with_places(problem for problem in record_problems if problem.path in paths)
        if has_errors(problems):
            raise FindingsError(f"{article_id} was not built", problems)
        return document, problems

    def _write(self, article_id: str, document: "Document", out: Path, *, formats: Iterable[str]) -> tuple[Path, ...]:
        """Write a document in each format, and with its Markdown the figures; return the documents' paths."""
        from ledger.render.article.document import figure_file  # heavy: only builds need it

        _entry, article = self.articles.article(article_id)
        documents = {f"{article_id}.{suffix}": content for suffix, content in _rendered(article, document, formats)}
        figures = {f"figures/{figure_file(article, name)}": figure.svg.encode() for name, figure in document.figures.items()}
        for name, content in (documents | (figures if f"{article_id}.md" in documents else {})).items():
            write_atomically(out / name, content)
        return tuple(out / name for name in documents)


def _rendered(article: Article, document: "Document", formats: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """Yield suffix and bytes of each format asked for; HTML comes from the Markdown, the PDF from the HTML."""
    from ledger.render.page.html import render_html  # heavy: only builds need it
    from ledger.render.page.pdf import render_pdf  # heavy: only builds need it

    wanted = set(formats)
    if "md" in wanted:
        yield "md", document.markdown.encode()
    if wanted & {"html", "pdf"}:
        html = render_html(document, article)
        if "html" in wanted:
            yield "html", html.encode()
        if "pdf" in wanted:
            yield "pdf", render_pdf(html, article, document)
