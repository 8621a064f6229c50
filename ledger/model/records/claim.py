"""A claim: one statement, its label, who made it, and the quantities it carries."""

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, StrictInt, StringConstraints

from ledger.model.record import Part, Record
from ledger.model.records.source import Relation
from ledger.model.values.moments import Moment
from ledger.model.values.reference import Reference
from ledger.model.values.units import Unit
from ledger.model.values.values import Day, Exact, Name, PartialDate, Slug, Text

Label = Literal["vendor-claimed", "proposed", "measured"]
Side = Literal["technical", "pricing"]
Bound = Literal["exactly", "about", "up-to", "at-least"]
Subject = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+([-.][a-z0-9]+)*(/[a-z0-9]+([-.][a-z0-9]+)*)*$")]

PLACEHOLDER = re.compile(r"\{([a-z0-9][a-z0-9._-]*)\}")


def _require_named_braces(text: str) -> str:
    if "{" in (rest := PLACEHOLDER.sub("", text)) or "}" in rest:
        raise ValueError("got a brace that names no quantity, expected {name} with a name from quantities or values")
    return text


class Quantity(Part):
    """One number of a claim: a value or a range, with its unit, bound and conditions."""

    name: Name
    metric: Name
    value: Exact | None = None
    low: Exact | None = None
    high: Exact | None = None
    bound: Bound = "exactly"
    unit: Unit
    statistic: Literal["mean", "median", "p90", "p95", "p99", "min", "max", "total"] | None = None
    samples: StrictInt | None = None
    """How many samples stand behind it, where the source says so."""
    conditions: dict[Name, str] = {}
    """What the number holds for: model, hardware, dataset, load."""


class Flag(Part):
    """A quoted command-line flag, with the tool and version that take it."""

    text: Text
    tool: Text
    version: Text


class Ended(Part):
    """Why a statement holds no longer although no record of ours replaces it."""

    on: PartialDate
    """First day it no longer held."""
    because: Text


class Support(Part):
    """A further source of the same statement."""

    source: Slug
    locator: Text


class Claim(Record):
    """A dated statement about a subject, labelled by the proof that stands behind it."""

    KIND = "claim"
    MEANING = (
        "label",
        "side",
        "subject",
        "statement",
        "source",
        "locator",
        "also",
        "quote",
        "relation",
        "asserted_on",
        "ended",
        "version",
        "quantities",
        "flags",
        "caveats",
        "bears_on",
        "conflicts_with",
        "values",
        "protocol",
    )

    label: Label
    side: Side
    subject: Subject
    """System, then method or part, from general to special: `vllm/ngram`."""
    statement: Annotated[Text, AfterValidator(_require_named_braces)]
    """In our own words; `{name}` prints a quantity."""
    source: Slug | None = None
    locator: Text | None = None
    """Where in the source: section, line, figure."""
    also: tuple[Support, ...] = ()
    quote: Text | None = None
    """A short exact quotation, where the licence allows one."""
    relation: Relation | None = None
    """The claimant's relation, where it differs from the source's."""
    asserted_on: Moment | None = None
    """When it was said, as a date or a time; absent where the source gives none."""
    ended: Ended | None = None
    version: Text | None = None
    """The software version the statement speaks of."""
    quantities: tuple[Quantity, ...] = ()
    flags: tuple[Flag, ...] = ()
    caveats: tuple[Text, ...] = ()
    """Limits that the source itself states, in our words."""
    bears_on: tuple[Slug, ...] = ()
    """Claims that it tests."""
    conflicts_with: tuple[Slug, ...] = ()
    """Claims that say otherwise; counts in both directions."""
    values: dict[Name, Reference] = {}
    """Measured claims only: references into runs."""
    protocol: Slug | None = None
    """Proposed claims only: the protocol that would test it."""
    author: Text | None = None
    """Who wrote this record; a reviewer is somebody else."""

    def quantity(self, name: str) -> Quantity | None:
        """Return the quantity of that name, if there is one."""
        return next((quantity for quantity in self.quantities if quantity.name == name), None)

    @property
    def placeholders(self) -> tuple[str, ...]:
        """Names in braces in the statement, in order."""
        return tuple(PLACEHOLDER.findall(self.statement))

    @property
    def valid_from(self) -> Day | None:
        """The first day on which it held, as far as known; None where no date is known."""
        return self.asserted_on.certain_from if self.asserted_on else None
