"""`ledger retract ID`: a retraction beside the record, and the reason that it needs."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.cli.conftest import Command
    from tests.conftest import LedgerFolder


def test_a_retraction_is_written_and_the_record_stays(page_folder: "LedgerFolder", command: "Command") -> None:
    before = (page_folder.root / "records/claims/drafts.toml").read_bytes()
    done = command("retract", "drafts", "--reason", "Misread.", "--id", "no-drafts")
    assert (done.code, done.out) == (0, "records/retractions/no-drafts.toml\n"), done.err
    text = (page_folder.root / "records/retractions/no-drafts.toml").read_text()
    assert 'target = "drafts"' in text
    assert 'reason = "Misread."' in text
    assert (page_folder.root / "records/claims/drafts.toml").read_bytes() == before


def test_without_a_reason_or_a_record_nothing_is_written(page_folder: "LedgerFolder", command: "Command") -> None:
    done = command("retract", "drafts")
    assert (done.code, done.err) == (2, "needs --reason. Nothing was written.\n")
    assert command("retract", "draft", "--reason", "R.").err == "draft: no such record. Did you mean drafts?\n"
    assert not (page_folder.root / "records/retractions").exists()
