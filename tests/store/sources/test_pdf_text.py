"""The text of PDFs, written here by hand."""

from io import BytesIO

from pypdf import PdfWriter
from weasyprint import HTML

from ledger.store.sources.page_text import text_of
from ledger.store.sources.pdf_text import pdf_text


def test_both_pages_are_read() -> None:
    pdf = HTML(string="<p>It gave 2.8x.</p><p style='break-before: page'>Then 3.1x.</p>").write_pdf()
    text = text_of(pdf, "application/octet-stream")
    assert text is not None
    assert "It gave 2.8x." in text
    assert "Then 3.1x." in text


def test_what_cannot_be_read_has_none() -> None:
    pdf = HTML(string="<p>It gave 2.8x.</p>").write_pdf()
    locked = PdfWriter(clone_from=BytesIO(pdf))
    locked.encrypt("secret", algorithm="RC4-128")
    kept = BytesIO()
    locked.write(kept)
    assert [pdf_text(content) for content in (b"%PDF-1.7 binary", pdf[:200], kept.getvalue(), b"")] == [None] * 4
