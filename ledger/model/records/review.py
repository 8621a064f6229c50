"""A review: somebody other than the author checked a record, aspect by aspect."""

from typing import Annotated, Literal

from pydantic import Field, StrictInt, StringConstraints

from ledger.model.record import Record
from ledger.model.values.values import Day, Slug, Text

Aspect = Literal["locator", "numbers", "conditions", "approved-for-use"]
MeaningHash = Annotated[str, StringConstraints(pattern=r"^m\d+:[0-9a-f]{64}$")]


class Review(Record):
    """Counts while the target's meaning hash is the one reviewed and the reviewer is not its author."""

    KIND = "review"
    MEANING = ("target", "target_meaning", "reviewer", "reviewed_on", "aspects", "verdict", "bulk")

    target: Slug
    target_meaning: MeaningHash
    reviewer: Text
    reviewed_on: Day
    aspects: tuple[Aspect, ...]
    verdict: Literal["accepted", "rejected"]
    bulk: Annotated[StrictInt, Field(ge=2)] | None = None
    """How many records were reviewed in one go; absent for a record reviewed by itself."""
