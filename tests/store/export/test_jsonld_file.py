"""JSON-LD names claims, their reviews and where they come from."""

import json
from typing import TYPE_CHECKING, Any

from tests.store.export.export_fixtures import Read

if TYPE_CHECKING:
    pass


def test_json_ld_names_claims_reviews_and_where_they_come_from(written: Read) -> None:
    content = json.loads(written("jsonld", "--all").read_text(encoding="utf-8"))
    assert content["@context"]["prov"] == "http://www.w3.org/ns/prov#"
    base = "urn:evidence-ledger:test-works"
    nodes: dict[str, dict[str, Any]] = {}
    for node in content["@graph"]:
        nodes.setdefault(node["@id"], {}).update(node)
    review = nodes[f"{base}:slower:label"]
    assert (review["@type"], review["schema:claimReviewed"]) == ("schema:ClaimReview", "It changed by -4.5%.")
    assert review["schema:reviewRating"]["schema:alternateName"] == "vendor-claimed, supplier"
    assert nodes[f"{base}:slower"]["prov:wasDerivedFrom"] == {"@id": f"{base}:page"}
    assert nodes[f"{base}:newer"]["prov:wasRevisionOf"] == {"@id": f"{base}:older"}
    assert nodes[f"{base}:we-measured"]["prov:wasDerivedFrom"] == {"@id": f"{base}:ours:results"}
    assert nodes[f"{base}:ours:results"]["prov:wasGeneratedBy"] == {"@id": f"{base}:ours"}
    assert nodes[f"{base}:checked"]["schema:itemReviewed"] == {"@id": f"{base}:slower"}
