"""Rules about prices."""

from collections.abc import Iterator

from ledger.errors import Problem
from ledger.model.catalogue import Catalogue, Entry
from ledger.model.cost import Cost
from ledger.model.values import PartialDate


def _costs(catalogue: Catalogue) -> Iterator[tuple[Entry, Cost]]:
    for entry in catalogue:
        if isinstance(entry.record, Cost):
            yield entry, entry.record


def check_amount(catalogue: Catalogue) -> Iterator[Problem]:
    """One of amount, or low and high; a missing price is `unknown`, never zero."""
    for entry, cost in _costs(catalogue):
        ends = [end for end in (cost.low, cost.high) if end is not None]
        if (cost.amount is None) != (len(ends) == 2) or (cost.amount is not None and ends):
            yield entry.problem(
                "LEDG050", (), "needs amount, or both low and high.", 'Give one of them; "unknown" where no price is named.'
            )
        elif len(ends) == 2 and ends[0] > ends[1]:
            yield entry.problem("LEDG050", ("low",), "low is above high.", "Swap them.")


def check_standing(catalogue: Catalogue) -> Iterator[Problem]:
    """Whoever distrusts an entry says why."""
    for entry, cost in _costs(catalogue):
        if cost.standing.state != "sound" and not cost.standing.reason:
            yield entry.problem("LEDG051", ("standing",), f"{cost.standing.state} without a reason.", "Add reason.")


def check_interval(catalogue: Catalogue) -> Iterator[Problem]:
    """Half-open intervals are not empty."""
    for entry, cost in _costs(catalogue):
        start, end = cost.effective_from, cost.effective_to
        if isinstance(start, PartialDate) and isinstance(end, PartialDate) and end.last <= start.first:
            yield entry.problem("LEDG052", ("effective_to",), f"ends {end}, not after it begins ({start}).", "Mend a date.")


def check_devices(catalogue: Catalogue) -> Iterator[Problem]:
    """A row without a device says so with 0 and `none`."""
    for entry, cost in _costs(catalogue):
        if (cost.gpu == "none") != (cost.gpus_per_instance == 0):
            yield entry.problem(
                "LEDG053",
                ("gpus_per_instance",),
                f'gpu is "{cost.gpu}" with {cost.gpus_per_instance} devices.',
                'Give both: "none" and 0, or a device and how many.',
            )
