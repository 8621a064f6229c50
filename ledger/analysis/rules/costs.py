"""Rules about prices."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from difflib import get_close_matches
from itertools import combinations

from ledger.analysis.prices.selection import offer_key
from ledger.analysis.validity.validity import Validity, validity
from ledger.errors import Problem
from ledger.model.catalogue import Catalogue, Entry
from ledger.model.records.cost import Cost
from ledger.model.values.currencies import CURRENCIES
from ledger.model.values.values import PartialDate


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
                "LEDG050", (), "needs amount, or both low and high.", remedy='Give one of them; "unknown" where no price is named.'
            )
        elif len(ends) == 2 and ends[0] > ends[1]:
            yield entry.problem("LEDG050", ("low",), "low is above high.", remedy="Swap them.")


def check_standing(catalogue: Catalogue) -> Iterator[Problem]:
    """A standing other than `sound` has a reason."""
    for entry, cost in _costs(catalogue):
        if cost.standing.state != "sound" and not cost.standing.reason:
            yield entry.problem("LEDG051", ("standing",), f"{cost.standing.state} without a reason.", remedy="Add reason.")


def check_interval(catalogue: Catalogue) -> Iterator[Problem]:
    """Where both ends are dates, the price holds on at least one day."""
    for entry, cost in _costs(catalogue):
        start, end = cost.effective_from, cost.effective_to
        if isinstance(start, PartialDate) and isinstance(end, PartialDate) and end.last <= start.first:
            yield entry.problem("LEDG052", ("effective_to",), f"ends {end}, not after it begins ({start}).", remedy="Mend a date.")


def check_currency(catalogue: Catalogue) -> Iterator[Problem]:
    """A currency is one of ISO 4217, or `unknown`."""
    for entry, cost in _costs(catalogue):
        if cost.currency != "unknown" and cost.currency not in CURRENCIES:
            near = get_close_matches(cost.currency, sorted(CURRENCIES), n=1)
            remedy = f"Did you mean {near[0]}?" if near else "Name it as ISO 4217 does."
            yield entry.problem("LEDG055", ("currency",), f"{cost.currency} is no currency of ISO 4217.", remedy=remedy)


def check_overlap(catalogue: Catalogue) -> Iterator[Problem]:
    """One offer has one price on a day, where both say from when to when."""
    offers: dict[tuple[str, ...], list[tuple[Entry, Validity]]] = defaultdict(list)
    for entry, cost in _costs(catalogue):
        held = validity(catalogue, cost)
        if isinstance(cost.effective_from, PartialDate) and cost.effective_to != "unknown" and not held.void:
            offers[offer_key(cost)].append((entry, held))
    for several in offers.values():
        for (entry, held), (other, other_held) in combinations(several, 2):
            if _is_overlapping(held, other_held):
                where = f"{other.record.id} ({other.path}) holds in part of its time too"
                yield entry.problem("LEDG054", ("effective_from",), f"{where}.", remedy="Close one, or let one supersede the other.")


def _is_overlapping(first: Validity, second: Validity) -> bool:
    starts = [held.starts_on or date.min for held in (first, second)]
    ends = [held.ends_on or date.max for held in (first, second)]
    return max(starts) < min(ends)


def check_devices(catalogue: Catalogue) -> Iterator[Problem]:
    """A price without a device has the gpu `none` and 0 devices, both or neither."""
    for entry, cost in _costs(catalogue):
        if (cost.gpu == "none") != (cost.gpus_per_instance == 0):
            yield entry.problem(
                "LEDG053",
                ("gpus_per_instance",),
                f'gpu is "{cost.gpu}" with {cost.gpus_per_instance} devices.',
                remedy='Give both: "none" and 0, or a device and how many.',
            )
