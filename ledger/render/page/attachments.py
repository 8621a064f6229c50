"""What travels inside a PDF: the canonical Markdown, the cited records, the figures' data, and the hashes of all."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

from ledger.model.values.meaning import meaning_hash
from ledger.render.article.document import Document


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file inside a PDF; `relationship` is one of those of PDF/A-3."""

    name: str
    description: str
    relationship: Literal["Source", "Data"]
    text: str


def attachments(document: Document) -> Iterator[Attachment]:
    """Yield the files that travel inside the PDF; the last one has the hashes of the others."""
    parts = [
        Attachment("article.md", "Canonical Markdown", "Source", document.markdown),
        Attachment("records.json", "Cited records with their meaning hashes", "Data", _records(document)),
        Attachment("figures.json", "Data of the figures", "Data", _json([_figure(name, document) for name in document.figures])),
    ]
    manifest = {"document": document.hash, "sha256": {part.name: sha256(part.text.encode()).hexdigest() for part in parts}}
    yield from parts
    yield Attachment("manifest.json", "Hashes of the attached files", "Data", _json(manifest))


def _records(document: Document) -> str:
    listed = [
        {"meaning": meaning_hash(r), "kind": r.KIND, "record": r.model_dump(mode="json", exclude_none=True, by_alias=True)}
        for r in document.records
    ]
    return _json(listed)


def _figure(name: str, document: Document) -> dict[str, object]:
    figure = document.figures[name]
    return {"name": name, "header": figure.header, "rows": figure.rows, "svg": figure.svg}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
