"""A source: who said something, where, and when we saw it."""

from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, StrictInt

from ledger.model.record import Part, Record
from ledger.model.values.values import Day, Instant, PartialDate, Sha256, Slug, Text

Relation = Literal["supplier", "author", "third-party", "user-report", "own"]
SourceType = Literal[
    "documentation",
    "blog",
    "paper",
    "release-notes",
    "source-code",
    "issue",
    "price-list",
    "quote",
    "contract",
    "invoice",
    "benchmark-report",
    "article",
    "edition",
]


def _require_address(url: str) -> str:
    try:
        urlsplit(url)
    except ValueError as error:
        raise ValueError(f'got "{url}", expected an address ({error})') from None
    return url


RELATION_WORDS: dict[Relation, str] = {
    "supplier": "supplier",
    "author": "method's authors",
    "third-party": "third party",
    "user-report": "user report",
    "own": "our own",
}


class Capture(Part):
    """One look at the source: when, at which version, and the bytes' hash where they were kept."""

    retrieved_at: Day
    """The day it was read."""
    version: str | None = None
    """A release, tag or edition of what was read."""
    commit: str | None = None
    scope: str | None = None
    """What was read: the whole page, an excerpt, an abstract."""
    sha256: Sha256 | None = None
    archived: str | None = None
    """Name of the archived blob; absent when none was kept."""
    fetched_at: Instant | None = None
    """The instant, where the program took it itself."""
    media_type: Text | None = None
    text_sha256: Sha256 | None = None
    """Hash of the text in it, set alike: a page whose markup alone changed keeps it."""
    charset: Text | None = None
    """The encoding that the server named for it."""
    final_url: Text | None = None
    """Where the answer came from, where redirects led away from the address that was asked for."""
    status: StrictInt | None = None
    """The answer's HTTP status."""


class Source(Record):
    """A document, thread, release, price list or benchmark outside this ledger."""

    KIND = "source"
    MEANING = ("title", "publisher", "url", "type", "relation", "published_on", "received_on", "licence", "supplier_of")

    title: Text
    publisher: Text
    url: Annotated[Text, AfterValidator(_require_address)] | None = None
    """The address as it was found."""
    type: SourceType
    relation: Relation
    """How whoever speaks here stands to the subject."""
    published_on: PartialDate | None = None
    received_on: Day | None = None
    captures: tuple[Capture, ...] = ()
    volatility: Literal["fixed", "living", "event"] = "living"
    recheck_days: StrictInt | None = None
    licence: Text
    """As stated by the source; `not stated` where it says nothing."""
    reliability: Literal["a", "b", "c", "d"] | None = None
    """a: primary and dated; b: primary, undated or partial; c: secondary or one report; d: weak."""
    supplier_of: tuple[Slug, ...] = ()
    """Subjects (first part of a claim's subject) that the publisher sells or maintains."""

    @property
    def first_seen(self) -> Day | None:
        """The earliest day on which it was read."""
        return min((capture.retrieved_at for capture in self.captures), default=None)

    @property
    def last_seen(self) -> Day | None:
        """The latest day on which it was read."""
        return max((capture.retrieved_at for capture in self.captures), default=None)
