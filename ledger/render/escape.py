"""A record's text on its way into Markdown: printed literally, whatever it contains (DESIGN 2.10)."""

import re

from ledger.model.values.text import visible

_ALWAYS = re.compile(r"[\\`*\[\]<>|~^{}$]")
_UNDERSCORE = re.compile(r"(?<![^\W_])_|_(?![^\W_])")
_ENTITY = re.compile(r"&(?=#?\w+;)")
_AUTOLINK = re.compile(r"(?<=\w):(?=//)|(?<=\bwww)\.|(?<=\w)@(?=\w)", re.IGNORECASE)
_OPENING = re.compile(r"^(?:#{1,6}(?=\s|$)|[+-](?=\s|$)|[=-]+(?=\s*$)|\d{1,9}(?=[.)](?:\s|$)))")
_BLANKS = re.compile(r"[ \t\n\r\v\f\u2028\u2029]+")


def escaped(text: str) -> str:
    """Return Markdown that prints the text literally, in a paragraph, a list item or a table cell."""
    shown = visible(_BLANKS.sub(" ", text)).strip(" ")
    shown = _ALWAYS.sub(r"\\\g<0>", shown)
    shown = _UNDERSCORE.sub(r"\\_", shown)
    shown = _ENTITY.sub(r"\\&", shown)
    shown = _AUTOLINK.sub(r"\\\g<0>", shown)
    return _guard_start(shown)


def _guard_start(text: str) -> str:
    match = _OPENING.match(text)
    if match is None:
        return text
    head = match.group()
    return f"{head}\\{text[len(head) :]}" if head.isdigit() else f"\\{text}"
