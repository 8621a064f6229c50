"""The line of records that supersede one another, and what speaks of each."""

from ledger.model.catalogue import Catalogue, Entry


def chain_of(catalogue: Catalogue, record_id: str) -> list[Entry]:
    """Return every record that a record supersedes or is superseded by, directly or through others, oldest first.

    A fork counts with all its branches; a predecessor that cannot be read ends the line.
    """
    first = catalogue.by_id[record_id]
    seen = {record_id}
    while (link := first.record.supersedes) and link.id not in seen and link.id in catalogue.by_id:
        first = catalogue.by_id[link.id]
        seen.add(link.id)
    line, found = [first], {first.record.id}
    for entry in line:
        for heir in _heirs(catalogue, entry.record.id):
            if heir.record.id not in found:
                found.add(heir.record.id)
                line.append(heir)
    return line


def _heirs(catalogue: Catalogue, record_id: str) -> list[Entry]:
    heirs = [entry for entry in catalogue.by_id.values() if entry.record.supersedes and entry.record.supersedes.id == record_id]
    return sorted(heirs, key=lambda entry: entry.record.id)


def spoken_of(catalogue: Catalogue, record_id: str) -> list[Entry]:
    """Return the reviews, waivers and retractions of a record, in order of id."""
    found = [entry for entry in catalogue.by_id.values() if getattr(entry.record, "target", None) == record_id]
    return sorted(found, key=lambda entry: entry.record.id)
