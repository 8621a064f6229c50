"""References turned into printed values: `up to 2.8x`, `12.4 ms (11.9 to 13.0)`, or the reason there is none.

One place decides how a number prints, for articles, claims, tables and the terminal alike.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from typing import Literal

from ledger.analysis.verdicts.facts import Facts, fact, measures, scores
from ledger.model.catalogue import Catalogue
from ledger.model.records.claim import PLACEHOLDER, Claim, Quantity
from ledger.model.records.protocol import Load, Protocol
from ledger.model.records.run import Cell, Comparison, Measure, Run
from ledger.model.values.reference import CellReference, FactReference, QuantityReference, parse_reference
from ledger.model.values.units import plain, with_unit

BOUND_WORDS = {"exactly": "", "about": "about ", "up-to": "up to ", "at-least": "at least "}
LoadForm = Literal["sentence", "heading", "plan"]
"""Where a load is named: in the middle of a sentence or a row, at the head of a table, or in the plan, which leaves nothing unsaid."""
Bindings = Mapping[str, str]
"""What a run name with `@` stands for, such as `{"@run": "2026-12-01-demo"}`."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """A reference's printed text, or the reason it has none; `records` are the ids it rests on."""

    text: str | None
    reason: str | None = None
    records: tuple[str, ...] = ()
    measure: Measure | None = None


def quantity_text(quantity: Quantity) -> str:
    """Return bound, value and unit of a quantity: `up to 2.8x`, `2 to 3x`."""
    if quantity.value is not None:
        number = plain(quantity.value)
    else:
        ends = [plain(end) for end in (quantity.low, quantity.high) if end is not None]
        number = " to ".join(ends)
    return BOUND_WORDS[quantity.bound] + with_unit(number, quantity.unit)


_PRINTED_UNIT = {"s": ("ms", Decimal(1000)), "share": ("%", Decimal(100)), "ratio": ("x", Decimal(1)), "bytes": ("MiB", Decimal(1) / 2**20)}


IN_SECONDS_FROM = 10
"""A single figure as long as this prints in seconds: the recovery of an engine, not a latency."""


def significant(value: Decimal, digits: int = 3) -> Decimal:
    """Return a decimal rounded half-even to significant digits, whole numbers kept whole."""
    if value == 0:
        return Decimal(0)
    exponent = min(0, value.adjusted() - digits + 1)
    with localcontext(prec=max(28, value.adjusted() + 1)):  # a number longer than the usual 28 digits is no fault
        return value.quantize(Decimal(1).scaleb(exponent), rounding=ROUND_HALF_EVEN)


def measure_number(value: float, unit: str) -> tuple[str, str]:
    """Return a measured value as printed digits and printed unit (seconds print as ms, shares as %); a count prints whole."""
    if unit == "count" and value.is_integer():
        return plain(Decimal(int(value))), unit
    printed, factor = _PRINTED_UNIT.get(unit, (unit, Decimal(1)))
    return plain(significant(Decimal(repr(value)) * factor)), printed


def measure_text(measure: Measure, *, interval: bool = False) -> str:
    """Return a measure as it prints, with its 95 % interval where asked; its reason in parentheses where it has no value."""
    if measure.value is None:
        return f"({measure.reason})"
    if measure.unit == "s" and measure.low is None and measure.value >= IN_SECONDS_FROM:
        return with_unit(plain(significant(Decimal(repr(measure.value)))), "s")
    number, unit = measure_number(measure.value, measure.unit)
    text = with_unit(number, unit)
    if interval and measure.low is not None and measure.high is not None:
        low, high = (measure_number(end, measure.unit)[0] for end in (measure.low, measure.high))
        text += f" ({low} to {high})"
    return text


def resolve(catalogue: Catalogue, reference: str, bindings: Bindings | None = None) -> Resolved:
    """Return what a reference prints; never raises, a fault is the reason."""
    try:
        parsed = parse_reference(reference)
    except ValueError as error:
        return Resolved(None, str(error))
    if isinstance(parsed, QuantityReference):
        return _resolve_quantity(catalogue, parsed, bindings)
    run_id = (bindings or {}).get(parsed.run, parsed.run)
    run = catalogue.get(run_id, Run)
    if run is None:
        return Resolved(None, f"no run {run_id} in this ledger")
    if isinstance(parsed, FactReference):
        return _resolve_fact(catalogue, run, parsed)
    return _resolve_cell(run, parsed)


def _resolve_quantity(catalogue: Catalogue, parsed: QuantityReference, bindings: Bindings | None) -> Resolved:
    claim = catalogue.get(parsed.record, Claim)
    if claim is None:
        return Resolved(None, f"no claim {parsed.record} in this ledger")
    if quantity := claim.quantity(parsed.name):
        return Resolved(quantity_text(quantity), records=(claim.id,))
    if reference := claim.values.get(parsed.name):
        below = resolve(catalogue, reference, bindings)
        return Resolved(below.text, below.reason, (claim.id, *below.records), below.measure)
    names = [q.name for q in claim.quantities] + list(claim.values)
    return Resolved(None, f"{claim.id} has no quantity {parsed.name}; it has {', '.join(names) or 'none'}")


