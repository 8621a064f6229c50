"""C46: text of a record is shown as it stands and drives neither terminal nor table nor page."""

import csv
import io
import json
from typing import TYPE_CHECKING

import pytest
from markdown_it import MarkdownIt

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
