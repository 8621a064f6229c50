"""Text as data: what a record's text must never do to a terminal, a table or a page."""

import re
import unicodedata

_KEPT = "\n\t"
_FORMULA_SIGNS = frozenset("=+-@＝＋－＠")
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")


def visible(text: str) -> str:
    r"""Return text in which control codes and direction overrides are shown as `\u202e`, so that none acts."""
    return "".join(char if char in _KEPT or unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Co") else _escape(char) for char in text)


def one_line(text: str) -> str:
    """Return visible text with white space folded to single spaces."""
    return " ".join(visible(text).split())


def spreadsheet_text(text: str) -> str:
    """Return visible text that no spreadsheet runs as a formula: quoted where it begins like one, negative numbers left alone."""
    shown = visible(text)
    return f"'{shown}" if shown.lstrip()[:1] in _FORMULA_SIGNS and not _NUMBER.fullmatch(shown) else shown


def _escape(char: str) -> str:
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
