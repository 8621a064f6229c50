"""What every record has: unknown keys are refused, and only fields that carry meaning are part of it."""

from typing import Any

import pytest
from pydantic import ValidationError

from ledger.model.record import Part, Record, Supersedes
from ledger.model.records.retraction import Retraction

BODY: dict[str, Any] = {"id": "gone", "target": "page", "reason": "Not what it says.", "retracted_on": "2025-03-01"}


def test_an_unknown_key_is_refused() -> None:
    with pytest.raises(ValidationError, match="colour"):
        Retraction.model_validate({**BODY, "colour": "red"})


def test_the_schema_number_is_read_and_written_as_schema() -> None:
    record = Retraction.model_validate({**BODY, "schema": 1})
    assert record.schema_ == 1
    assert record.model_dump(by_alias=True)["schema"] == 1
    with pytest.raises(ValidationError, match="schema"):
        Retraction.model_validate({**BODY, "schema": 2})


def test_a_note_carries_no_meaning_and_supersession_does() -> None:
    plain = Retraction.model_validate(BODY)
    assert Retraction.model_validate({**BODY, "note": "for the next reader"}).meaning() == plain.meaning()
    link = {"id": "older", "because": "correction", "reason": "A typing error."}
    assert Retraction.model_validate({**BODY, "supersedes": link}).meaning()["supersedes"] == link


def test_the_meaning_names_the_kind_and_leaves_out_what_is_unset() -> None:
    assert Retraction.model_validate(BODY).meaning() == {
        "kind": "retraction",
        "id": "gone",
        "target": "page",
        "reason": "Not what it says.",
        "retracted_on": Retraction.model_validate(BODY).retracted_on,
    }


@pytest.mark.parametrize("because", ["mistake", "", None])
def test_a_record_is_superseded_by_a_correction_or_a_change_only(because: object) -> None:
    with pytest.raises(ValidationError, match="because"):
        Supersedes.model_validate({"id": "older", "because": because, "reason": "r"})


def test_a_part_refuses_numbers_that_are_none() -> None:
    class Share(Part):
        value: float

    with pytest.raises(ValidationError, match="finite"):
        Share(value=float("nan"))
    assert issubclass(Record, Part)
