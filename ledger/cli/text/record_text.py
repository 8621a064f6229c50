"""One record in full, for `ledger show`."""

from collections.abc import Iterator
from datetime import date
from typing import Any

from ledger.analysis.claims.certainty import certainty
from ledger.analysis.claims.claim_tests import measured_tests, overall_outcome
from ledger.analysis.claims.resolve import quantity_text, statement_text
from ledger.analysis.validity.validity import validity
from ledger.api import Ledger
from ledger.cli.text.layout import hanging
from ledger.model.record import Record
from ledger.model.records.claim import Claim
from ledger.model.values.meaning import meaning_hash

_INDENT = 16


def shown_record(ledger: Ledger, record_id: str, as_of: date) -> dict[str, Any]:
    """Return a record with its state, place, meaning hash and what names it, as plain values."""
    entry = ledger.entry(record_id)
    held = validity(ledger.catalogue, entry.record)
    line = ledger.files.record_files.line_of(entry)
    return {
        "kind": entry.record.KIND,
        "state": held.status(as_of),
        "as_of": str(as_of),
        "because": held.because,
        "replaced_by": held.by,
        "valid_from": _day(held.starts_on),
        "valid_to": _day(held.ends_on),
        "recorded_on": ledger.files.recorded_on(entry.record),
        **_derived(ledger, entry.record, as_of),
        "place": f"{entry.path}:{line}",
        "meaning": meaning_hash(entry.record),
        "named_by": ledger.queries.named_by(record_id),
        "record": entry.record.model_dump(mode="json", by_alias=True, exclude_none=True, exclude_defaults=True),
    }


def _derived(ledger: Ledger, record: Record, as_of: date) -> dict[str, Any]:
    """What is derived about a claim: its certainty with every cause, and what the measurements that test it say."""
    if not isinstance(record, Claim):
        return {}
    weighed = certainty(ledger.catalogue, record, as_of)
    tested = {other.id: f"{overall_outcome(tests)}: {tests[0].because}" for other, tests in measured_tests(ledger.catalogue, record)}
    causes = [f"{downgrade.domain}: {downgrade.cause}" for downgrade in weighed.downgrades]
    quotes = {f"{check.name} ({check.text})": check.outcome for check in ledger.queries.quotes(record)}
    return {"certainty": weighed.level, "downgraded_for": causes, "tested_by": tested, "in_the_source": quotes}


def _day(day: date | None) -> str | None:
    return None if day in (None, date.min) else str(day)


def shown_lines(ledger: Ledger, record_id: str, as_of: date) -> Iterator[str]:
    """Yield a record as lines of at most 80 characters."""
    shown = shown_record(ledger, record_id, as_of)
    record = shown.pop("record")
    entry = ledger.entry(record_id)
    yield from _field("id", record.pop("id"))
    if isinstance(entry.record, Claim):
        record["statement"] = statement_text(ledger.catalogue, entry.record)[0]
        record["quantities"] = {q.name: f"{quantity_text(q)}{_conditions(q.conditions)}" for q in entry.record.quantities}
    for name, value in {**record, **shown}.items():
        yield from _field(name, value)


def _conditions(conditions: dict[str, str]) -> str:
    return f" ({', '.join(f'{key}: {value}' for key, value in conditions.items())})" if conditions else ""


def _field(name: str, value: object) -> Iterator[str]:
    """Lines of one field; nested values are indented below their name."""
    if value in (None, "", [], {}, ()):
        return
    if isinstance(value, dict | list):
        yield name.replace("_", " ")
        items = value.items() if isinstance(value, dict) else ((str(number), item) for number, item in enumerate(value, 1))
        for key, item in items:
            yield from hanging(f"{key}: {_flat(item)}", indent=2, hang=4, keeps_spaces=True)
        return
    label = name.replace("_", " ").ljust(_INDENT)
    yield from hanging(f"{label}{value}", hang=_INDENT, keeps_spaces=True)


def _flat(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_flat(item)}" for key, item in value.items())
    if isinstance(value, list):
        return ", ".join(_flat(item) for item in value)
    return str(value)
