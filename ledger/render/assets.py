"""Where the templates, the stylesheet and the fonts lie, and their one hash."""

from base64 import b64encode
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent

FACES: tuple[tuple[str, str, int, str], ...] = (
    ("Ledger Serif", "LedgerSerif-Regular", 400, "normal"),
    ("Ledger Serif", "LedgerSerif-Italic", 400, "italic"),
    ("Ledger Serif", "LedgerSerif-SemiBold", 600, "normal"),
    ("Ledger Sans", "LedgerSans-Regular", 400, "normal"),
    ("Ledger Sans", "LedgerSans-Italic", 400, "italic"),
    ("Ledger Sans", "LedgerSans-SemiBold", 600, "normal"),
    ("Ledger Mono", "LedgerMono-Regular", 400, "normal"),
)
"""Family, file stem, weight and style of every bundled face."""


@cache
def templates() -> Path:
    """Return the templates folder: inside an installed package, else at the repository's top."""
    installed = _PACKAGE / "_templates"
    return installed if installed.is_dir() else _PACKAGE.parent / "templates"


def article_templates() -> Path:
    """Return the folder of the articles' templates and of the stylesheet, which comparisons use too."""
    return templates() / "articles"


def fonts() -> Path:
    """Return the folder of the bundled fonts."""
    return templates() / "fonts"


def stylesheet_file() -> Path:
    """Return the file of the stylesheet for screen and print."""
    return article_templates() / "journal.css"


@cache
def stylesheet() -> str:
    """Return the stylesheet for screen and print."""
    return stylesheet_file().read_text(encoding="utf-8")


@cache
def faces_css() -> str:
    """Return `@font-face` rules with the bundled fonts inside."""
    return "\n".join(_face(family, stem, weight, style=style) for family, stem, weight, style in FACES)


def _face(family: str, stem: str, weight: int, *, style: str) -> str:
    data = b64encode((fonts() / f"{stem}.woff2").read_bytes()).decode("ascii")
    return (
        f'@font-face {{ font-family: "{family}"; font-weight: {weight}; font-style: {style}; '
        f'src: url("data:font/woff2;base64,{data}") format("woff2"); }}'
    )


@cache
def templates_hash() -> str:
    """Return the sha256 over every file that shapes an article's page, by name and content.

    A template is named without its folder, as it was before templates had folders, so that documents keep their hashes.
    """
    digest = sha256()
    for name, path in sorted(_shaping_files()):
        content = path.read_bytes()
        digest.update(f"{'/'.join(name)}:{len(content)}:".encode())
        digest.update(content)
    return digest.hexdigest()


def _shaping_files() -> Iterator[tuple[tuple[str, ...], Path]]:
    """Yield the parts of each file's name, and the file."""
    for folder, within in ((article_templates(), article_templates()), (fonts(), templates())):
        yield from ((path.relative_to(within).parts, path) for path in folder.iterdir() if path.suffix in (".j2", ".css", ".ttf"))
    configuration = templates() / "fonts.conf"
    yield (configuration.name,), configuration
