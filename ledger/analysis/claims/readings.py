"""What a claim says in numbers: each quantity, or value of a run, with its bound, conditions and version.

Vendor claims type their quantities; measured claims refer to runs. Both become readings, so that they can be set
side by side. Units of one dimension are brought to one unit; a paired ratio counts under the name that claims use.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from ledger.analysis.claims.resolve import measure_text, quantity_text, resolve, significant
from ledger.model.catalogue import Catalogue
from ledger.model.records.claim import Bound, Claim, Quantity
from ledger.model.records.protocol import Protocol
from ledger.model.records.run import EnvironmentFact, Measure, Run
from ledger.model.values.metrics import METRICS
from ledger.model.values.reference import CellReference, parse_reference
from ledger.model.values.units import MEASURE_DIMENSIONS, UNITS, plain, with_unit

FACTORS = {
    "ms": Decimal("0.001"),
    "us": Decimal("1e-6"),
    "ns": Decimal("1e-9"),
    "min": Decimal(60),
    "h": Decimal(3600),
    "%": Decimal("0.01"),
}
"""Units that are brought to the seconds and shares that runs keep."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One number that a claim states or measured, both ends inclusive; equal ends are a point."""

    claim: Claim
    name: str
    metric: str
    dimension: str
    text: str
    """As it prints, with bound and unit."""
    low: Decimal | None
    high: Decimal | None
    bound: Bound
    conditions: dict[str, str]
    version: str | None
    samples: int | None = None
    is_interval: bool = False
    """Whether the ends are a measured 95 % interval rather than a stated range."""
    estimate: Decimal | None = None
    reason: str | None = None
    """Why there is no number: withheld, not recorded, undefined."""
    reference: str | None = None
    unit: str = ""
    statistic: str | None = None

    @property
    def ends(self) -> tuple[Decimal, Decimal] | None:
        """Low and high end; None where it has not both, since there is no number."""
        return None if self.low is None or self.high is None else (self.low, self.high)


def readings(catalogue: Catalogue, claim: Claim) -> list[Reading]:
    """Return every number of a claim, in the order written."""
    return [*(_stated_reading(claim, quantity) for quantity in claim.quantities), *_measured_readings(catalogue, claim)]


def _stated_reading(claim: Claim, quantity: Quantity) -> Reading:
    factor = FACTORS.get(quantity.unit, Decimal(1))
    low, high = (quantity.value, quantity.value) if quantity.value is not None else (quantity.low, quantity.high)
    return Reading(
        claim=claim,
        name=quantity.name,
        metric=quantity.metric,
        dimension=UNITS[quantity.unit],
        text=quantity_text(quantity),
        low=None if low is None else low * factor,
        high=None if high is None else high * factor,
        bound=quantity.bound,
        conditions=dict(quantity.conditions),
        version=claim.version,
        samples=quantity.samples,
        unit=quantity.unit,
        statistic=quantity.statistic,
    )


def _measured_readings(catalogue: Catalogue, claim: Claim) -> Iterator[Reading]:
    for name, reference in claim.values.items():
        cell = parse_reference(reference)
        run = catalogue.get(cell.run, Run) if isinstance(cell, CellReference) else None
        measure = resolve(catalogue, reference).measure
        if not isinstance(cell, CellReference) or run is None or measure is None:
            continue
        metric, is_inverse = _claim_name(cell)
        number = _number(measure)
        if is_inverse and number.estimate:
            number = _inverse(number, cell.metric)
        yield Reading(
            claim=claim,
            name=name,
            metric=metric,
            dimension=MEASURE_DIMENSIONS[measure.unit],
            text=number.text,
            low=number.estimate if number.low is None else number.low,
            high=number.estimate if number.high is None else number.high,
            bound="exactly",
            conditions=run_conditions(catalogue, run, cell),
            version=run_version(run),
            samples=measure.n,
            is_interval=number.low is not None and number.high is not None,
            estimate=number.estimate,
            reason=measure.reason,
            reference=reference,
            unit=measure.unit,
            statistic=cell.stat,
        )


@dataclass(frozen=True, slots=True)
class _Number:
    """A measured value with the ends of its interval, and how it prints."""

    text: str
    estimate: Decimal | None
    low: Decimal | None
    high: Decimal | None


def _number(measure: Measure) -> _Number:
    estimate, low, high = (None if end is None else Decimal(repr(end)) for end in (measure.value, measure.low, measure.high))
    return _Number(measure_text(measure, interval=True), estimate, low, high)


def _inverse(number: _Number, metric: str) -> _Number:
    """Return base over arm for a ratio of arm over base that is not 0; the ends change places."""
    assert number.estimate  # callers ask for those that have one
    estimate = 1 / number.estimate
    low, high = (1 / end if end else None for end in (number.high, number.low))
    text = f"{with_unit(plain(significant(estimate)), 'x')} (from a {metric} ratio of {number.text})"
    return _Number(text, estimate, low, high)


def _claim_name(cell: CellReference) -> tuple[str, bool]:
    """Return what claims call a figure of a run, and whether they state its inverse."""
    metric = METRICS.get(f"{cell.metric}.{cell.stat}")
    if cell.base is None:
        return (metric.claim_name if metric else cell.metric), False
    return (metric.ratio_claim_name, metric.is_speedup_inverse) if metric else (f"{cell.metric}-ratio", False)


def run_conditions(catalogue: Catalogue, run: Run, cell: CellReference) -> dict[str, str]:
    """Return what a cell of a run held constant, under the names that claims use."""
    hardware = run.environment.get(EnvironmentFact.HARDWARE)
    conditions = {} if hardware is None else {"hardware": str(hardware)}
    protocol = catalogue.get(run.protocol, Protocol)
    if protocol is None:
        return conditions
    conditions |= {"model": protocol.model.name, "dataset": protocol.workload}
    conditions |= {"temperature": str(protocol.sampling.temperature), "max-tokens": str(protocol.sampling.max_tokens)}
    if load := next((load for load in protocol.loads if load.id == cell.load), None):
        conditions |= {"concurrency": str(load.concurrency)} if load.kind == "closed" else {"request-rate": f"{load.rate_per_s} requests/s"}
        conditions |= {"prefix-cache": "warm"} if load.cache == "warm" else {}
    if arm := protocol.arm(cell.arm):
        conditions["method"] = arm.method or "no speculation"
        if arm.num_speculative_tokens:
            conditions["k"] = str(arm.num_speculative_tokens)
    if cell.base and (base := protocol.arm(cell.base)):
        conditions["baseline"] = base.method or "no speculation"
    return conditions


def run_version(run: Run) -> str | None:
    """Return the engine's version as the run recorded it."""
    engine = run.environment.get(EnvironmentFact.ENGINE)
    if engine is None:
        return None
    text = str(engine)
    return text if any(char.isalpha() for char in text) else f"vllm {text}"
