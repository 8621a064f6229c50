"""This project's own documents, beside the floor of the same work: WeasyPrint rendering the finished HTML by itself."""

import sys
import tempfile
from pathlib import Path

from benchmarks.figures import Figure
from benchmarks.timing import LEDGER, ROOT, compared

ARTICLES = ("speculative-decoding", "speculative-decoding-pricing")
BARE = "import sys, weasyprint\nfor page in sys.argv[1:]:\n    weasyprint.HTML(page).write_pdf(page + '.pdf', pdf_tags=True)"


def main() -> list[Figure]:
    """Print and return building both documents as Markdown, HTML and PDF against WeasyPrint on their HTML alone."""
    with tempfile.TemporaryDirectory() as folder:
        build = [*LEDGER, "--ledger", str(ROOT), "article", "build", *ARTICLES, "--out", folder]
        pages = [str(Path(folder) / f"{name}.html") for name in ARTICLES]
        return [compared("build both documents (floor: WeasyPrint)", build, [sys.executable, "-c", BARE, *pages], cwd=Path(folder), runs=3)]
