"""A retraction takes a record back without a replacement."""

from ledger.model.record import Record
from ledger.model.values.values import Day, Slug, Text


class Retraction(Record):
    """From its landing on, the target must not be relied on."""

    KIND = "retraction"
    MEANING = ("target", "reason", "retracted_on")

    target: Slug
    reason: Text
    retracted_on: Day
