"""Sources that changed between two captures, and when a record counts as checked against it."""

from datetime import date
from typing import Any

import pytest

from ledger.analysis.validity.drift import accepted_reviews, drifts, unsettled_drift
from ledger.model.records.claim import Claim
from ledger.model.records.retraction import Retraction
from ledger.model.records.review import Review
from ledger.model.records.source import Source
from ledger.model.values.meaning import meaning_hash
from tests.record_fixtures import catalogue_of, make

A, B, C = "a" * 64, "b" * 64, "c" * 64
CLAIM = make(Claim, "said")
CHANGED: list[tuple[str, str | None, str | None]] = [("2025-01-05", A, None), ("2025-03-05", B, None), ("2025-05-05", C, None)]


def page(captures: list[tuple[str, str | None, str | None]]) -> Source:
    """A source with captures, each a day, the hash of its bytes and that of its text."""
    fields = [{"retrieved_at": day, "sha256": bytes_hash, "text_sha256": text_hash} for day, bytes_hash, text_hash in captures]
    return make(Source, "page", captures=[{name: value for name, value in capture.items() if value} for capture in fields])


def review(day: str, **fields: Any) -> Review:
    return make(Review, f"on-{day}", **{"target": "said", "target_meaning": meaning_hash(CLAIM), "reviewed_on": day, **fields})


@pytest.mark.parametrize(
    ("captures", "changes"),
    [
        ([], []),
        (CHANGED[:1], []),
        (CHANGED, [("2025-01-05", "2025-03-05"), ("2025-03-05", "2025-05-05")]),
        ([CHANGED[1], CHANGED[0]], [("2025-01-05", "2025-03-05")]),
        ([("2025-01-05", A, None), ("2025-02-05", None, None), ("2025-03-05", B, None)], [("2025-01-05", "2025-03-05")]),
        ([("2025-01-05", A, C), ("2025-03-05", B, C)], []),
        ([("2025-01-05", A, B), ("2025-03-05", A, C)], [("2025-01-05", "2025-03-05")]),
        ([("2025-01-05", A, C), ("2025-03-05", B, None)], [("2025-01-05", "2025-03-05")]),
    ],
)
def test_each_change_of_known_content_is_found_in_order_of_time(captures: list[Any], changes: list[tuple[str, str]]) -> None:
    assert [(str(drift.before.retrieved_at), str(drift.after.retrieved_at)) for drift in drifts(page(captures))] == changes


@pytest.mark.parametrize(
    ("reviews", "since", "expected"),
    [
        ([], None, "2025-03-05"),
        ([], date(2025, 3, 4), "2025-03-05"),
        ([], date(2025, 3, 5), "2025-05-05"),
        ([], date(2025, 5, 5), None),
        ([review("2025-03-04")], None, "2025-03-05"),
        ([review("2025-03-05")], None, "2025-05-05"),
        ([review("2025-05-05")], None, None),
        ([review("2025-03-05"), review("2025-06-01")], None, None),
        ([review("2025-06-01", verdict="rejected")], None, "2025-03-05"),
        ([review("2025-06-01", target_meaning=f"m1:{A}")], None, "2025-03-05"),
    ],
)
def test_an_accepted_review_from_the_day_of_the_change_on_settles_it(
    reviews: list[Review], since: date | None, expected: str | None
) -> None:
    source = page(CHANGED)
    drift = unsettled_drift(catalogue_of(source, CLAIM, *reviews), CLAIM, source, since=since)
    assert (str(drift.after.retrieved_at) if drift else None) == expected


def test_a_review_that_was_taken_back_settles_nothing() -> None:
    among = catalogue_of(page(CHANGED), CLAIM, review("2025-06-01"), make(Retraction, "back", target="on-2025-06-01"))
    assert accepted_reviews(among, CLAIM) == []
    assert unsettled_drift(among, CLAIM, page(CHANGED)) is not None