def _resolve_cell(run: Run, parsed: CellReference) -> Resolved:
    holder: Cell | Comparison | None
    holder = run.comparison(parsed.arm, parsed.base, parsed.load) if parsed.base else run.cell(parsed.arm, parsed.load, parsed.repeat)
    if holder is None:
        return Resolved(None, f"{run.id} has no cell {parsed.arm}{'~' + parsed.base if parsed.base else ''}/{parsed.load}")
    measure = holder.metrics.get(f"{parsed.metric}.{parsed.stat}")
    if measure is None:
        return Resolved(None, f"{run.id} has no {parsed.metric}.{parsed.stat} there; it has {', '.join(sorted(holder.metrics))}")
    if measure.value is None:
        return Resolved(None, measure.reason, (run.id,), measure)
    arms = (parsed.arm, parsed.base) if parsed.base else (parsed.arm,)
    flag = " [saturated]" if run.is_saturated(parsed.load, *arms) else ""
    return Resolved(measure_text(measure) + flag, records=(run.id,), measure=measure)


def _resolve_fact(catalogue: Catalogue, run: Run, parsed: FactReference) -> Resolved:
    facts = run_facts(catalogue, run, parsed.group)
    is_count = parsed.group == "suite" and parsed.key in facts  # a suite prints as "22 of 24"
    if not is_count and (measure := fact(Facts.of(run), parsed)):
        return Resolved(measure_text(measure) if measure.value is not None else None, measure.reason, (run.id,), measure)
    if parsed.key not in facts:
        return Resolved(None, f"{run.id} has no {parsed.group}.{parsed.key}; it has {', '.join(sorted(facts)) or 'none'}")
    return Resolved(facts[parsed.key], records=(run.id,))


def run_facts(catalogue: Catalogue, run: Run, group: str) -> dict[str, str]:
    """Return the printed facts of one group of a run.

    `environment` by key, `load` by id, `verdict` by rule, `decision.outcome`; `suite`, `memory` and `drill` as `facts` says.
    """
    if group == "environment":
        return {key: str(value) for key, value in run.environment.items()}
    if group == "suite":
        return {key: f"{passed} of {asked}" for key, (passed, asked) in scores(run.suites)}
    if group == "decision":
        return {"outcome": run.decision} if run.decision else {}
    if group in ("memory", "drill"):
        return {key: measure_text(measure) for key, measure in measures(Facts.of(run), group).items()}
    if group == "verdict":
        return {v.rule: f"{v.outcome} ({v.direction})" if v.direction else v.outcome for v in run.verdicts}
    protocol = catalogue.get(run.protocol, Protocol)
    return {load.id: load_text(load) for load in protocol.loads} if protocol else {}


_LOAD_WORDS = {"heading": ("/s", "{} s of growth"), "plan": (" per second", "a ramp of {} s")}


def load_text(load: Load, form: LoadForm = "sentence") -> str:
    """Return a load in words.

    `sentence`: `concurrency 8`, `2 requests/s, warm cache`. `heading`: `closed loop, 8 in flight`, `poisson arrivals, 2/s, after
    10 s of growth`. `plan`: the same with every word, a cold cache among them.
    """
    is_warm = load.cache == "warm"
    if form == "sentence":
        text = f"concurrency {load.concurrency}" if load.kind == "closed" else f"{load.rate_per_s} requests/s"
        return f"{text}, warm cache" if is_warm else text
    per_second, growth = _LOAD_WORDS[form]
    arrivals = f"{load.arrivals or 'poisson'} arrivals, {load.rate_per_s}{per_second}"
    parts = [f"closed loop, {load.concurrency} in flight" if load.kind == "closed" else arrivals]
    parts += [f"after {growth.format(load.ramp_s)}"] if load.ramp_s else []
    parts += [f"{load.cache} cache"] if is_warm or form == "plan" else []
    return ", ".join(parts)


def statement_text(catalogue: Catalogue, claim: Claim, bindings: Bindings | None = None) -> tuple[str, list[str]]:
    """Return a claim's statement with its placeholders filled in, and the reasons for those that could not be."""
    reasons: list[str] = []

    def fill(name: str) -> str:
        resolved = resolve(catalogue, f"{claim.id}#{name}", bindings)
        if resolved.text is None:
            reasons.append(f"{{{name}}}: {resolved.reason}")
        return resolved.text or f"[{name}: {resolved.reason}]"

    return PLACEHOLDER.sub(lambda match: fill(match.group(1)), claim.statement), reasons
