"""Ledgers built from a row of the rules' table, and their findings without the linting of drafts."""

import re
from typing import TYPE_CHECKING, Any

import pytest

from ledger.analysis import rules
from ledger.errors import Problem
from ledger.model.values.meaning import meaning_hash

if TYPE_CHECKING:
    from tests.conftest import LedgerFolder

Row = dict[str, Any]


class RowLedger:
    """Writes the ledger of a row and finds its faults."""

    def __init__(self, folder: "LedgerFolder") -> None:
        self.folder = folder

    def findings(self, row: Row, *, mended: bool = False) -> list[Problem]:
        """Return what the reader, the rules and the check of attached files find, placed."""
        text, files = _mended(row) if mended else (row.get("text", ""), row.get("files", {}))
        self._base(row.get("base", "page"))
        self.folder.add_toml(text)
        for path, content in files.items():
            self.folder.write(path, content)
        self._fill_in_meanings()
        ledger = self.folder.open()
        return ledger.files.placed(ledger.record_problems)

    def _base(self, wanted: str) -> None:
        if "page" in wanted:
            self.folder.add_page()
        if "plan" in wanted:
            self.folder.add_plan()
        if "run" in wanted:
            self.folder.add("run", "run-1")

    def _fill_in_meanings(self) -> None:
        """Put meaning hashes where a row says `MEANING-OF-` and an id in capitals."""
        hashes = {f"MEANING-OF-{entry.record.id.upper()}": meaning_hash(entry.record) for entry in self.folder.catalogue()}
        for path in self.folder.root.glob("records/r*.toml"):
            path.write_text(re.sub(r"MEANING-OF-\w+", lambda match: hashes[match.group()], path.read_text()))


def _mended(row: Row) -> tuple[str, dict[str, bytes]]:
    """Return text and files of the legal variant: something replaced, or files added."""
    text, files, mend = row.get("text", ""), row.get("files", {}), row["mend"]
    if isinstance(mend, dict):
        return text, files | mend
    old, new = mend
    if isinstance(old, bytes):
        return text, {path: content.replace(old, new) for path, content in files.items()}
    assert old in text, f"{row['code']}: the mend finds nothing to replace"
    return text.replace(old, new), files


@pytest.fixture
def row_ledger(ledger_folder: "LedgerFolder") -> RowLedger:
    """An empty ledger that a row fills."""
    return RowLedger(ledger_folder)


@pytest.fixture
def without_rule(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A function that takes one rule out of the table."""

    def take(code: str) -> None:
        monkeypatch.setattr(rules, "RULES", tuple(rule for rule in rules.RULES if rule.code != code))

    return take
