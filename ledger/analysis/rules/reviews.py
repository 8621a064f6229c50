"""Rules about reviews."""

from collections.abc import Iterator

from ledger.errors import Problem
from ledger.model.catalogue import Catalogue, Entry
from ledger.model.records.review import Review
from ledger.model.values.meaning import meaning_hash


def _reviews(catalogue: Catalogue) -> Iterator[tuple[Entry, Review, Entry]]:
    for entry in catalogue:
        if isinstance(entry.record, Review) and (target := catalogue.by_id.get(entry.record.target)):
            yield entry, entry.record, target


def check_reviewers(catalogue: Catalogue) -> Iterator[Problem]:
    """The reviewer of a record is not its author."""
    for entry, review, target in _reviews(catalogue):
        if review.reviewer == getattr(target.record, "author", None):
            yield entry.problem(
                "LEDG070", ("reviewer",), f"{review.reviewer} wrote {review.target}.", remedy="Let somebody else review it."
            )


def check_lapsed(catalogue: Catalogue) -> Iterator[Problem]:
    """A review counts only for the meaning that was reviewed."""
    for entry, review, target in _reviews(catalogue):
        if review.target_meaning != meaning_hash(target.record):
            yield entry.problem(
                "LEDG071",
                ("target_meaning",),
                f"{review.target} has changed since; the review has lapsed.",
                remedy="Review it again.",
                severity="warning",
            )
