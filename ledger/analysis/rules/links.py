"""Rules about ids: each is used once, names something, and nothing rests on what was taken back (DESIGN 2.13)."""

from collections import defaultdict
from collections.abc import Iterator
from difflib import get_close_matches

from ledger.analysis.validity.links import foundations, id_fields
from ledger.analysis.validity.supersession import is_replaced
from ledger.analysis.validity.validity import validity
from ledger.errors import Problem
from ledger.model.catalogue import Catalogue
from ledger.model.records.retraction import Retraction


def check_unique_ids(catalogue: Catalogue) -> Iterator[Problem]:
    """Each id is used by one record in the whole ledger."""
    places = defaultdict(list)
    for entry in catalogue:
        places[entry.record.id].append(entry)
    for record_id, entries in places.items():
        paths = [entry.path for entry in entries] + ([catalogue.unread[record_id]] if record_id in catalogue.unread else [])
        if len(paths) > 1:
            where = " and ".join(sorted(paths))
            for entry in entries:
                yield entry.problem(
                    "LEDG010", (), f"the id is used by {where}; none of them answers a query.", remedy="Rename all but one."
                )


def check_targets(catalogue: Catalogue) -> Iterator[Problem]:
    """Every id named exists, is of the right kind, and is not the record's own."""
    kinds = {entry.record.id: entry.record.KIND for entry in catalogue}
    for entry in catalogue:
        for field, target, kind in id_fields(entry.record):
            if target in catalogue.unread:
                continue
            if target not in kinds:
                yield entry.problem("LEDG011", field, f'no record has the id "{target}".', remedy=_did_you_mean(target, kinds))
            elif kind and kinds[target] != kind:
                yield entry.problem("LEDG011", field, f'"{target}" is a {kinds[target]}, expected a {kind}.', remedy=f"Name a {kind}.")
            elif target == entry.record.id:
                yield entry.problem("LEDG011", field, "the record names itself.", remedy="Remove it.")


def _did_you_mean(target: str, known: dict[str, str]) -> str:
    near = get_close_matches(target, known, n=1)
    return f"Did you mean {near[0]}?" if near else "Add that record, or mend the id."


def check_retractions(catalogue: Catalogue) -> Iterator[Problem]:
    """A record is taken back once; a retraction that was itself taken back counts no longer, and its target stands again."""
    standing = defaultdict(list)
    for entry in catalogue:
        if isinstance(entry.record, Retraction):
            if entry.record.id in catalogue.circular_retractions:
                yield entry.problem("LEDG015", ("target",), "the retraction takes itself back in a circle.", remedy="Break the circle.")
            elif catalogue.is_standing(entry.record.id):
                standing[entry.record.target].append(entry)
    for target, entries in standing.items():
        for entry in entries[1:]:
            message = f"{target} was taken back by {entries[0].record.id} already."
            yield entry.problem("LEDG015", ("target",), message, remedy="Retract one of the two retractions.")


def check_taken_back(catalogue: Catalogue) -> Iterator[Problem]:
    """A claim or cost that holds does not rest on a retracted or corrected record."""
    for entry in catalogue:
        for record_id in foundations(entry.record) if not is_replaced(catalogue, entry.record.id) else ():
            below = catalogue.by_id.get(record_id)
            if below and (held := validity(catalogue, below.record)).void:
                message = f"rests on {record_id}, {held.final_status} by {held.by}."
                yield entry.problem("LEDG025", (), message, remedy="Supersede or retract it too.", severity="warning")
