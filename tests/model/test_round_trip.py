"""What a record is written as, it is read from: JSON, TOML and the index's form keep every field."""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from ledger.model.kinds import KINDS
from ledger.model.record import Record
from ledger.model.records.run import Measure
from ledger.model.values.meaning import meaning_hash

if TYPE_CHECKING:
    from tests.conftest import LedgerFolder

RecordsOf = Callable[[str], SearchStrategy[Record]]
PER_KIND = settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])


@pytest.mark.parametrize("kind", KINDS)
@PER_KIND
@given(data=st.data())
def test_json_without_defaults_reads_as_the_same_record_and_meaning(kind: str, records_of: RecordsOf, data: st.DataObject) -> None:
    record = data.draw(records_of(kind))
    text = record.model_dump_json(by_alias=True, exclude_defaults=True)
    again = KINDS[kind].model_validate(json.loads(text))
    assert again == record
    assert meaning_hash(again) == meaning_hash(record)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "article"])
@settings(PER_KIND, max_examples=3)
@given(data=st.data())
def test_a_json_file_holds_every_record(kind: str, records_of: RecordsOf, data: st.DataObject, ledger_folder: "LedgerFolder") -> None:
    record = data.draw(records_of(kind))
    row = record.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    ledger_folder.write("records/one.json", json.dumps({kind: [row]}))
    files = ledger_folder.open().files.record_files
    assert files.all.problems == ()
    assert [entry.record for entry in files.all.entries] == [record]


def test_records_are_frozen() -> None:
    source = KINDS["source"].model_validate(
        {"id": "s", "title": "T", "publisher": "P", "type": "blog", "relation": "own", "licence": "L"},
    )
    with pytest.raises(ValueError, match="frozen"):
        source.id = "t"  # type: ignore[misc]  # what is tested


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")])
def test_no_measure_is_nan_or_infinite(number: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        Measure.model_validate({"value": number, "unit": "s", "n": 1})
