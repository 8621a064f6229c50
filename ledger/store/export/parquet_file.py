"""Parquet: one file a table with typed columns; decimals are text, so that every reader gets them exactly."""

import io
from datetime import date

import pyarrow as pa
import pyarrow.parquet as pq

from ledger.store.export.tables import Export, ExportTable, Value
from ledger.store.index.views import Column

_TYPES = {"integer": pa.int64(), "number": pa.float64(), "boolean": pa.bool_(), "day": pa.date32()}


def parquet_files(export: Export) -> dict[str, bytes]:
    """Return `TABLE.parquet` for each table; the account of the query is the schema's metadata."""
    return {f"{table.name}.parquet": _bytes(table, dict(export.about)) for table in export.tables}


def _bytes(table: ExportTable, about: dict[str, str]) -> bytes:
    fields = [pa.field(column.name, _TYPES.get(column.type, pa.string()), metadata={"holds": column.holds}) for column in table.columns]
    columns = [
        pa.array([_value(row[index], column) for row in table.rows], type=field.type)
        for index, (column, field) in enumerate(zip(table.columns, fields, strict=True))
    ]
    stream = io.BytesIO()
    pq.write_table(pa.Table.from_arrays(columns, schema=pa.schema(fields, metadata=about)), stream, compression="zstd")
    return stream.getvalue()


def _value(value: Value, column: Column) -> object:
    if value is None:
        return None
    match column.type:
        case "day":
            return date.fromisoformat(str(value))
        case "boolean":
            return bool(value)
        case "integer" | "number":
            return value
    return str(value)
