"""Every record kind by name, and the folder its files lie in."""

from ledger.model.record import Record
from ledger.model.records.article import Article, Edition
from ledger.model.records.claim import Claim
from ledger.model.records.cost import Cost
from ledger.model.records.protocol import Protocol
from ledger.model.records.retraction import Retraction
from ledger.model.records.review import Review
from ledger.model.records.run import Run
from ledger.model.records.source import Source
from ledger.model.records.suite import Suite
from ledger.model.records.waiver import Waiver
from ledger.model.records.workload import Workload

KINDS: dict[str, type[Record]] = {
    kind.KIND: kind for kind in (Source, Claim, Review, Retraction, Waiver, Cost, Workload, Suite, Protocol, Run, Article, Edition)
}
FOLDERS: dict[str, str] = {kind: f"{kind}s" for kind in KINDS}
"""Folder under `records/` where the command line writes a kind; the loader accepts any."""
