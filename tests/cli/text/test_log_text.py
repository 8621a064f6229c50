"""A record's line in words: what was recorded when and by whom, and the records about it."""

from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

from ledger.cli.text.log_text import log_fields, log_lines, writer_of
from ledger.store.index.record_log import Log, LogEntry, RecordLanding

if TYPE_CHECKING:
    from tests.conftest import LedgerFolder

DAY = date(2025, 6, 1)
LANDED = RecordLanding(date(2025, 2, 3), "abcdef0123456789", "C. Ommitter")


def log_of_drafts(folder: "LedgerFolder", *, landed: RecordLanding | None, gap: str | None = None, **review: Any) -> Log:
    """The line of one claim, and a review of it."""
    folder.add_page()
    folder.add("claim", "drafts", author="A. Uthor")
    folder.add("review", "look", target="drafts", reviewed_on="2025-02-01", **review)
    by_id = folder.catalogue().by_id
    return Log((LogEntry(by_id["drafts"], landed, (LogEntry(by_id["look"], None),)),), gap)


def test_commit_author_and_writer_are_told_apart(ledger_folder: "LedgerFolder") -> None:
    log = log_of_drafts(ledger_folder, landed=LANDED)
    assert list(log_lines(ledger_folder.catalogue(), log, "drafts", as_of=DAY)) == [
        "* drafts",
        "    claim, current, records/claims/drafts.toml",
        "    recorded 2025-02-03 in abcdef012345 by C. Ommitter, written by A. Uthor",
        "    - look: accepted on 2025-02-01 (locator)",
        "      unrecorded, written by R. Eader",
    ]


def test_without_a_history_nothing_is_called_unrecorded(ledger_folder: "LedgerFolder") -> None:
    log = log_of_drafts(ledger_folder, landed=None, gap="in no git repository", bulk=7)
    lines = list(log_lines(ledger_folder.catalogue(), log, "another", as_of=DAY))
    assert lines[0] == "  drafts"
    assert lines[2] == "    no history here, written by A. Uthor"
    assert lines[3] == "    - look: accepted on 2025-02-01 (locator, one of 7 in bulk)"


def test_fields_hold_the_same(ledger_folder: "LedgerFolder") -> None:
    log = log_of_drafts(ledger_folder, landed=LANDED)
    fields = log_fields(ledger_folder.catalogue(), log.records[0], DAY)
    assert (fields["state"], fields["author"], fields["recorded_on"], fields["commit_author"]) == (
        "current",
        "A. Uthor",
        "2025-02-03",
        "C. Ommitter",
    )
    assert [(about["id"], about["says"], about["commit"]) for about in fields["about"]] == [
        ("look", "accepted on 2025-02-01 (locator)", None)
    ]


@pytest.mark.parametrize(
    ("kind", "fields", "writer"),
    [
        ("claim", {"author": "A."}, "A."),
        ("review", {"reviewer": "R."}, "R."),
        ("waiver", {"by": "W."}, "W."),
        ("retraction", {}, None),
    ],
)
def test_who_wrote_a_record(kind: str, fields: dict[str, str], writer: str | None, ledger_folder: "LedgerFolder") -> None:
    ledger_folder.add(kind, "it", **fields)
    assert writer_of(ledger_folder.catalogue().by_id["it"].record) == writer
