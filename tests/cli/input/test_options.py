"""Options that several commands share mean the same in each."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Command
    from tests.conftest import LedgerFolder

LISTS = ("claims", "sources", "costs", "runs", "protocols", "articles")


@pytest.mark.parametrize("name", [*LISTS, "search", "conflicts", "sql"])
def test_every_question_takes_format_out_and_known_at_with_one_help(name: str, ledger_folder: "LedgerFolder", command: "Command") -> None:
    text = " ".join(command(name, "--help").out.split())
    assert "--format <table|json|csv|markdown|xlsx> How to print. [default: table]" in text
    assert "--out FILE Write to a file; a workbook needs one." in text
    assert "--known-at DATE|COMMIT What the ledger knew then." in text


@pytest.mark.parametrize("name", LISTS)
def test_a_list_goes_to_a_file_with_the_bytes_that_it_prints(name: str, filled: "LedgerFolder", command: "Command") -> None:
    printed = command(name, "--format", "csv").out
    done = command(name, "--format", "csv", "--out", "list.csv")
    assert (done.code, done.out) == (0, "")
    assert (filled.root / "list.csv").read_bytes() == printed.encode()


@pytest.mark.parametrize("words", [("run", "plan"), ("resume", "r"), ("record", "r")])
def test_who_runs_is_one_of_three(words: tuple[str, ...], ledger_folder: "LedgerFolder", command: "Command") -> None:
    done = command("bench", *words, "--executor", "author")
    assert done.code == 2
    assert "'author' is not one of 'own', 'supplier', 'third-party'" in " ".join(done.err.split())
