"""How whoever makes a claim stands to its subject: the supplier, the method's authors, a third party, a user, or ourselves."""

from typing import Literal

from ledger.model.catalogue import Catalogue
from ledger.model.records.claim import Claim
from ledger.model.records.source import RELATION_WORDS, Relation, Source


def stated_relation(catalogue: Catalogue, claim: Claim) -> Relation | None:
    """Return the claimant's relation: the claim's own word, else that of its source; None where neither states one."""
    source = catalogue.get(claim.source or "", Source)
    return claim.relation or (source.relation if source else None)


ClaimantRelation = Relation | Literal["unknown"]
"""`unknown`: somebody outside said it, and the source that would tell who cannot be read."""
_UNKNOWN_WORDS = "unknown: source cannot be read"


def claimant_relation(catalogue: Catalogue, claim: Claim) -> ClaimantRelation:
    """Return the claimant's relation: our own only where the claim rests on nobody outside, and unknown where its source is not there."""
    if stated := stated_relation(catalogue, claim):
        return stated
    return "unknown" if claim.source or claim.label == "vendor-claimed" else "own"


def relation_words(catalogue: Catalogue, claim: Claim) -> str:
    """Return the claimant's relation in words, such as `third party` or `our own`."""
    relation = claimant_relation(catalogue, claim)
    return _UNKNOWN_WORDS if relation == "unknown" else RELATION_WORDS[relation]
