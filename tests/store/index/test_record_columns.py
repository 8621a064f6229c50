"""The columns of a record, and the record of its columns."""

from typing import Any

from sqlmodel import Session, SQLModel, create_engine, select

from ledger.model.catalogue import Entry
from ledger.model.records.cost import Cost
from ledger.model.values.meaning import meaning_hash
from ledger.store.index.index import RecordRow
from ledger.store.index.record_columns import columns_of, entry_of, narrow
from ledger.store.index.sqlite import sql_tables
from tests.conftest import DEFAULTS

HELD: dict[str, Any] = {"closed_as": "current", "because": "", "void": False}


def entry(record_id: str, **fields: str) -> Entry:
    """A price at its place."""
    return Entry(Cost.model_validate({**DEFAULTS["cost"], "id": record_id, **fields}), f"records/{record_id}.toml", ("cost", 0))


def test_a_record_survives_its_columns() -> None:
    price = entry("p", amount="2.000000000000000000000000007")
    columns = columns_of(price)
    assert (columns["kind"], columns["gpu"], columns["label"]) == ("cost", "H100", None)
    assert columns["meaning"] == meaning_hash(price.record)
    assert entry_of(RecordRow(**columns, **HELD)) == price


def ids(equal: dict[str, str], prefix: dict[str, str]) -> list[str]:
    """The ids of four prices that a filter finds."""
    prices = [entry("b", item="aws/p5"), entry("a", item="aws/p5/spot"), entry("c", item="aws/p55"), entry("d", item="aws_p5", gpu="L4")]
    engine = create_engine("sqlite://")
    SQLModel.metadata.create_all(engine, tables=sql_tables(RecordRow))
    with Session(engine) as session:
        session.add_all(RecordRow(**columns_of(price), **HELD) for price in prices)
        session.commit()
        return [row.id for row in session.exec(narrow(select(RecordRow), RecordRow, "cost", equal=equal, prefix=prefix))]


def test_a_filter_compares_whole_values_without_case() -> None:
    assert ids({"gpu": "h100"}, {}) == ["a", "b", "c"]
    assert ids({"gpu": "L"}, {}) == []
    assert ids({"provider": "demo", "gpu": "l4"}, {}) == ["d"]


def test_a_prefix_ends_at_a_slash_and_signs_are_literal() -> None:
    assert ids({}, {"item": "AWS/p5"}) == ["a", "b"]
    assert ids({}, {"item": "aws_p5"}) == ["d"]
    assert ids({}, {"item": "aws%"}) == []
