"""A page as a PDF: archival (PDF/A-3), accessible (PDF/UA), the same bytes every time, with the evidence attached."""

import gc
import logging
import os
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, time
from io import BytesIO
from typing import Any, NoReturn

from ledger.errors import EnvironmentFaultError, FindingsError, Problem
from ledger.model.records.article import Article
from ledger.render import assets
from ledger.render.article.document import Document
from ledger.render.page.attachments import Attachment, attachments
from ledger.render.page.glyphs import with_glyphs
from ledger.render.page.pdf_metadata import declare_accessible, restore_addresses

_SCREEN_ONLY = re.compile(r'<style id="faces">.*?</style>|<details>.*?</details>', re.DOTALL)
"""Fonts, which a PDF takes from their files, and the figures' data, which travel as an attachment."""
_LIBRARIES = "libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0"


def render_pdf(html: str, article: Article, document: Document) -> bytes:
    """Return the PDF of a page made by `render_html`.

    Raises:
        EnvironmentFaultError: Pango or HarfBuzz is missing.
        FindingsError: the page lacks a glyph, a link's target or an image.
    """
    with _bundled_fonts_only(), _no_garbage_collection(), _collect_warnings() as logged:
        pdf = _write(with_glyphs(_SCREEN_ONLY.sub("", html)), article, document, logged=logged)
    if logged:
        problems = [Problem("LEDG190", f"{article.id}: {text}", "Mend the text or the template.") for text in dict.fromkeys(logged)]
        raise FindingsError(f"{article.id}: the PDF is incomplete", problems)
    return pdf


def _write(html: str, article: Article, document: Document, *, logged: list[str]) -> bytes:
    weasyprint = _weasyprint()
    try:
        rendered = weasyprint.HTML(string=html, url_fetcher=_fetcher()).render(presentational_hints=True)
    except weasyprint.urls.FatalURLFetchingError as error:
        logged.append(str(error))
        return b""
    rendered.metadata.attachments = [_attachment(weasyprint, article, attached) for attached in attachments(document)]
    declare_accessible(rendered)
    addresses = [entry.url for entry in document.sources if entry.url]
    pdf: bytes = rendered.write_pdf(
        finisher=lambda _document, file: restore_addresses(file, addresses),
        pdf_variant="pdf/a-3a",
        pdf_identifier=bytes.fromhex(document.hash)[:16],
    )
    return pdf


def _weasyprint() -> Any:
    try:
        import weasyprint  # loads Pango; only PDFs need it
    except OSError as error:
        raise EnvironmentFaultError(f"PDF needs Pango and HarfBuzz ({error}). On Debian: apt-get install {_LIBRARIES}") from error
    return weasyprint


@contextmanager
def _bundled_fonts_only() -> Iterator[None]:
    """While a PDF is made, Fontconfig finds the bundled fonts and no others."""
    before = os.environ.get("FONTCONFIG_FILE")
    os.environ["FONTCONFIG_FILE"] = str(assets.templates() / "fonts.conf")
    try:
        yield
    finally:
        if before is None:
            del os.environ["FONTCONFIG_FILE"]
        else:
            os.environ["FONTCONFIG_FILE"] = before


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Switch the garbage collector off: it walks WeasyPrint's boxes and frees nothing; a build takes a quarter less time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        with warnings.catch_warnings():
            # WeasyPrint 70 leaves its colour profile open and lets it be closed by its collection.
            warnings.filterwarnings("ignore", category=ResourceWarning)
            yield
    finally:
        if enabled:
            gc.enable()


@contextmanager
def _collect_warnings() -> Iterator[list[str]]:
    """Yield a list that fills with what WeasyPrint only logs, such as a missing glyph."""
    messages: list[str] = []

    class Collector(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            messages.append(record.getMessage())

    logger, handler = logging.getLogger("weasyprint"), Collector(logging.WARNING)
    logger.addHandler(handler)
    try:
        yield messages
    finally:
        logger.removeHandler(handler)


def _fetcher() -> Any:
    from weasyprint.urls import FatalURLFetchingError, URLFetcher  # loads Pango; only PDFs need it

    class Refusing(URLFetcher):  # type: ignore[misc]  # WeasyPrint carries no types
        """Fetches nothing: everything a page needs is inside it."""

        def fetch(self, url: str, headers: object = None) -> NoReturn:  # noqa: ARG002  # the signature is WeasyPrint's
            raise FatalURLFetchingError(f"{url[:120]}: a build opens no file and no connection")

    return Refusing()


def _attachment(weasyprint: Any, article: Article, attached: Attachment) -> Any:
    on = datetime.combine(article.as_of, time(), UTC)
    return weasyprint.Attachment(
        file_obj=BytesIO(attached.text.encode()),
        name=attached.name,
        description=attached.description,
        created=on,
        modified=on,
        relationship=attached.relationship,
    )
