"""Full-text search over every record: an FTS5 table beside the index, filled with it.

What is asked for is text, never FTS5 syntax: words are ANDed, quotes make a phrase, every other sign is literal or
a word boundary.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sqlalchemy import Connection, text

from ledger.analysis.claims.resolve import quantity_text, statement_text
from ledger.errors import UsageError
from ledger.model.catalogue import Catalogue, Entry
from ledger.model.record import Record
from ledger.model.records.article import Article
from ledger.model.records.claim import Claim

_TABLE = """CREATE VIRTUAL TABLE fulltext USING fts5(
    id, title, body, kind UNINDEXED, label UNINDEXED, path UNINDEXED, tokenize = "unicode61 remove_diacritics 2")"""
_QUERY = """SELECT id, kind, label, path, title, snippet(fulltext, -1, '', '', ' … ', 24) FROM fulltext
    WHERE fulltext MATCH :words AND (:kind IS NULL OR kind = :kind) ORDER BY bm25(fulltext, 4.0, 2.0, 1.0), id LIMIT :limit"""
_PHRASE = re.compile(r'"([^"]*)"|(\S+)')
_TITLES = ("title", "question", "statement", "item", "reason")
_HASH = re.compile(r"^(?:m\d+:)?[0-9a-f]{40,64}$")


@dataclass(frozen=True, slots=True)
class SearchMatch:
    """A record that holds what was searched for, with the piece of its text that does."""

    id: str
    kind: str
    label: str | None
    path: str
    title: str
    snippet: str


def fill(connection: Connection, catalogue: Catalogue) -> None:
    """Create the table and write every record's text into it."""
    connection.execute(text(_TABLE))
    rows = [_row(catalogue, entry) for entry in catalogue.by_id.values()]
    if rows:
        connection.execute(text("INSERT INTO fulltext VALUES (:id, :title, :body, :kind, :label, :path)"), rows)


def search(connection: Connection, words: str, *, kind: str | None, limit: int) -> list[SearchMatch]:
    """Return the records that hold every word and phrase, the best match first.

    Raises:
        UsageError: the text holds no letter and no digit.
    """
    values = {"words": match_expression(words), "kind": kind, "limit": limit}
    return [SearchMatch(*row) for row in connection.execute(text(_QUERY), values)]


def match_expression(words: str) -> str:
    """Return the FTS5 query of a text: each word and each quoted phrase as a quoted string, joined by AND."""
    terms = [phrase or word for phrase, word in _PHRASE.findall(words)]
    terms = [term.replace('"', " ") for term in terms if any(char.isalnum() for char in term)]
    if not terms:
        raise UsageError(f'"{words}" holds no word to search for. Give a word, or a phrase in quotes.')
    return " AND ".join(f'"{term}"' for term in terms)


def _row(catalogue: Catalogue, entry: Entry) -> dict[str, str | None]:
    record = entry.record
    return {
        "id": record.id,
        "kind": record.KIND,
        "label": getattr(record, "label", None),
        "path": entry.path,
        "title": _title(catalogue, record),
        "body": "\n".join(dict.fromkeys(_texts(record))),
    }


def _title(catalogue: Catalogue, record: Record) -> str:
    if isinstance(record, Claim):
        return statement_text(catalogue, record)[0]
    return next((str(getattr(record, name)) for name in _TITLES if getattr(record, name, None)), record.id)


def _texts(record: Record) -> Iterator[str]:
    """Yield every text that a reader may remember: fields as written, quantities as printed; no hashes."""
    if isinstance(record, Article):
        yield from (record.summary, record.prose)
        return
    yield from _strings(record.model_dump(mode="json", exclude_defaults=True, exclude={"id", "kind", *_TITLES}))
    if isinstance(record, Claim):
        yield from (quantity_text(quantity) for quantity in record.quantities)


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str) and not _HASH.match(value):
        yield value
    elif isinstance(value, dict):
        yield from _all_strings(value.values())
    elif isinstance(value, list | tuple):
        yield from _all_strings(value)


def _all_strings(values: Iterable[object]) -> Iterator[str]:
    for value in values:
        yield from _strings(value)
