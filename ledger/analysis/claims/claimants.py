"""How whoever makes a claim stands to its subject: the supplier, the method's authors, a third party, a user, or ourselves."""

from ledger.model.catalogue import Catalogue
from ledger.model.records.claim import Claim
from ledger.model.records.source import RELATION_WORDS, Relation, Source


def stated_relation(catalogue: Catalogue, claim: Claim) -> Relation | None:
    """Return the claimant's relation: the claim's own word, else that of its source; None where neither states one."""
    source = catalogue.get(claim.source or "", Source)
    return claim.relation or (source.relation if source else None)


def claimant_relation(catalogue: Catalogue, claim: Claim) -> Relation:
    """Return the claimant's relation; a claim for which nobody else is named is our own."""
    return stated_relation(catalogue, claim) or "own"


def relation_words(catalogue: Catalogue, claim: Claim) -> str:
    """Return the claimant's relation in words, such as `third party` or `our own`."""
    return RELATION_WORDS[claimant_relation(catalogue, claim)]
