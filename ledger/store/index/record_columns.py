"""The columns by which records are found, shared by the index of the work tree and that of the history."""

import json
from collections.abc import Mapping
from typing import Any, TypeVar

from sqlmodel import Field, SQLModel, col, or_
from sqlmodel.sql.expression import SelectOfScalar

from ledger.model.catalogue import Entry
from ledger.model.kinds import KINDS
from ledger.model.values.meaning import meaning_hash

FILTERS = (
    "label",
    "side",
    "subject",
    "source",
    "publisher",
    "relation",
    "provider",
    "item",
    "region",
    "gpu",
    "price_kind",
    "protocol",
    "status",
)
"""Columns that queries filter by: fields of records, each absent where the kind has none."""


class RecordColumns(SQLModel):
    """A record: its id, place and filters, and `data`, the record itself as JSON."""

    id: str = Field(index=True)
    kind: str = Field(index=True)
    path: str = Field(index=True)
    field: str
    meaning: str
    label: str | None = None
    side: str | None = None
    subject: str | None = None
    source: str | None = None
    publisher: str | None = None
    relation: str | None = None
    provider: str | None = None
    item: str | None = None
    region: str | None = None
    gpu: str | None = None
    price_kind: str | None = None
    protocol: str | None = None
    status: str | None = None
    supersedes_id: str | None = None
    target: str | None = None
    """What a retraction or review speaks of."""
    data: str


AnyRow = TypeVar("AnyRow", bound=RecordColumns)


def columns_of(entry: Entry) -> dict[str, Any]:
    """Return the columns of one record."""
    record = entry.record
    return {
        "id": record.id,
        "kind": record.KIND,
        "path": entry.path,
        "field": json.dumps(entry.field),
        "meaning": meaning_hash(record),
        "supersedes_id": record.supersedes.id if record.supersedes else None,
        "target": getattr(record, "target", None),
        "data": record.model_dump_json(by_alias=True, exclude_defaults=True),
        **{name: getattr(record, name, None) for name in FILTERS},
    }


def entry_of(row: RecordColumns) -> Entry:
    """Return the record of a row, with its place."""
    data: dict[str, Any] = json.loads(row.data)
    return Entry(KINDS[row.kind].model_validate(data), row.path, tuple(json.loads(row.field)))


def narrow(
    rows: SelectOfScalar[AnyRow], table: type[AnyRow], kind: str, *, equal: Mapping[str, str], prefix: Mapping[str, str]
) -> SelectOfScalar[AnyRow]:
    """Return a query narrowed to a kind, and to rows that equal or lie below what is asked for; case does not count.

    `analysis/prices/selection.PriceFilter` answers the same question for costs in memory.
    """
    rows = rows.where(table.kind == kind).order_by(col(table.id))
    for column, value in equal.items():
        rows = rows.where(col(getattr(table, column)).ilike(_literal(value), escape="\\"))
    for column, value in prefix.items():
        field = col(getattr(table, column))
        rows = rows.where(or_(field.ilike(_literal(value), escape="\\"), field.ilike(f"{_literal(value)}/%", escape="\\")))
    return rows


def _literal(value: str) -> str:
    """Return a value for LIKE in which `%` and `_` stand for themselves."""
    return value.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
