"""Parquet has typed columns and exact decimals."""

from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from tests.store.export.export_fixtures import LONG, Read

if TYPE_CHECKING:
    pass


def test_parquet_has_types_and_exact_decimals(written: Read) -> None:
    table = pq.read_table(written("parquet", "--kind", "cost"))
    assert table.schema.field("valid_from").type == pa.date32()
    assert table.schema.field("taken_back").type == pa.bool_()
    assert table.column("amount").to_pylist() == [LONG]
    assert table.schema.metadata[b"organisation"] == b"Test Works"
