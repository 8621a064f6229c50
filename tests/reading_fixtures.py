"""Numbers of claims with every field that a test does not speak of filled in."""

from decimal import Decimal
from typing import Any

from ledger.analysis.claims.readings import Reading
from ledger.model.records.claim import Claim

CLAIM = Claim(id="a", label="measured", side="technical", subject="demo", statement="s")
ALIKE = {"model": "demo 7B", "hardware": "one L4", "temperature": "0"}


def number(low: str, high: str | None = None, **changes: Any) -> Reading:
    """A reading of a speed-up; two ends make a measured interval."""
    ends = {"low": Decimal(low), "high": Decimal(high or low), "is_interval": high is not None}
    fields: dict[str, Any] = {"bound": "exactly", "conditions": ALIKE, "version": "vllm 0.32.0", "text": f"{low}x"} | ends | changes
    fields = {"claim": CLAIM, "name": "gain", "metric": "throughput-speedup", "dimension": "ratio", **fields}
    return Reading(**fields)
