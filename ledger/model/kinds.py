"""Every record kind by name, and the folder its files lie in."""

from ledger.model.article import Article, Edition
from ledger.model.claim import Claim
from ledger.model.cost import Cost
from ledger.model.protocol import Protocol
from ledger.model.record import Record
from ledger.model.retraction import Retraction
from ledger.model.review import Review
from ledger.model.run import Run
from ledger.model.source import Source
from ledger.model.suite import Suite
from ledger.model.waiver import Waiver
from ledger.model.workload import Workload

KINDS: dict[str, type[Record]] = {
    kind.KIND: kind for kind in (Source, Claim, Review, Retraction, Waiver, Cost, Workload, Suite, Protocol, Run, Article, Edition)
}
FOLDERS: dict[str, str] = {kind: f"{kind}s" for kind in KINDS}
"""Folder under `records/` where the command line writes a kind; the loader accepts any."""
