"""Rules about what a record rests on: nothing that was taken back (DESIGN 2.13)."""

from collections.abc import Iterator

from ledger.analysis.upkeep.staleness import foundations
from ledger.analysis.validity.validity import validity
from ledger.errors import Problem
from ledger.model.catalogue import Catalogue


def check_taken_back(catalogue: Catalogue) -> Iterator[Problem]:
    """A claim or cost that holds does not rest on a retracted or corrected record."""
    closed = catalogue.successors.keys() | catalogue.retractions.keys()
    for entry in catalogue:
        for record_id in foundations(entry.record) if entry.record.id not in closed else ():
            below = catalogue.by_id.get(record_id)
            if below and (held := validity(catalogue, below.record)).void:
                message = f"rests on {record_id}, {held.final_status} by {held.by}."
                yield entry.problem("LEDG025", (), message, "Supersede or retract it too.", "warning")
