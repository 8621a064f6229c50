"""Tables of prices, in pricing documents only: dated series, and prices per million tokens."""

from decimal import Decimal
from string import ascii_lowercase

from ledger.analysis.prices.pricing import (
    PER_WORDS,
    Range,
    gpu_hour_text,
    money_text,
    price_per_gpu_hour,
    price_per_million_tokens,
    stated_price,
)
from ledger.analysis.prices.selection import PriceFilter, price_series, prices_on
from ledger.analysis.validity.validity import valid_from
from ledger.model.records.claim import Claim
from ledger.model.records.cost import Cost
from ledger.model.records.run import Measure
from ledger.render.citing.blocks import Prices, UnitCost
from ledger.render.citing.citations import Citing, UnprintableError
from ledger.render.citing.evidence import CitedRecord
from ledger.render.escape import escaped
from ledger.render.tables.grid import Grid

_ITEM, _PRICE, _PER_GPU_HOUR = "Item", "Price", "Per GPU-hour"
_FOLDED = (_ITEM, "Per", "Kind", "Region", "Tax")
"""Columns told in the caption where all rows agree."""


def prices_grid(block: Prices, citing: Citing) -> Grid:
    """Return the prices asked for: items in order, each item's entries oldest first.

    Raises:
        UnprintableError: the article is technical, or no price matches.
    """
    if citing.evidence.article.side != "pricing":
        raise UnprintableError("LEDG103", "prices in a technical article.", "Move the block to a pricing article.")
    costs = _choose(block, citing)
    if not costs:
        raise UnprintableError("LEDG112", "no price matches the block.", "Widen it, or name ids.")
    currency = costs[0].currency if len({cost.currency for cost in costs}) == 1 else None
    items = {cost.item for cost in costs}
    reasons = _reasons(costs)
    rows = tuple(_row(cost, citing, currency=currency, is_one_item=len(items) == 1, reasons=reasons) for cost in costs)
    unit = f", {currency}" if currency else ""
    header = (_ITEM, _PRICE + unit, "Per", _PER_GPU_HOUR + unit, "Kind", "Region", "Tax", "Observed", "Basis")
    foot = " ".join(f"({letter}) {escaped(reason)}" for reason, letter in reasons.items())
    return Grid(header, rows, frozenset({1, 3}), foot=foot).without_uniform(_FOLDED if len(rows) > 1 else ())


def _reasons(costs: list[Cost]) -> dict[str, str]:
    """Why entries may not be relied on, each reason once, and the letter that stands for it."""
    reasons = dict.fromkeys(_sentence(cost.standing.reason) for cost in costs if cost.standing.reason)
    return {reason: ascii_lowercase[index % 26] * (index // 26 + 1) for index, reason in enumerate(reasons)}


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:].rstrip(".") + "."


def _choose(block: Prices, citing: Citing) -> list[Cost]:
    evidence = citing.evidence
    if block.ids:
        return [_cost(record_id, citing) for record_id in block.ids]
    wanted = PriceFilter(provider=block.provider, region=block.region, gpu=block.gpu, price_kind=block.price_kind, item=block.item)
    matching = [cost for cost in evidence.catalogue.of(Cost) if wanted.matches(cost)]
    select = prices_on if block.current else price_series
    return sorted(
        select(evidence.catalogue, matching, evidence.as_of),
        key=lambda c: (c.item, c.provider, c.region, str(valid_from(evidence.catalogue, c)), c.id),
    )


def _cost(record_id: str, citing: Citing) -> Cost:
    record = citing.cite(record_id).record
    if not isinstance(record, Cost):
        raise UnprintableError("LEDG104", f"{record.id} is a {record.KIND}, expected a cost.", "Name a cost.")
    return record


def _row(cost: Cost, citing: Citing, *, currency: str | None, is_one_item: bool, reasons: dict[str, str]) -> tuple[str, ...]:
    cited = citing.cite(cost.id)
    return (
        escaped(cost.item if is_one_item else _short_item(cost)),
        _money(stated_price(cost), cost, currency) or "not stated",
        PER_WORDS[cost.per].removeprefix("per "),
        _money(price_per_gpu_hour(cost), cost, currency) or "–",
        escaped(cost.price_kind),
        escaped(cost.region),
        escaped(cost.tax),
        escaped(str(cost.observed_on)),
        _basis(cost, cited, citing, reasons=reasons),
    )


def _money(amount: Range | None, cost: Cost, currency: str | None) -> str:
    """An amount; without its currency where the heading names it."""
    if amount is None:
        return ""
    text = money_text(amount, cost.currency)
    return escaped(text.rsplit("\u00a0", 1)[0] if currency and currency != "unknown" else text)


def _short_item(cost: Cost) -> str:
    """An item without the parts that region and kind say already."""
    told = {cost.region.casefold(), cost.price_kind.casefold(), "unstated-region"}
    return "/".join(part for part in cost.item.split("/") if part.casefold() not in told)


def _basis(cost: Cost, cited: CitedRecord, citing: Citing, *, reasons: dict[str, str]) -> str:
    """On what a price rests, its source number, and why it may not be relied on."""
    badge = cited.badge
    marks = citing.marks([cited])
    words = [escaped(text) for text in (*badge.relations[1:], *([badge.status] if badge.status else []))]
    letter = reasons.get(_sentence(cost.standing.reason)) if cost.standing.reason else None
    return ", ".join([escaped(badge.relations[0]) + marks, *words]) + (f"\u00a0({letter})" if letter else "")


def unit_cost_grid(block: UnitCost, citing: Citing) -> Grid:
    """Return a price per million tokens of each kind, with everything that it is made of.

    Raises:
        UnprintableError: the price or a throughput is missing.
    """
    cost = _cost(block.cost, citing)
    hourly = price_per_gpu_hour(cost)
    if hourly is None:
        raise UnprintableError("LEDG112", f"{cost.id} has no price per GPU-hour with its host.", "Name a price that includes the host.")
    rows = []
    for kind, reference in block.throughputs.items():
        cited = [citing.cite(reference), citing.cite(cost.id)]
        price = price_per_million_tokens(hourly, block.gpus, _rate(reference, citing))
        rows.append(
            (
                escaped(f"{money_text(price, cost.currency)} per million {kind}"),
                escaped(citing.value(reference)) + citing.marks(cited[:1]) + " " + citing.badges(cited[:1]),
                escaped(f"{block.gpus} x {gpu_hour_text(cost)}, {cost.price_kind}, from {cost.effective_from}") + citing.marks(cited[1:]),
            )
        )
    return Grid(("Derived price", "Throughput", "Price taken"), tuple(rows))


def _rate(reference: str, citing: Citing) -> Range:
    measure = citing.evidence.value(reference).measure
    if isinstance(measure, Measure) and measure.value is not None and measure.unit == "tok/s":
        value = Decimal(repr(measure.value))
        return Range(value, value)
    record_id, _, name = reference.partition("#")
    claim = citing.evidence.catalogue.get(record_id, Claim)
    quantity = claim.quantity(name) if claim else None
    if quantity is None or quantity.unit != "tok/s":
        raise UnprintableError("LEDG112", f"{reference} is not a number of tokens per second.", "Name a quantity with the unit tok/s.")
    low, high = (quantity.value, quantity.value) if quantity.value is not None else (quantity.low, quantity.high)
    assert low is not None  # a quantity has a value or both ends (LEDG030)
    assert high is not None
    return Range(low, high)
