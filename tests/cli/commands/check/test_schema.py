"""`ledger schema [KIND]`: valid, and as strict as the reader."""

import json
from typing import TYPE_CHECKING

import jsonschema
import pytest

from ledger.model.kinds import KINDS

if TYPE_CHECKING:
    from tests.cli.conftest import Command
    from tests.conftest import LedgerFolder


@pytest.mark.parametrize("kind", [None, *KINDS])
def test_schema_is_a_valid_json_schema(kind: str | None, command: "Command", ledger_folder: "LedgerFolder") -> None:
    done = command("schema", *([kind] if kind else []))
    schema = json.loads(done.out)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert list(schema["properties"]) == ([kind] if kind else list(KINDS))


def test_the_schema_accepts_what_the_reader_accepts_and_refuses_an_unknown_key(command: "Command", filled: "LedgerFolder") -> None:
    validator = jsonschema.Draft202012Validator(json.loads(command("schema").out))
    for entry in filled.catalogue():
        row = entry.record.model_dump(mode="json", by_alias=True, exclude_defaults=True)
        assert list(validator.iter_errors({entry.record.KIND: [row]})) == []
        assert list(validator.iter_errors({entry.record.KIND: [{**row, "colour": "red"}]}))
