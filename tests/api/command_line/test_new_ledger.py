"""A new ledger and the schemas for editors, as the command line reaches them."""

import json
from pathlib import Path

import pytest

from ledger.api import Ledger
from ledger.api.command_line.new_ledger import create_ledger, write_schemas
from ledger.errors import DataRefusedError
from ledger.model.kinds import KINDS


def test_a_new_ledger_opens_clean_and_is_not_founded_twice(tmp_path: Path) -> None:
    founded = create_ledger(tmp_path / "works", "Test Works")
    ledger = Ledger.open(founded.root)
    assert (ledger.settings.organisation, ledger.check()) == ("Test Works", [])
    with pytest.raises(DataRefusedError, match="holds a ledger already"):
        create_ledger(tmp_path / "works")


def test_a_schema_a_kind_and_two_for_all(tmp_path: Path) -> None:
    paths = write_schemas(tmp_path)
    assert [path.name for path in paths] == ["ledger.schema.json", "records.schema.json", *(f"{kind}.schema.json" for kind in KINDS)]
    assert list(json.loads((tmp_path / "claim.schema.json").read_text(encoding="utf-8"))["properties"]) == ["claim"]
