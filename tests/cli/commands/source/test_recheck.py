"""`ledger source recheck`: what is due, and sources that cannot be read, which stop no other."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.cli.conftest import Command
    from tests.conftest import LedgerFolder


def test_the_list_says_what_is_due_and_reads_nothing(ledger_folder: "LedgerFolder", command: "Command") -> None:
    ledger_folder.add_page(url="http://127.0.0.1:1/", recheck_days=30)
    ledger_folder.add_page("fresh", url="http://127.0.0.1:1/f", recheck_days=300)
    done = command("source", "recheck", "--list", "--as-of", "2025-02-10")
    assert (done.code, done.out) == (0, "page: last read on 2025-01-05, due on 2025-02-04\n")
    assert done.err == "1 source(s) due as of 2025-02-10, none read.\n"
    assert command("source", "recheck", "fresh", "--list", "--as-of", "2025-02-10").out == "fresh: not due\n"


def test_one_that_does_not_answer_stops_no_other(ledger_folder: "LedgerFolder", command: "Command") -> None:
    ledger_folder.add_page(url="http://127.0.0.1:1/")
    ledger_folder.add_page("paper", title="Another")
    done = command("source", "recheck", "page", "paper", "nowhere", "--as-of", "2025-02-10")
    lines = done.out.splitlines()
    assert [line.split(":")[0] for line in lines] == ["page", "paper", "nowhere"]
    assert lines[1] == "paper: has no address; capture it from a file"
    assert (done.code, done.err) == (1, "3 source(s) read again as of 2025-02-10, 3 drifted or failed.\n")
