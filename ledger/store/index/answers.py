"""What a query answers: a record, when it holds, and where it is written."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from difflib import get_close_matches

from ledger.analysis.validity.ordering import sort_by
from ledger.analysis.validity.validity import Validity
from ledger.errors import UsageError
from ledger.model.kinds import KINDS
from ledger.model.record import Record

VALIDITY_FIELDS = {"valid_from": "starts_on", "valid_to": "ends_on"}
"""Names of columns in lists, and the attributes of a record's validity that they print."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A record that answers a query."""

    record: Record
    validity: Validity
    path: str
    recorded_at: datetime | None = None
    """When its meaning landed on the main branch; None while unrecorded or not asked."""


def arrange(
    kind: str, answers: Sequence[Answer], *, sort: str | None, limit: int | None, recorded_on: Callable[[Record], str]
) -> list[Answer]:
    """Return answers in the order of a field (`-field`: descending) and no more than `limit` of them.

    Raises:
        UsageError: the kind has no such field, or the limit is below 1.
    """
    if limit is not None and limit < 1:
        raise UsageError(f"--limit: got {limit}, expected 1 or more.")
    if sort is not None:
        name = _field(kind, sort.removeprefix("-"))
        answers = sort_by(answers, lambda answer: _value(answer, name, recorded_on), descending=sort.startswith("-"))
    return list(answers[:limit])


def _field(kind: str, name: str) -> str:
    known = [*KINDS[kind].model_fields, *VALIDITY_FIELDS, "path", "recorded_on"]
    if name not in known:
        near = get_close_matches(name, known, n=1)
        raise UsageError(f"--sort: a {kind} has no {name}. " + (f"Did you mean {near[0]}?" if near else f"Use one of {', '.join(known)}."))
    return name


def _value(answer: Answer, name: str, recorded_on: Callable[[Record], str]) -> object:
    if name == "recorded_on":
        return recorded_on(answer.record)
    if name == "path":
        return answer.path
    return getattr(answer.validity, VALIDITY_FIELDS[name]) if name in VALIDITY_FIELDS else getattr(answer.record, name)
