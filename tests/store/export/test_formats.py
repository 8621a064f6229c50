"""Every format writes the same bytes twice, to a file or a folder."""

from pathlib import Path
from typing import TYPE_CHECKING, get_args

import pytest

from ledger.store.export.formats import ExportFormat
from tests.store.export.export_fixtures import Read

if TYPE_CHECKING:
    from tests.claim_fixtures import Ask
    from tests.conftest import LedgerFolder


@pytest.mark.parametrize("form", get_args(ExportFormat))
def test_the_same_bytes_twice(form: str, written: Read) -> None:
    first, second = written(form, name="a"), written(form, name="b")
    assert first.read_bytes() == second.read_bytes()
    assert len(first.read_bytes()) > 100


def test_csv_of_several_tables_is_a_folder(tested: "LedgerFolder", ask: "Ask", tmp_path: Path) -> None:
    code, out, _err = ask("export", "--format", "csv", "--kind", "claim", "--out", str(tmp_path / "all"))
    assert (code, [Path(line).name for line in out.split()]) == (0, ["claims.csv", "quantities.csv", "conflicts.csv"])
    assert ask("export", "--format", "json", "--out", str(tmp_path / "all"))[0] == 2


def test_an_unknown_kind_is_a_usage_error(tested: "LedgerFolder", ask: "Ask", tmp_path: Path) -> None:
    code, _out, err = ask("export", "--format", "json", "--kind", "claims", "--out", str(tmp_path / "x.json"))
    assert (code, "cannot be exported" in err) == (2, True)
