"""Whether a quotation or a quoted number stands in a source's text: found, not found, or not checkable.

White space, quotation marks, dashes, case and other forms of one letter (NFKC) do not count on either side.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

from ledger.model.records.claim import Claim

QuoteOutcome = Literal["found", "not found", "not checkable"]
_QUOTES = str.maketrans(dict.fromkeys("‘’‚‛′`´", "'") | dict.fromkeys("“”„‟«»″", '"'))
_DASHES = re.compile(r"[‐‑‒–—―−]")
_OMITTED = re.compile(r"\s*(?:\[\.\.\.\]|\[…\]|\.\.\.|…)\s*")
_INVISIBLE = re.compile("[\u00ad\u200b\u200c\u200d\u2060\ufeff]")
_GROUPED = re.compile(r"(?<=\d)[,'](?=\d{3}(?!\d))")


@dataclass(frozen=True, slots=True)
class QuoteCheck:
    """One quotation or number of a claim, and whether it stands in the source's text."""

    claim: str
    name: str
    """`quote`, or the name of a quantity."""
    text: str
    outcome: QuoteOutcome


def comparable_text(text: str) -> str:
    """Return a text without what does not count: two texts with the same result say the same words."""
    text = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).translate(_QUOTES)
    return " ".join(_DASHES.sub("-", text).casefold().split())


def text_hash(text: str) -> str:
    """Return the sha256 of a text in its comparable form, in hex; changes of mark-up alone keep it."""
    return sha256(comparable_text(text).encode()).hexdigest()


def has_quote(quote: str, text: str) -> bool:
    """Whether a quotation stands in a text; what it omits (`…`, `[...]`) may stand between its parts, which keep their order."""
    parts = [comparable_text(part) for part in _OMITTED.split(quote) if part.strip()]
    whole, place = comparable_text(text), 0
    for part in parts:
        place = whole.find(part, place)
        if place < 0:
            return False
        place += len(part)
    return bool(parts)


def has_number(number: str, text: str) -> bool:
    """Whether a number stands in a text as itself: not as a part of a longer one, with or without grouped thousands."""
    whole = _GROUPED.sub("", comparable_text(text))
    plain = re.escape(number)
    trailing = r"0*" if "." in number else r"(?:\.0+)?"
    return re.search(rf"(?<![\d.]){plain}{trailing}(?![\d])(?!\.\d)", whole) is not None


def quote_checks(claim: Claim, text: str | None) -> Iterator[QuoteCheck]:
    """Yield the outcome for a claim's quotation and for every number that it takes from the source; None is no text."""
    if claim.quote:
        yield QuoteCheck(claim.id, "quote", claim.quote, _outcome(text, is_there=text is not None and has_quote(claim.quote, text)))
    for quantity in claim.quantities:
        ends = [end for end in (quantity.value, quantity.low, quantity.high) if end is not None]
        numbers = [format(end, "f") for end in ends]
        is_there = text is not None and all(has_number(number, text) for number in numbers)
        yield QuoteCheck(claim.id, quantity.name, " to ".join(numbers), _outcome(text, is_there=is_there))


def _outcome(text: str | None, *, is_there: bool) -> QuoteOutcome:
    return "not checkable" if text is None else "found" if is_there else "not found"
