"""Whether a cell's numbers count: as many requests as planned must have come to their end (METRICS, Statistics)."""

from collections.abc import Mapping
from decimal import Decimal

from ledger.analysis.cells.load_lives import without_interval
from ledger.model.records.run import Cell, Comparison

NO_SHARE = Decimal(0)


def answered(requests: Mapping[str, int]) -> int:
    """Return how many requests got an answer: one that ended at once by itself is an answer without tokens."""
    return requests.get("completed", 0) + requests.get("ended-empty", 0)


def needed(planned: int, allowed_share: Decimal = NO_SHARE) -> int:
    """Return how many of the planned requests must be answered where a share of them may come to no end; rounded up."""
    return planned - int(planned * allowed_share)


def why_not_counted(requests: Mapping[str, int], planned: int, allowed_share: Decimal = NO_SHARE) -> str | None:
    """Return why a cell's latencies and throughput count for nothing, such as `48 of 72 completed`; None where they count.

    Args:
        requests: The counts of a cell, as its record holds them.
        planned: Requests that the plan wants of it; for repeats pooled, of all of them.
        allowed_share: Share of the planned requests that the protocol allows to come to no end.
    """
    count = answered(requests)
    return None if count >= needed(planned, allowed_share) else f"{count} of {planned} completed"


def withhold(cell: Cell, shortfall: str | None) -> Cell:
    """Return a cell that fell short of its plan with its numbers but without their intervals, so that nothing rests on them."""
    if shortfall is None:
        return cell
    metrics = {key: without_interval(measure, shortfall) for key, measure in cell.metrics.items()}
    return cell.model_copy(update={"shortfall": shortfall, "metrics": metrics})


def withhold_ratios(comparison: Comparison, shortfalls: Mapping[str, str | None]) -> Comparison:
    """Return a comparison likewise, where the cell of either of its arms fell short."""
    found = [f"{arm}: {short}" for arm in (comparison.arm, comparison.base) if (short := shortfalls[arm])]
    if not found:
        return comparison
    metrics = {key: without_interval(measure, "; ".join(found)) for key, measure in comparison.metrics.items()}
    return comparison.model_copy(update={"shortfall": "; ".join(found), "metrics": metrics})
