"""What is said of a capture: the first, the same bytes, other markup, other content."""

from datetime import date

import pytest

from ledger.analysis.claims.quotes import QuoteCheck
from ledger.cli.commands.source.captured import print_captured
from ledger.model.records.source import Capture
from ledger.store.sources.captures import CaptureResult

A, B = "a" * 64, "b" * 64


def taken(digest: str, text_digest: str, day: int = 5) -> Capture:
    """A capture of a day in May."""
    return Capture.model_validate(
        {"retrieved_at": date(2025, 5, day), "sha256": digest, "text_sha256": text_digest, "media_type": "text/html"}
    )


@pytest.mark.parametrize(
    ("before", "says"),
    [
        (None, ["  first capture with a hash; nothing to compare it with"]),
        (taken(B, B, 1), ["  unchanged: the same bytes as on 2025-05-01"]),
        (taken(A, B, 1), ["  unchanged: the same text, other markup as on 2025-05-01"]),
        (taken(A, A, 1), ["  DRIFTED: the content of 2025-05-01 differs; both are kept", "  rests on it: one, two"]),
    ],
)
def test_what_became_of_the_content(before: Capture | None, says: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    quotes = (QuoteCheck("one", "quote", "as said", "found"),)
    print_captured(CaptureResult("page", "records/sources/page.toml", taken(B, B), before, ("one", "two"), quotes))
    first, *others = capsys.readouterr().out.splitlines()
    assert first == f"page: captured 2025-05-05, sha256 {B}, text/html"
    assert others == [*says, '  one quote: "as said" found']


def test_drift_below_which_nothing_rests(capsys: pytest.CaptureFixture[str]) -> None:
    print_captured(CaptureResult("page", "page.toml", taken(B, B), taken(A, A, 1), (), ()))
    assert capsys.readouterr().out.splitlines()[-1] == "  rests on it: nothing"
