"""What adds to a ledger, through `Ledger.writing`."""

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ledger.errors import UsageError
from ledger.model.records.source import Source

if TYPE_CHECKING:
    from tests.conftest import LedgerFolder


def test_a_record_is_dated_by_the_ledgers_clock_unless_told(ledger_folder: "LedgerFolder") -> None:
    ledger_folder.add_page()
    for today, expected in ((None, date(2025, 6, 1)), (date(2025, 7, 1), date(2025, 7, 1))):  # the fixture's clock says 1 June
        writer = ledger_folder.open().writing.record_writer(today)
        assert writer.today == expected


def test_a_source_is_captured_from_a_file_and_its_own_address_is_the_default(ledger_folder: "LedgerFolder", tmp_path: Path) -> None:
    ledger_folder.add_page()
    saved = tmp_path / "page.txt"
    saved.write_text("words")
    result = ledger_folder.open().writing.capture("page", str(saved), taken_on=date(2025, 3, 4))
    record = ledger_folder.catalogue().get("page", Source)
    assert record is not None
    assert record.captures[-1] == result.capture
    assert result.capture.retrieved_at == date(2025, 3, 4)
    with pytest.raises(UsageError, match="page: has no address"):
        ledger_folder.open().writing.capture("page")
    with pytest.raises(UsageError, match="no such record"):
        ledger_folder.open().writing.capture("pagee", str(saved))
