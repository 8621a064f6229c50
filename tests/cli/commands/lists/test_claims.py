"""`ledger claims`: filters, days, and files that are left out."""

from typing import TYPE_CHECKING

import pytest

from tests.cli.conftest import ids, strict

if TYPE_CHECKING:
    from tests.cli.conftest import Command
    from tests.conftest import LedgerFolder


def test_a_table_says_the_day_it_holds_for_and_the_label_with_its_claimant(command: "Command", filled: "LedgerFolder") -> None:
    out = command("claims", "--as-of", "2025-02-01").out
    first, facts, statement = out.splitlines()[:3]
    assert (first, statement) == ("gain", "  A gain of up to 2.8x.")
    assert facts.startswith("  vendor-claimed · supplier · ")
    assert "2025-01-10 · current" in facts
    assert out.splitlines()[-1] == "2 rows as of 2025-02-01"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("claims",), ["idea", "later"]),
        (("claims", "--all"), ["gain", "idea", "later"]),
        (("claims", "--as-of", "2025-02-28"), ["gain", "idea"]),
        (("claims", "--as-of", "2025-03-01"), ["idea", "later"]),
        (("claims", "--as-of", "2025-01-09"), []),
        (("claims", "--label", "proposed"), ["idea"]),
        (("claims", "--subject", "demo/ngram"), ["later"]),
        (("claims", "--source", "page", "--side", "pricing"), []),
        (("sources", "--publisher", "example", "--relation", "supplier"), ["page"]),
        (("costs",), ["box", "box-1-year", "box-3-years"]),
        (("costs", "--kind", "reserved", "--region", "EU-west"), ["box-1-year", "box-3-years"]),
        (("costs", "--gpu", "h100", "--item", "demo", "--provider", "demo", "--kind", "on-demand"), ["box"]),
    ],
)
def test_filters_and_days(arguments: tuple[str, ...], expected: list[str], command: "Command", filled: "LedgerFolder") -> None:
    assert ids(command, *arguments) == expected


def test_files_with_faults_are_named_on_standard_error_and_left_out(command: "Command", filled: "LedgerFolder") -> None:
    filled.write("records/bad.toml", "[[claim]]\n")
    done = command("claims", "--format", "json")
    assert [row["id"] for row in strict(done.out)] == ["idea", "later"]
    assert done.err == "warning: records in records/bad.toml have faults and are left out. Run `ledger check`.\n"
