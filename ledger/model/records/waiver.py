"""A waiver: the only way to silence a finding outside an article, with a reason and an end."""

from typing import Annotated

from pydantic import StringConstraints

from ledger.model.record import Record
from ledger.model.values.values import Day, Slug, Text

RuleCode = Annotated[str, StringConstraints(pattern=r"^LEDG\d{3}$")]


class Waiver(Record):
    """Silences one rule about one record until a day."""

    KIND = "waiver"
    MEANING = ("rule", "target", "reason", "until", "by")

    rule: RuleCode
    """Code of the rule, such as LEDG042."""
    target: Slug
    """Id of the record that the finding is about."""
    reason: Text
    until: Day
    """First day on which the finding is told again."""
    by: Text
    """Who decided it."""
