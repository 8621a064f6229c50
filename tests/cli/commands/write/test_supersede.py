"""`ledger supersede ID`: a copy with changes, the old file as it was."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.cli.conftest import Command
    from tests.conftest import LedgerFolder


def test_supersede_retract_review_and_check(page_folder: "LedgerFolder", command: "Command") -> None:
    quantity = {"name": "speedup", "metric": "output-speedup", "value": "2.8", "unit": "x"}
    page_folder.add("claim", "fast", statement="It gave {speedup}.", quantities=[quantity], author="A. Uthor")
    before = (page_folder.root / "records/claims/fast.toml").read_bytes()
    sets = ("--set", "quantities.speedup.value=2.3", "--set", "caveats=one set", "--set", "asserted-on=2025-02")
    done = command("supersede", "fast", "--id", "fast-2", "--because", "correction", "--reason", "Misread.", *sets)
    assert (done.code, done.out) == (0, "records/claims/fast-2.toml\n"), done.err
    text = (page_folder.root / "records/claims/fast-2.toml").read_text()
    assert 'value = "2.3"' in text
    assert 'supersedes = { id = "fast", because = "correction", reason = "Misread." }' in text
    done = command("review", "fast-2", "page", "--verdict", "accepted", "--aspect", "locator", "--reviewer", "R. Eader")
    assert done.code == 0, done.err
    assert len(done.out.splitlines()) == 2
    assert command("retract", "fast-2", "--reason", "Withdrawn.").out == "records/retractions/fast-2-retraction.toml\n"
    assert (page_folder.root / "records/claims/fast.toml").read_bytes() == before
    page_folder.now = datetime.now(UTC)  # the records bear the clock's day
    assert page_folder.codes() == []
