"""Rules that keep prices out of everything technical (DESIGN 2.4)."""

from collections.abc import Iterator

from ledger.analysis.prices.firewall import amounts_of_money, price_words
from ledger.analysis.validity.links import links_of
from ledger.errors import FieldPath, Problem
from ledger.model.catalogue import Catalogue, Entry
from ledger.model.record import Record
from ledger.model.records.claim import Claim
from ledger.model.records.cost import Cost
from ledger.model.values.units import UNITS


def is_pricing(record: Record) -> bool:
    """Whether a record stands on the pricing side."""
    return isinstance(record, Cost) or getattr(record, "side", "technical") == "pricing"


def _technical_claims(catalogue: Catalogue) -> Iterator[tuple[Entry, Claim]]:
    for entry in catalogue:
        if isinstance(entry.record, Claim) and entry.record.side == "technical":
            yield entry, entry.record


def _texts(claim: Claim) -> Iterator[tuple[FieldPath, str]]:
    """What we wrote in a claim; a locator or a quotation is the source's."""
    yield ("statement",), claim.statement
    yield from ((("caveats", index), text) for index, text in enumerate(claim.caveats))
    for index, quantity in enumerate(claim.quantities):
        yield from ((("quantities", index, "conditions", key), text) for key, text in quantity.conditions.items())


def check_money(catalogue: Catalogue) -> Iterator[Problem]:
    """No text and no unit of a technical claim is an amount of money."""
    for entry, claim in _technical_claims(catalogue):
        for field, text in _texts(claim):
            for spot in amounts_of_money(text):
                yield entry.problem(
                    "LEDG040", field, f'"{spot.text}" is money in a technical claim.', remedy="Split it into a pricing claim."
                )
        for index, quantity in enumerate(claim.quantities):
            if UNITS[quantity.unit] == "money":
                yield entry.problem(
                    "LEDG040", ("quantities", index, "unit"), "money in a technical claim.", remedy="Move it to a pricing claim."
                )


def check_links(catalogue: Catalogue) -> Iterator[Problem]:
    """A technical claim names no pricing record."""
    for entry, claim in _technical_claims(catalogue):
        for link in links_of(claim):
            other = catalogue.by_id.get(link.target)
            if other and is_pricing(other.record):
                message = f"{link.target} is on the pricing side."
                yield entry.problem("LEDG041", link.field, message, remedy="Let the pricing record name this one instead.")


def check_words(catalogue: Catalogue) -> Iterator[Problem]:
    """A word about prices in a technical claim is a warning, for somebody to look at."""
    for entry, claim in _technical_claims(catalogue):
        for field, text in _texts(claim):
            for spot in price_words(text):
                yield entry.problem(
                    "LEDG042",
                    field,
                    f'"{spot.text}" speaks of prices in a technical claim.',
                    remedy="Say it without, or split it.",
                    severity="warning",
                )
