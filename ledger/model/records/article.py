"""An article is a draft: Markdown with TOML front matter. An edition is what was published of it."""

from typing import Annotated, Literal

from pydantic import Field, StrictInt

from ledger.model.record import Part, Record
from ledger.model.records.claim import Side
from ledger.model.records.review import MeaningHash
from ledger.model.values.values import Day, Instant, Sha256, Slug, Text


class Article(Record):
    """The front matter and prose of a draft; drafts lie outside the history guard."""

    KIND = "article"
    MEANING = (
        "title",
        "subtitle",
        "side",
        "type",
        "series",
        "authors",
        "as_of",
        "language",
        "template",
        "summary",
        "run",
        "technical_edition",
        "prose",
    )

    title: Text
    subtitle: Text | None = None
    side: Side
    type: Literal["technical", "pricing"]
    series: Text | None = None
    """An editor's numbering."""
    authors: Annotated[tuple[Text, ...], Field(min_length=1)]
    as_of: Day
    language: Annotated[str, Field(pattern=r"^[a-z]{2}(-[A-Z]{2})?$")] = "en"
    template: Slug = "journal"
    summary: Text
    """One or two sentences for the reader and for the document's metadata."""
    run: Text | None = None
    """The run that `run:@run` stands for: an id, or `@demo`, bound when the article is built."""
    technical_edition: Slug | None = None
    """Pricing documents only: the technical article whose results it prices."""
    prose: str
    """Markdown with citations."""
    prose_line: StrictInt = 1
    """Line of the file on which the prose starts."""


class CitedRecord(Part):
    """A record as it was when an edition cited it."""

    id: Slug
    meaning: MeaningHash


class Edition(Record):
    """A published article: outputs by hash, and every cited record with its meaning."""

    KIND = "edition"
    MEANING = ("article", "number", "commit", "as_of", "published_at", "toolchain", "outputs", "cited")

    article: Slug
    number: Annotated[StrictInt, Field(ge=1)]
    commit: Annotated[str, Field(pattern=r"^[0-9a-f]{40}$")]
    as_of: Day
    published_at: Instant
    toolchain: dict[str, str]
    outputs: dict[str, Sha256]
    cited: tuple[CitedRecord, ...]
