"""JSON-LD names claims, their reviews and where they come from."""

import json
from typing import TYPE_CHECKING, Any

import pytest
from rdflib import Dataset, URIRef

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


@pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib")  # of rdflib's own parser
def test_a_triple_store_reads_it_into_the_default_graph(written: Read) -> None:
    data = Dataset()
    data.parse(data=written("jsonld", "--all").read_text(encoding="utf-8"), format="json-ld")
    default = data.default_graph
    assert len(default) == len(data) > 40
    base = "urn:evidence-ledger:test-works"
    assert (URIRef(f"{base}:slower"), URIRef("http://www.w3.org/ns/prov#wasDerivedFrom"), URIRef(f"{base}:page")) in default
    account = {str(predicate) for predicate in default.predicates(URIRef(f"{base}:export"))}
    assert "urn:evidence-ledger:term:as-of" in account
    assert all(" " not in name for name in account)
