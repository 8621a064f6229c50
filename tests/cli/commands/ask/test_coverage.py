"""`ledger coverage`: counts for people, records for programs or one gap, and the exit code of the ledger's limits."""

from typing import TYPE_CHECKING

import pytest

from tests.cli.conftest import rows_of

if TYPE_CHECKING:
    from tests.cli.conftest import Command
    from tests.conftest import LedgerFolder


def test_counts_are_printed_with_the_day(filled: "LedgerFolder", command: "Command") -> None:
    done = command("coverage", "--as-of", "2025-06-01")
    assert done.code == 0
    assert done.out.splitlines()[-1] == "6 rows as of 2025-06-01"
    assert done.out.splitlines()[0].split() == ["gap", "uncovered", "of", "allowed", "verdict"]
    assert "(untested-claim)" in done.out
    assert "1          1            no limit" in done.out


def test_one_gap_lists_its_records(filled: "LedgerFolder", command: "Command") -> None:
    rows = rows_of(command, "coverage", "--gap", "untested-claim", "--as-of", "2025-06-01")
    assert rows == [{"gap": "untested-claim", "record": "later", "because": "no measured claim bears on it"}]


@pytest.mark.parametrize(("gap", "code"), [("untested-claim", 1), ("protocol-never-run", 0)])
def test_only_the_gap_that_was_asked_for_decides_the_exit_code(gap: str, code: int, filled: "LedgerFolder", command: "Command") -> None:
    filled.write("ledger.toml", 'organisation = "Test Works"\n[coverage]\nuntested_claims = 0\n')
    assert command("coverage").code == 1
    assert command("coverage", "--gap", gap).code == code
