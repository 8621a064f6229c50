"""What travels inside a PDF: the canonical Markdown, the cited records, the figures' data, and the hashes of all."""

import json
from collections.abc import Iterator
from hashlib import sha256

from ledger.model.values.meaning import meaning_hash
from ledger.render.article.document import Document


def bundle(document: Document) -> Iterator[tuple[str, str, str, str]]:
    """Name, description, relationship and content of what travels inside the PDF."""
    parts = [
        ("article.md", "Canonical Markdown", "Source", document.markdown),
        ("records.json", "Cited records with their meaning hashes", "Data", _records(document)),
        ("figures.json", "Data of the figures", "Data", _json([_figure(name, document) for name in document.figures])),
    ]
    manifest = {"document": document.hash, "sha256": {name: sha256(text.encode()).hexdigest() for name, _, _, text in parts}}
    yield from parts
    yield "manifest.json", "Hashes of the attached files", "Data", _json(manifest)


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
