"""Lists as tables, JSON, CSV and Markdown, whatever the texts of records hold (C46)."""

import csv
import io
import json
import re
from typing import TYPE_CHECKING

import pytest
from markdown_it import MarkdownIt

from tests.cli.conftest import strict

if TYPE_CHECKING:
    from tests.cli.conftest import Command
    from tests.conftest import LedgerFolder


HOSTILE = (
    "<script>alert(1)</script> <b>bold</b> [x](javascript:alert(1)) ![i](http://127.0.0.1:9/i.png) `code` <!-- hidden --> ~~gone~~ &lt; "
    "# Heading\n\n---\n\n| fake | row |\n\x1b[2J\x1b[31mRED\x1b]0;title\x07 \u202eabc \x9b31m end\u2028next"
)


ACTING = ("\x1b", "\x07", "\u202e", "\x9b", "\r")


COMMANDS = [
    *((name, "--format", form) for name in ("claims", "sources", "costs") for form in ("table", "json", "csv", "markdown")),
    ("show", "c"),
    ("show", "c", "--json"),
    ("show", "page"),
    ("show", "p"),
    ("check",),
]


LISTS = ["claims", "sources", "costs"]


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


def test_without_a_terminal_nothing_is_coloured(command: "Command", filled: "LedgerFolder", monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[3" not in command("claims").out + command("check").out
    monkeypatch.delenv("FORCE_COLOR")
    monkeypatch.delenv("NO_COLOR")
    assert "\x1b" not in command("costs").out


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


def test_a_formula_is_text_and_a_number_stays_a_number(command: "Command", filled: "LedgerFolder") -> None:
    for number, text in enumerate(("=1+1", "+SUM(A1)", "@cmd", "-2+3", "-12.5", "=cmd|' /C calc'!A0", "- a dash")):
        filled.add("source", f"s{number}", title=text)
    rows = csv.DictReader(io.StringIO(command("sources", "--format", "csv").out))
    titles = [row["title"] for row in rows if row["id"] != "page"]
    assert titles == ["'=1+1", "'+SUM(A1)", "'@cmd", "'-2+3", "-12.5", "'=cmd|' /C calc'!A0", "'- a dash"]


@pytest.fixture
def hostile(ledger_folder: "LedgerFolder") -> "LedgerFolder":
    """A ledger whose texts try everything."""
    ledger_folder.add_page(title=HOSTILE, publisher=HOSTILE, url="https://demo.example/\x1b]8;;x\x07")
    ledger_folder.add("claim", "c", statement=HOSTILE, locator=HOSTILE, caveats=[HOSTILE], note=HOSTILE)
    ledger_folder.add("cost", "p", item=HOSTILE, provider=HOSTILE, locator=HOSTILE)
    ledger_folder.add("claim", "d", source="nowhere", subject=HOSTILE)
    ledger_folder.write("records/\u202eevil\x1b[2J.toml", "[[claim]]\n")
    return ledger_folder


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("columns", ["80", "200"])
def test_nothing_acts_on_the_terminal(
    arguments: tuple[str, ...], columns: str, command: "Command", hostile: "LedgerFolder", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    done = command(*arguments)
    assert done.code == (1 if arguments == ("check",) else 0)
    for sign in ACTING:
        assert sign not in done.out + done.err
    assert "Traceback" not in done.err
    assert done.out


def test_the_text_is_still_there(command: "Command", hostile: "LedgerFolder") -> None:
    [row] = json.loads(command("claims", "--format", "json", "--source", "page").out)
    assert row["record"]["statement"] == HOSTILE
    assert "\\x1b[2J" in command("show", "c").out
    assert "\\u202eabc" in command("show", "c").out
    assert "<script>alert(1)</script>" in command("show", "c").out


def test_no_row_is_forged_in_a_table(command: "Command", hostile: "LedgerFolder") -> None:
    lines = command("claims").out.splitlines()
    assert [line for line in lines if line.startswith(("|", "#", "---"))] == []
    assert lines[-1].startswith("1 row")


def test_a_csv_cell_keeps_its_row(command: "Command", hostile: "LedgerFolder") -> None:
    rows = list(csv.DictReader(io.StringIO(command("sources", "--format", "csv").out)))
    assert [row["id"] for row in rows] == ["page"]
    assert "| fake | row |" in rows[0]["title"]


@pytest.mark.parametrize("name", ["claims", "sources", "costs"])
def test_markdown_shows_it_literally(name: str, command: "Command", hostile: "LedgerFolder") -> None:
    markdown = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    tokens = [token for block in markdown.parse(command(name, "--format", "markdown").out) for token in (block, *(block.children or ()))]
    kinds = {token.type for token in tokens}
    assert not kinds & {"html_inline", "html_block", "link_open", "image", "heading_open", "hr", "code_inline", "strong_open", "s_open"}
    assert sum(token.type == "tr_open" for token in tokens) == 2
    text = "".join(token.content for token in tokens if token.type in ("text", "text_special", "softbreak"))
    assert "<script>alert(1)</script>" in text
    assert "&lt;" in text
    assert "~~gone~~" in text


def test_a_hostile_argument_is_told_in_one_safe_line(command: "Command", hostile: "LedgerFolder") -> None:
    done = command("show", "x\n\x1b[2J\u202e")
    assert done.code == 2
    assert done.err.count("\n") == 1
    assert not any(sign in done.err for sign in ACTING)
