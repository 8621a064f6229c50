"""The text of a PDF, page after page. A file that cannot be read, or that needs a password, has none."""

import logging
from io import BytesIO

from pypdf import PdfReader

MOST_PAGES = 2000


def pdf_text(content: bytes) -> str | None:
    """Return the text of a PDF's pages; None where it cannot be read, has none (a scan), or has more than 2000 pages."""
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # what is damaged inside is no news: the text is there or it is not
    try:
        reader = PdfReader(BytesIO(content))
        if len(reader.pages) > MOST_PAGES:
            return None
        return "\n".join(page.extract_text() for page in reader.pages) or None
    except Exception:  # noqa: BLE001  # a damaged file makes the reader raise whatever its bytes lead to
        return None
