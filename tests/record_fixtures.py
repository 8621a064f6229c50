"""Records in memory, with every field that a test does not speak of filled in, and catalogues of them."""

from typing import Any

from ledger.model.catalogue import AnyRecord, Catalogue, Entry
from ledger.model.record import Record
from tests.conftest import DEFAULTS


def make(kind: type[AnyRecord], record_id: str, /, **fields: Any) -> AnyRecord:
    """Return a record of a kind; a field given as None is left out."""
    given = {"id": record_id, **DEFAULTS[kind.KIND], **fields}
    return kind.model_validate({name: value for name, value in given.items() if value is not None})


def catalogue_of(*records: Record) -> Catalogue:
    """Return a catalogue in which each record lies in a file of its own."""
    return Catalogue(Entry(record, f"records/{record.id}.toml") for record in records)


def supersedes(record_id: str, because: str = "change") -> dict[str, str]:
    """Return the link to the record that another one supersedes."""
    return {"id": record_id, "because": because, "reason": "It moved."}
