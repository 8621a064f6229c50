"""`ledger claims`, `sources` and `costs` in every format, and the filters and days they take."""

import csv
import io
import json
import re
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Command
    from tests.conftest import LedgerFolder

LISTS = ["claims", "sources", "costs"]


def strict(text: str) -> Any:
    """Return JSON read as strictly as jq reads it: no NaN, no Infinity, no key twice."""

    def refuse(name: str) -> None:
        raise AssertionError(name)

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        assert len(dict(pairs)) == len(pairs)
        return dict(pairs)

    return json.loads(text, parse_constant=refuse, object_pairs_hook=once)


def ids(command: "Command", *arguments: str) -> list[str]:
    """Return the ids that a list answers with."""
    done = command(*arguments, "--format", "json")
    assert (done.code, done.err) == (0, "")
    return [row["id"] for row in strict(done.out)]


@pytest.mark.parametrize("name", LISTS)
def test_json_is_strict_and_carries_the_whole_record(name: str, command: "Command", filled: "LedgerFolder") -> None:
    rows = strict(command(name, "--format", "json").out)
    assert rows
    assert all(row["path"].startswith(f"records/{name}/") for row in rows)


@pytest.mark.parametrize("name", LISTS)
def test_csv_has_one_header_and_rows_of_its_length(name: str, command: "Command", filled: "LedgerFolder") -> None:
    rows = list(csv.reader(io.StringIO(command(name, "--format", "csv").out)))
    listed = strict(command(name, "--format", "json").out)
    assert len(rows) == len(listed) + 1
    assert "id" in rows[0]
    assert {len(row) for row in rows} == {len(rows[0])}


@pytest.mark.parametrize("name", LISTS)
def test_markdown_rows_have_the_cells_of_the_header(name: str, command: "Command", filled: "LedgerFolder") -> None:
    lines = command(name, "--format", "markdown").out.splitlines()
    cells = [len(re.split(r"(?<!\\)\|", line)) for line in lines]
    assert len(lines) > 2
    assert set(cells) == {cells[0]}


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("width", ["80", "200"])
def test_a_table_is_never_wider_than_the_terminal(
    name: str, width: str, command: "Command", filled: "LedgerFolder", monkeypatch: pytest.MonkeyPatch
) -> None:
    filled.add("cost", "long", item="demo " + "a long name of a thing " * 8, effective_from="2025-02-01")
    filled.add("claim", "wordy", statement="Sentence after sentence. " * 20)
    monkeypatch.setenv("COLUMNS", width)
    lines = command(name).out.splitlines()
    assert max(map(len, lines)) <= int(width)
    assert lines[-1].split()[1].startswith("row")


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


def test_two_terms_of_one_item_are_two_offers_and_an_older_date_of_one_is_not(command: "Command", filled: "LedgerFolder") -> None:
    filled.add("cost", "box-older", effective_from="2024-01-01", amount="9.00")
    assert ids(command, "costs", "--as-of", "2025-06-01") == ["box", "box-1-year", "box-3-years"]
    assert "box-older" in ids(command, "costs", "--all")


def test_a_formula_is_text_and_a_number_stays_a_number(command: "Command", filled: "LedgerFolder") -> None:
    for number, text in enumerate(("=1+1", "+SUM(A1)", "@cmd", "-2+3", "-12.5", "=cmd|' /C calc'!A0", "- a dash")):
        filled.add("source", f"s{number}", title=text)
    rows = csv.DictReader(io.StringIO(command("sources", "--format", "csv").out))
    titles = [row["title"] for row in rows if row["id"] != "page"]
    assert titles == ["'=1+1", "'+SUM(A1)", "'@cmd", "'-2+3", "-12.5", "'=cmd|' /C calc'!A0", "'- a dash"]


def test_without_a_terminal_nothing_is_coloured(command: "Command", filled: "LedgerFolder", monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[3" not in command("claims").out + command("check").out
    monkeypatch.delenv("FORCE_COLOR")
    monkeypatch.delenv("NO_COLOR")
    assert "\x1b" not in command("costs").out


def test_files_with_faults_are_named_on_standard_error_and_left_out(command: "Command", filled: "LedgerFolder") -> None:
    filled.write("records/bad.toml", "[[claim]]\n")
    done = command("claims", "--format", "json")
    assert [row["id"] for row in strict(done.out)] == ["idea", "later"]
    assert done.err == "warning: records in records/bad.toml have faults and are left out. Run `ledger check`.\n"


@pytest.mark.parametrize("name", LISTS)
def test_an_empty_ledger_lists_nothing_in_any_format(name: str, command: "Command", ledger_folder: "LedgerFolder") -> None:
    assert command(name, "--format", "json").out == "[]\n"
    assert len(command(name, "--format", "csv").out.splitlines()) == 1
    assert len(command(name, "--format", "markdown").out.splitlines()) == 2
    assert command(name).out.splitlines()[-1].startswith("0 rows")


def test_each_list_gives_the_same_bytes_twice(command: "Command", filled: "LedgerFolder") -> None:
    def outputs() -> list[str]:
        return [command(name, "--format", form).out for name in LISTS for form in ("json", "csv", "markdown", "table")]

    assert outputs() == outputs()


def test_a_day_to_come_is_answered_by_announcements_alone(ledger_folder: "LedgerFolder") -> None:
    """An observation says nothing of next year; a price that says until when it holds does."""
    ledger_folder.add_page()
    ledger_folder.add("cost", "seen", item="demo/seen", effective_from="unknown", effective_to="unknown")
    ledger_folder.add("cost", "announced", item="demo/announced", effective_from="2090-01-01", effective_to="open")
    refused = ledger_folder.run("costs", "--as-of", "2090-06-01")
    assert (refused.returncode, "lies in the future" in refused.stderr) == (2, True)
    done = ledger_folder.run("costs", "--as-of", "2090-06-01", "--announced", "--format", "json")
    assert [row["id"] for row in json.loads(done.stdout)] == ["announced"]
