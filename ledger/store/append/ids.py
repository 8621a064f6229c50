"""Ids for records whose writer gives none: made from what the record speaks of, never from a value."""

import re
import unicodedata
from collections.abc import Collection, Mapping
from typing import Any

from ledger.model.records.claim import PLACEHOLDER

LONGEST = 60
"""Characters of a proposed id, its number aside."""
_LIMIT = 100
_NAMED_BY: dict[str, tuple[str, ...]] = {
    "source": ("publisher", "title"),
    "claim": ("subject", "statement"),
    "cost": ("item", "region", "price_kind"),
    "protocol": ("question",),
    "waiver": ("rule", "target"),
    "retraction": ("target",),
    "review": ("target", "reviewed_on", "reviewer"),
}
"""Fields that name a record of each kind; `title` for the others."""
_ENDINGS = {"retraction": "retraction", "review": "review"}


def propose_id(kind: str, fields: Mapping[str, Any]) -> str:
    """Return an id for a record: the words of the fields that name it, cut at a word; the kind where they hold none."""
    texts = [str(fields.get(name) or "") for name in _NAMED_BY.get(kind, ("title",))]
    if ending := _ENDINGS.get(kind):
        texts.insert(1, ending)
        return slug(" ".join(texts), _LIMIT - 4) or kind
    return slug(" ".join(texts), LONGEST) or kind


def slug(text: str, longest: int) -> str:
    """Return lower-case letters and digits joined by hyphens, no longer than `longest`; placeholders are left out."""
    plain = unicodedata.normalize("NFKD", PLACEHOLDER.sub(" ", text)).encode("ascii", "ignore").decode().lower()
    words = re.findall(r"[a-z0-9]+", plain)
    kept = "-".join(words)[: longest + 1]
    if len(kept) > longest:
        kept = kept.rpartition("-")[0] or kept[:longest]
    return kept


def first_free_id(wanted: str, taken: Collection[str]) -> str:
    """Return an id that is not in use: the one wanted, or it with the first free number from 2 on."""
    if wanted not in taken:
        return wanted
    number = 2
    while f"{wanted}-{number}" in taken:
        number += 1
    return f"{wanted}-{number}"
