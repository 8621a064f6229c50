"""`ledger log ID`: the whole line for people and for programs; why there is no history goes to standard error."""

from typing import TYPE_CHECKING

from tests.cli.conftest import strict

if TYPE_CHECKING:
    from tests.cli.conftest import Command
    from tests.conftest import LedgerFolder


def test_the_line_is_printed_with_a_star_at_the_record_asked_for(filled: "LedgerFolder", command: "Command") -> None:
    filled.git("init", "-q", "-b", "main")
    filled.git("add", ".")
    filled.git("commit", "-qm", "one")
    done = command("log", "later")
    assert (done.code, done.err) == (0, "")
    assert [line for line in done.out.splitlines() if not line.startswith("  ")] == ["* later"]
    assert "  gain" in done.out.splitlines()
    assert "supersedes gain (change): New release." in done.out
    assert f"in {filled.git('rev-parse', 'HEAD')[:12]} by T" in done.out


def test_programs_get_dates_and_commits(filled: "LedgerFolder", command: "Command") -> None:
    done = command("log", "gain", "--format", "json")
    rows = strict(done.out)
    assert [(row["id"], row["state"], row["recorded_on"], row["commit"]) for row in rows] == [
        ("gain", "superseded", None, None),
        ("later", "current", None, None),
    ]
    assert "unrecorded: " in done.err
