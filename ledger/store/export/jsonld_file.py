"""JSON-LD with the terms of schema.org (Claim, ClaimReview) and PROV; the context is inline, so that nothing is fetched.

The label is our judgement of a statement, so each claim has a ClaimReview that names it; the claim itself stays the
claimant's.
"""

import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from ledger.store.export.tables import Export, Value

CONTEXT = {
    "schema": "https://schema.org/",
    "prov": "http://www.w3.org/ns/prov#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "ledger": "urn:evidence-ledger:term:",
}
_IN_ADDRESSES = "%/:?#[]@!$&'()*+,;=~"
"""What an address may hold as it is, besides letters and digits of ASCII; the rest is percent-encoded."""
Node = dict[str, Any]
Row = dict[str, Value]


def jsonld_file(export: Export) -> dict[str, bytes]:
    """Return one JSON-LD document."""
    base = f"urn:evidence-ledger:{_slug(export.about['organisation'])}"
    graph: list[Node] = [{"@id": base, "@type": ["schema:Organization", "prov:Agent"], "schema:name": export.about["organisation"]}]
    for name, nodes in (("sources", _source), ("runs", _run), ("claims", _claim), ("reviews", _review)):
        for row in _rows(export, name):
            graph += [_without_empty(node) for node in nodes(row, base)]
    graph += _derivations(export, base)
    about = {f"ledger:{name.replace(' ', '-')}": value for name, value in export.about.items()}
    graph.append({"@id": f"{base}:export", "@type": "prov:Entity", **_without_empty(about)})
    content = {"@context": CONTEXT, "@graph": graph}
    return {"": (json.dumps(content, indent=1, ensure_ascii=False) + "\n").encode()}


def _slug(organisation: str) -> str:
    """Return a name as a part of an identifier; letters beyond ASCII stand percent-encoded, so that no two names share one."""
    return quote(re.sub(r"[^\w]+", "-", organisation.casefold()).strip("-"), safe="") or "unnamed"


def _rows(export: Export, name: str) -> list[Row]:
    table = export.table(name)
    return table.as_dicts() if table else []


def _derivations(export: Export, base: str) -> Iterator[Node]:
    """Yield which runs a measured claim's numbers come from, and which record is the revision of which."""
    runs = {
        (row["claim"], str(row["reference"]).removeprefix("run:").split("#")[0]) for row in _rows(export, "quantities") if row["reference"]
    }
    for claim, run in sorted(runs, key=str):
        yield {"@id": _id(base, claim), "prov:wasDerivedFrom": {"@id": _id(base, f"{run}:results")}}
        yield {"@id": _id(base, f"{run}:results"), "@type": "prov:Entity", "prov:wasGeneratedBy": {"@id": _id(base, run)}}
    for name in ("sources", "claims"):
        for row in _rows(export, name):
            if row["closed_as"] == "superseded" and row["replaced_by"]:
                yield {"@id": _id(base, row["replaced_by"]), "prov:wasRevisionOf": {"@id": _id(base, row["id"])}}


def _source(row: Row, base: str) -> Iterator[Node]:
    yield {
        "@id": _id(base, row["id"]),
        "@type": ["schema:CreativeWork", "prov:Entity"],
        "schema:name": row["title"],
        "schema:publisher": {"@type": "schema:Organization", "schema:name": row["publisher"]},
        "schema:url": {"@id": quote(str(row["url"]), safe=_IN_ADDRESSES)} if _is_address(row["url"]) else None,
        "schema:datePublished": row["published_on"],
        "schema:license": row["licence"],
        "ledger:relation": row["relation"],
        **_times(row, base),
    }


def _run(row: Row, base: str) -> Iterator[Node]:
    yield {
        "@id": _id(base, row["id"]),
        "@type": "prov:Activity",
        "prov:startedAtTime": _instant(row["started_at"]),
        "prov:endedAtTime": _instant(row["finished_at"]),
        "prov:used": {"@id": _id(base, row["protocol"])},
        "prov:wasAssociatedWith": {"@type": "prov:Agent", "schema:name": row["executor"]},
        "ledger:status": row["status"],
    }


def _claim(row: Row, base: str) -> Iterator[Node]:
    claim = _id(base, row["id"])
    yield {
        "@id": claim,
        "@type": ["schema:Claim", "prov:Entity"],
        "schema:text": row["statement"],
        "schema:about": row["subject"],
        "schema:datePublished": row["asserted_on"],
        "schema:appearance": {"@id": _id(base, row["source"])} if row["source"] else None,
        "prov:wasDerivedFrom": {"@id": _id(base, row["source"])} if row["source"] else None,
        "ledger:label": row["label"],
        "ledger:relation": row["relation"],
        "ledger:meaning": row["meaning"],
        **_times(row, base),
    }
    yield {
        "@id": f"{claim}:label",
        "@type": "schema:ClaimReview",
        "schema:claimReviewed": row["statement"],
        "schema:itemReviewed": {"@id": claim},
        "schema:author": {"@id": base},
        "schema:datePublished": row["recorded_on"] if str(row["recorded_on"])[:1].isdigit() else None,
        "schema:reviewRating": {"@type": "schema:Rating", "schema:alternateName": f"{row['label']}, {row['relation']}"},
    }


def _review(row: Row, base: str) -> Iterator[Node]:
    yield {
        "@id": _id(base, row["id"]),
        "@type": "schema:Review",
        "schema:itemReviewed": {"@id": _id(base, row["target"])},
        "schema:author": {"@type": "schema:Person", "schema:name": row["reviewer"]},
        "schema:datePublished": row["reviewed_on"],
        "schema:reviewRating": {"@type": "schema:Rating", "schema:alternateName": row["verdict"]},
        "ledger:lapsed": bool(row["lapsed"]),
    }


def _times(row: Row, base: str) -> Node:
    """Return when a record held, and what replaced it."""
    return {
        "ledger:validFrom": row["valid_from"],
        "prov:invalidatedAtTime": {"@value": row["valid_to"], "@type": "xsd:date"} if row["valid_to"] else None,
        "ledger:replacedBy": {"@id": _id(base, row["replaced_by"])} if row["replaced_by"] else None,
        "ledger:closedAs": row["closed_as"] if row["closed_as"] != "current" else None,
    }


def _id(base: str, record_id: Value) -> str:
    return f"{base}:{record_id}"


def _instant(value: Value) -> Node | None:
    return {"@value": value, "@type": "xsd:dateTime"} if value else None


def _is_address(value: Value) -> bool:
    return isinstance(value, str) and value.startswith(("https://", "http://"))


def _without_empty(node: Node) -> Node:
    return {key: value for key, value in node.items() if value is not None}
