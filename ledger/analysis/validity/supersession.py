"""The line of records that supersede one another: who comes before, who after, and whether anything took one's place."""

from ledger.model.catalogue import Catalogue, Entry
from ledger.model.record import Record


def supersession_of(catalogue: Catalogue, record_id: str) -> list[Entry]:
    """Return every record that a record supersedes or is superseded by, directly or through others, oldest first.

    Where two records supersede the same one, both are in the line; a predecessor that cannot be read ends it.
    """
    first = catalogue.by_id[record_id]
    for earlier in predecessors(catalogue, first):
        if earlier != record_id:
            first = catalogue.by_id.get(earlier, first)
    line, ids = [first], {first.record.id}
    for entry in line:
        for successor in _successors(catalogue, entry.record.id):
            if successor.record.id not in ids:
                ids.add(successor.record.id)
                line.append(successor)
    return line


def _successors(catalogue: Catalogue, record_id: str) -> list[Entry]:
    """Every record that supersedes this one, retracted ones too, in order of id."""
    entries = [entry for entry in catalogue.by_id.values() if entry.record.supersedes and entry.record.supersedes.id == record_id]
    return sorted(entries, key=lambda entry: entry.record.id)


def predecessors(catalogue: Catalogue, entry: Entry) -> list[str]:
    """Return the ids that a record supersedes, directly or through others, the nearest first; in a circle each once."""
    ids: list[str] = []
    earlier: Entry | None = entry
    while earlier and (link := earlier.record.supersedes) and link.id not in ids:
        ids.append(link.id)
        earlier = catalogue.by_id.get(link.id)
    return ids


def last_successor(catalogue: Catalogue, record: Record, *, corrections_only: bool = False) -> Record:
    """Return the record at the end of the line of successors, the record itself where none supersedes it.

    With `corrections_only` the line ends before the first change: what comes back says the same thing, rightly. It
    tells when the change that closes a predecessor began.
    """
    seen = {record.id}
    while (entry := catalogue.successors.get(record.id)) and entry.record.id not in seen:
        link = entry.record.supersedes
        if corrections_only and (link is None or link.because != "correction"):
            break
        record = entry.record
        seen.add(record.id)
    return record


def is_replaced(catalogue: Catalogue, record_id: str) -> bool:
    """Whether a record was superseded or retracted, on whatever day."""
    return record_id in catalogue.successors or record_id in catalogue.retractions


def entries_about(catalogue: Catalogue, record_id: str) -> list[Entry]:
    """Return the reviews, waivers and retractions that have a record as their target, in order of id."""
    entries = [entry for entry in catalogue.by_id.values() if getattr(entry.record, "target", None) == record_id]
    return sorted(entries, key=lambda entry: entry.record.id)
