"""How a claimant stands to the subject: the claim's own word first, then its source's; our own only where nobody outside is named."""

from typing import TYPE_CHECKING, Any

import pytest

from ledger.analysis.claims.claimants import claimant_relation, relation_words, stated_relation
from ledger.model.records.claim import Claim

if TYPE_CHECKING:
    from tests.conftest import LedgerFolder


@pytest.mark.parametrize(
    ("fields", "stated", "words"),
    [
        ({}, "supplier", "supplier"),
        ({"relation": "user-report"}, "user-report", "user report"),
        ({"source": None, "locator": None, "relation": "third-party"}, "third-party", "third party"),
        ({"label": "proposed", "source": None, "locator": None}, None, "our own"),
        ({"source": None, "locator": None}, None, "unknown: source cannot be read"),
        ({"source": "missing"}, None, "unknown: source cannot be read"),
    ],
    ids=[
        "of its source",
        "of the claim first",
        "of the claim without a source",
        "of an own proposal",
        "of neither",
        "of a source that is not there",
    ],
)
def test_the_relation_of_a_claimant(fields: dict[str, Any], stated: str | None, words: str, ledger_folder: "LedgerFolder") -> None:
    ledger_folder.add_page(relation="supplier")
    ledger_folder.add("claim", "it", **fields)
    catalogue = ledger_folder.catalogue()
    claim = catalogue.get("it", Claim)
    assert claim is not None
    assert stated_relation(catalogue, claim) == stated
    assert claimant_relation(catalogue, claim) == (stated or words.partition(":")[0].replace("our own", "own"))
    assert relation_words(catalogue, claim) == words
