"""Rules that keep prices out of everything technical (DESIGN 2.4)."""

from collections.abc import Iterator

from ledger.analysis.prices.firewall import amounts_of_money, price_words
from ledger.analysis.validity.links import links_of
from ledger.errors import FieldPath, Problem
from ledger.model.catalogue import Catalogue, Entry
from ledger.model.record import Record
from ledger.model.records.claim import Claim
from ledger.model.records.cost import Cost
from ledger.model.records.protocol import Protocol
from ledger.model.records.run import Run
from ledger.model.values.units import UNITS


def is_pricing(record: Record) -> bool:
    """Whether a record stands on the pricing side."""
    return isinstance(record, Cost) or getattr(record, "side", "technical") == "pricing"


def _technical(catalogue: Catalogue) -> Iterator[tuple[Entry, Record]]:
    """The claims of the technical side, the plans and the runs: what must hold no money."""
    for entry in catalogue:
        if isinstance(entry.record, Protocol | Run) or (isinstance(entry.record, Claim) and entry.record.side == "technical"):
            yield entry, entry.record


def _technical_claims(catalogue: Catalogue) -> Iterator[tuple[Entry, Claim]]:
    for entry in catalogue:
        if isinstance(entry.record, Claim) and entry.record.side == "technical":
            yield entry, entry.record


def _texts(record: Record) -> Iterator[tuple[FieldPath, str]]:
    """What a technical record says in words; where it stands in a source is named as the source names it."""
    if isinstance(record, Claim):
        yield from _texts_of_claim(record)
    if isinstance(record, Protocol):
        yield ("question",), record.question
        yield from ((("rules", index, "question"), rule.question) for index, rule in enumerate(record.rules))
        yield from ((("arms", index, "expect"), arm.expect) for index, arm in enumerate(record.arms) if arm.expect)
    if isinstance(record, Run):
        yield from ((("deviations", index), text) for index, text in enumerate(record.deviations))
    if record.supersedes:
        yield ("supersedes", "reason"), record.supersedes.reason


def _texts_of_claim(claim: Claim) -> Iterator[tuple[FieldPath, str]]:
    yield ("statement",), claim.statement
    yield ("subject",), claim.subject
    yield from (((name,), text) for name in ("version", "quote") if (text := getattr(claim, name)))
    yield from ((("caveats", index), text) for index, text in enumerate(claim.caveats))
    yield from ((("flags", index, "text"), flag.text) for index, flag in enumerate(claim.flags))
    if claim.ended:
        yield ("ended", "because"), claim.ended.because
    for index, quantity in enumerate(claim.quantities):
        yield from ((("quantities", index, name), getattr(quantity, name)) for name in ("name", "metric"))
        yield from ((("quantities", index, "conditions", key), f"{key}: {text}") for key, text in quantity.conditions.items())


def check_money(catalogue: Catalogue) -> Iterator[Problem]:
    """No text and no unit of a technical claim is an amount of money."""
    for entry, record in _technical(catalogue):
        for field, text in _texts(record):
            for spot in amounts_of_money(text):
                message = f'"{spot.text}" is money in a technical {record.KIND}.'
                yield entry.problem("LEDG040", field, message, remedy="Split it into a pricing claim.")
    for entry, claim in _technical_claims(catalogue):
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
    for entry, record in _technical(catalogue):
        for field, text in _texts(record):
            for spot in price_words(text) if field != ("quote",) else ():  # the words of a quotation are the source's
                message = f'"{spot.text}" speaks of prices in a technical {record.KIND}.'
                yield entry.problem("LEDG042", field, message, remedy="Say it without, or split it.", severity="warning")
