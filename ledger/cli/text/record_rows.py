"""Records as rows: every field for programs, a few printed ones for people."""

from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

from ledger.analysis.claims.claimants import relation_words
from ledger.analysis.claims.resolve import quantity_text, statement_text
from ledger.analysis.prices.pricing import plain_price_text
from ledger.analysis.validity.validity import validity
from ledger.api import Ledger
from ledger.cli.text.output import Listing, Row
from ledger.model.catalogue import Catalogue
from ledger.model.record import Record
from ledger.model.records.claim import Claim
from ledger.model.records.cost import Cost
from ledger.model.records.source import RELATION_WORDS, Source
from ledger.model.values.values import decimal_text

if TYPE_CHECKING:
    from ledger.api.results import Answer, SearchMatch


def claim_listing(ledger: Ledger, answers: "Sequence[Answer]", as_of: date) -> Listing:
    """Return claims as rows; the statement prints its quantities."""
    rows = []
    for answer in answers:
        claim = answer.record
        assert isinstance(claim, Claim)
        source = ledger.catalogue.get(claim.source or "", Source)
        rows.append(
            {
                "id": claim.id,
                "label": claim.label,
                "relation": relation_words(ledger.catalogue, claim),
                "side": claim.side,
                "subject": claim.subject,
                "statement": statement_text(ledger.catalogue, claim)[0],
                "quantities": {quantity.name: quantity_text(quantity) for quantity in claim.quantities},
                "asserted_on": claim.asserted_on.shown if claim.asserted_on else "",
                "source": claim.source,
                "url": source.url if source else None,
                "locator": claim.locator,
                **held_fields(answer, as_of),
                "recorded_on": ledger.files.recorded_on(claim),
                "record": _data(claim),
            }
        )
    return Listing(
        rows,
        ("id", "label", "statement"),
        as_of,
        wide=("id", "statement"),
        facts=("label", "relation", "asserted_on", "state", "recorded_on"),
    )


def source_listing(ledger: Ledger, answers: "Sequence[Answer]") -> Listing:
    """Return sources as rows."""
    rows = []
    for answer in answers:
        source = answer.record
        assert isinstance(source, Source)
        rows.append(
            {
                "id": source.id,
                "title": source.title,
                "publisher": source.publisher,
                "relation": RELATION_WORDS[source.relation],
                "type": source.type,
                "published_on": str(source.published_on or ""),
                "last_seen": str(source.last_seen or ""),
                "url": source.url,
                "licence": source.licence,
                "reliability": source.reliability,
                "path": answer.path,
                "recorded_on": ledger.files.recorded_on(source),
            }
        )
    return Listing(
        rows,
        ("id", "title", "publisher", "relation", "published_on", "last_seen"),
        wide=("title", "publisher"),
        facts=("relation", "publisher", "published_on", "last_seen", "recorded_on"),
    )


def cost_listing(ledger: Ledger, answers: "Sequence[Answer]", as_of: date) -> Listing:
    """Return costs as rows; an amount always stands with its currency and unit."""
    rows = []
    for answer in answers:
        cost = answer.record
        assert isinstance(cost, Cost)
        fields = {**_cost_fields(cost), **held_fields(answer, as_of), "recorded_on": ledger.files.recorded_on(cost)}
        rows.append({"item": cost.item, "price": plain_price_text(cost), **fields, "id": cost.id})
    return Listing(
        rows,
        ("item", "price", "tax", "observed_on", "standing"),
        as_of,
        wide=("item",),
        facts=("price", "tax", "observed_on", "standing", "recorded_on"),
        decimals=("amount", "low", "high"),
    )


def match_listing(catalogue: Catalogue, matches: "Iterable[SearchMatch]", as_of: date) -> Listing:
    """Return records that a search met as rows, each with its state on a day and the words around the match."""
    rows: list[Row] = []
    for match in matches:
        status = validity(catalogue, catalogue.by_id[match.id].record).status(as_of)
        row = {"id": match.id, "kind": match.kind, "label": match.label, "state": status, "snippet": match.snippet.strip()}
        rows.append({**row, "title": match.title, "path": match.path})
    return Listing(rows, ("id", "kind", "label", "snippet"), wide=("id", "snippet"), facts=("kind", "label", "state"))


def _digits(amount: Decimal | str | None) -> str | None:
    """An amount digit for digit; `unknown` stays a word."""
    return decimal_text(amount) if isinstance(amount, Decimal) else amount


def _cost_fields(cost: Cost) -> Row:
    return {
        "provider": cost.provider,
        "gpu": cost.gpu,
        "gpus_per_instance": cost.gpus_per_instance,
        "region": cost.region,
        "price_kind": cost.price_kind,
        "amount": _digits(cost.amount),
        "low": _digits(cost.low),
        "high": _digits(cost.high),
        "currency": cost.currency,
        "per": cost.per,
        "tax": cost.tax,
        "basis": cost.basis,
        "standing": cost.standing.state,
        "standing_reason": cost.standing.reason,
        "observed_on": str(cost.observed_on),
        "effective_from": str(cost.effective_from),
        "effective_to": str(cost.effective_to),
        "source": cost.source,
        "locator": cost.locator,
    }


def held_fields(answer: "Answer", as_of: date) -> Row:
    """Return when a record holds, as columns."""
    held = answer.validity
    return {
        "state": held.status(as_of),
        "because": held.because,
        "replaced_by": held.by,
        "valid_from": str(held.starts_on or ""),
        "valid_to": str(held.ends_on or ""),
        "path": answer.path,
    }


def _data(record: Record) -> Row:
    return record.model_dump(mode="json", by_alias=True, exclude_defaults=True)
