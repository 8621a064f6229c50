"""The JSON Schema of record files: what an editor refuses, completes and explains."""

from typing import Any

from jsonschema import Draft202012Validator

from ledger.model.schema import file_schema

RETRACTION: dict[str, Any] = {"id": "gone", "target": "page", "reason": "r", "retracted_on": "2025-03-01"}


def errors(schema: dict[str, Any], body: dict[str, Any]) -> list[str]:
    """What a validator has to say of a file's content."""
    return [error.message for error in Draft202012Validator(schema).iter_errors(body)]


def test_a_file_holds_lists_of_the_kinds_asked_for_and_no_other() -> None:
    schema = file_schema(["retraction", "waiver"])
    Draft202012Validator.check_schema(schema)
    assert errors(schema, {"retraction": [RETRACTION], "waiver": []}) == []
    assert errors(schema, {"source": []})
    assert errors(schema, {"retraction": RETRACTION})


def test_a_record_with_a_wrong_field_is_refused() -> None:
    schema = file_schema(["retraction"])
    assert errors(schema, {"retraction": [{**RETRACTION, "colour": "red"}]})
    assert errors(schema, {"retraction": [{key: value for key, value in RETRACTION.items() if key != "target"}]})


def test_a_field_is_explained_by_the_words_of_its_model() -> None:
    schema = file_schema(["waiver"])
    assert schema["$defs"]["Waiver"]["properties"]["by"]["description"] == "Who decided it."
