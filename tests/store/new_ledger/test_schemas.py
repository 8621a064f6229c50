"""JSON Schemas as files: one for every kind, valid themselves, and replaced when written again."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator, ValidationError

from ledger.model.kinds import KINDS
from ledger.store.new_ledger.schemas import write_schemas
from tests.conftest import DEFAULTS


def test_every_kind_has_a_schema_that_is_one(tmp_path: Path) -> None:
    paths = write_schemas(tmp_path / "schemas")
    assert {path.name for path in paths} == {"ledger.schema.json", "records.schema.json", *(f"{kind}.schema.json" for kind in KINDS)}
    for path in paths:
        Draft202012Validator.check_schema(json.loads(path.read_text()))


def test_a_schema_takes_what_the_program_takes_and_refuses_what_it_refuses(tmp_path: Path) -> None:
    write_schemas(tmp_path)
    validator = Draft202012Validator(json.loads((tmp_path / "records.schema.json").read_text()))
    claim = {"id": "a", **DEFAULTS["claim"]}
    validator.validate({"claim": [claim]})
    with pytest.raises(ValidationError):
        validator.validate({"claim": [claim | {"label": "guess"}]})
    with pytest.raises(ValidationError):
        validator.validate({"claim": [claim | {"statment": "x"}]})


def test_writing_again_gives_the_same_bytes(tmp_path: Path) -> None:
    first = {path: path.read_bytes() for path in write_schemas(tmp_path)}
    (tmp_path / "claim.schema.json").write_text("old")
    assert {path: path.read_bytes() for path in write_schemas(tmp_path)} == first
