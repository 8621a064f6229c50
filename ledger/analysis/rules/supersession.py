"""Rules about supersession: it never runs in a circle, never forks, and a change begins after what it closes."""

from collections import defaultdict
from collections.abc import Iterator

from ledger.analysis.validity.supersession import last_successor, predecessors
from ledger.analysis.validity.validity import valid_from
from ledger.errors import Problem
from ledger.model.catalogue import Catalogue


def check_cycles(catalogue: Catalogue) -> Iterator[Problem]:
    """Following `supersedes` comes to an end."""
    for entry in catalogue:
        if entry.record.supersedes and entry.record.id in predecessors(catalogue, entry):
            yield entry.problem("LEDG012", ("supersedes",), "the record supersedes itself in a circle.", remedy="Break the circle.")


def check_forks(catalogue: Catalogue) -> Iterator[Problem]:
    """No record has two successors; one that was retracted does not count."""
    successors = defaultdict(list)
    for entry in catalogue:
        if entry.record.supersedes and entry.record.id not in catalogue.retractions:
            successors[entry.record.supersedes.id].append(entry)
    for old, entries in successors.items():
        if len(entries) > 1:
            names = ", ".join(f"{entry.record.id} ({entry.path})" for entry in entries)
            for entry in entries:
                yield entry.problem("LEDG013", ("supersedes",), f"{old} is superseded by {names}.", remedy="Let one supersede the other.")


def check_succession(catalogue: Catalogue) -> Iterator[Problem]:
    """A change, as corrected, begins no earlier than what it closes."""
    for entry in catalogue:
        link = entry.record.supersedes
        old = catalogue.by_id.get(link.id) if link else None
        if not link or not old or link.because == "correction":
            continue
        last = catalogue.by_id.get(last_successor(catalogue, entry.record, corrections_only=True).id, entry)
        began, before = valid_from(catalogue, last.record), valid_from(catalogue, old.record)
        if began and before and began < before:
            yield last.problem(
                "LEDG014",
                ("supersedes",),
                f"the change begins on {began}, before {link.id} does ({before}).",
                remedy="Mend a date, or call it a correction.",
            )
