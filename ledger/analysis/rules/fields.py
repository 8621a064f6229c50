"""Rules about what a single field holds: plain text and sensible counts. They leave a record readable, so that what landed stays so."""

import unicodedata
from collections.abc import Iterator

from ledger.errors import FieldPath, Problem
from ledger.model.catalogue import Catalogue, Entry
from ledger.model.record import Record
from ledger.model.records.article import Article
from ledger.model.records.claim import Claim
from ledger.model.records.run import Run
from ledger.model.records.source import Source
from ledger.model.records.workload import Workload

_LONG = ("note", "mix")
"""Fields of several lines, for the next reader; any other text is one line."""
_TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029\ufeff")
"""Signs that turn the direction of text, end a line or are seen by nobody; joiners within words stay."""


def check_text(catalogue: Catalogue) -> Iterator[Problem]:
    """No text holds a control character, a line end in a field of one line, or a sign that turns its direction."""
    for entry in catalogue:
        if not isinstance(entry.record, Article):  # a draft's prose has lines of its own, and its lint looks at it
            for field, text in texts_of(entry.record):
                if wrong := next((char for char in text if _is_unfit(char, field)), None):
                    name = f"U+{ord(wrong):04X}"
                    yield entry.problem("LEDG016", field, f"the text holds the control character {name}.", remedy="Remove it.")


def _is_unfit(char: str, field: FieldPath) -> bool:
    if char in "\n\r\t":
        return field[0] not in _LONG
    return unicodedata.category(char) == "Cc" or char in _TURNING


def texts_of(record: Record) -> Iterator[tuple[FieldPath, str]]:
    """Yield every text in a record with its field."""
    for name in type(record).model_fields:
        if name in record.__dict__:
            yield from _texts((name,), record.__dict__[name])


def _texts(field: FieldPath, value: object) -> Iterator[tuple[FieldPath, str]]:
    if isinstance(value, str):
        yield field, value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _texts((*field, key), item)
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from _texts((*field, index), item)
    elif fields := getattr(type(value), "model_fields", None):
        for name in fields:
            yield from _texts((*field, name), getattr(value, name))


def check_counts(catalogue: Catalogue) -> Iterator[Problem]:
    """A count is 0 or more; days until a page is read again, and samples behind a number, are at least 1."""
    for entry in catalogue:
        for field, count, least in _counts(entry):
            if count < least:
                yield entry.problem("LEDG017", field, f"got {count}, expected at least {least}.", remedy="Mend the number.")


def _counts(entry: Entry) -> Iterator[tuple[FieldPath, float, int]]:
    match entry.record:
        case Claim() as claim:
            for index, quantity in enumerate(claim.quantities):
                if quantity.samples is not None:
                    yield ("quantities", index, "samples"), quantity.samples, 1
        case Source() as source:
            if source.recheck_days is not None:
                yield ("recheck_days",), source.recheck_days, 1
        case Workload() as workload:
            yield from ((("input_words", name), count, 0) for name, count in workload.input_words.items())
        case Run() as run:
            yield ("duration_s",), run.duration_s, 0
            for index, cell in enumerate(run.cells):
                yield from ((("cells", index, "requests", name), count, 0) for name, count in cell.requests.items())
