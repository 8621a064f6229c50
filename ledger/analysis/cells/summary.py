"""The summary of a run, from its protocol and traces alone: what `verify` recomputes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ledger.analysis.cells.cell import cell
from ledger.analysis.cells.cell_rows import CellRows, Samples
from ledger.analysis.cells.paired_ratios import comparison, own_match
from ledger.analysis.measures.acceptance import Acceptance, request_counts
from ledger.analysis.measures.latencies import Latencies
from ledger.analysis.statistics.trace_columns import Traces
from ledger.analysis.statistics.variance import noise_floor
from ledger.model.records.protocol import Load, Protocol
from ledger.model.records.run import Cell, Comparison, Measure, SuiteResult
from ledger.model.trace import RequestTrace
from ledger.model.values.reference import CellReference, parse_reference


@dataclass(frozen=True, slots=True)
class NoiseFloor:
    """The largest |log ratio| between repeats of a base, for one statistic at one load."""

    base: str
    load: str
    metric: str
    log_ratio: float


@dataclass(frozen=True, slots=True)
class Summary:
    """Cells, comparisons and noise floors; `warnings` are sentences for the reader of the run."""

    cells: tuple[Cell, ...]
    comparisons: tuple[Comparison, ...]
    floors: tuple[NoiseFloor, ...]
    suites: tuple[SuiteResult, ...]
    warnings: tuple[str, ...]

    def cell(self, arm: str, load: str, repeat: int | None = None) -> Cell | None:
        """Return one cell, pooled over repeats by default."""
        return next((c for c in self.cells if (c.arm, c.load, c.repeat) == (arm, load, repeat)), None)

    def comparison(self, arm: str, base: str, load: str) -> Comparison | None:
        """Return the paired comparison of two arms at a load."""
        return next((c for c in self.comparisons if (c.arm, c.base, c.load) == (arm, base, load)), None)


@dataclass(frozen=True, slots=True)
class _Parts:
    cells: tuple[Cell, ...]
    comparisons: tuple[Comparison, ...]


def summarise(
    protocol: Protocol,
    traces: Traces | Sequence[RequestTrace],
    *,
    suites: Sequence[SuiteResult] = (),
    seed: int,
) -> Summary:
    """Return every cell (each repeat, then pooled) and every comparison of a run; cells that never ran are left out.

    Args:
        protocol: Names arms, loads, rules and goodput limits; arms and loads beyond it are ignored.
        traces: All requests; only the measured phase counts.
        suites: Results of the acceptance suites, passed through.
        seed: Of every bootstrap.
    """
    latencies = Latencies(traces if isinstance(traces, Traces) else Traces.from_requests(traces))
    cells: list[Cell] = []
    comparisons: list[Comparison] = []
    warnings: list[str] = []
    for load in protocol.loads:
        pooled = _pooled_rows(protocol, latencies, load)
        samples = {arm: rows.samples(seed) for arm, rows in pooled.items()}
        found = list(_comparisons(protocol, pooled, samples, seed=seed))
        comparisons += found
        for arm, rows in pooled.items():
            cells += _repeat_cells(rows, samples[arm], seed)
            whole = cell(rows, samples[arm], seed=seed)
            cells.append(_with_match(whole, rows, found, protocol=protocol, seed=seed))
            warnings += _warnings(rows, whole)
    floors = _floors(protocol, _Parts(tuple(cells), tuple(comparisons)))
    return Summary(tuple(cells), tuple(comparisons), floors, tuple(suites), tuple(warnings))


def is_greedy(protocol: Protocol) -> bool:
    """Whether every token is the most likely one, so that outputs can be compared."""
    return protocol.sampling.temperature == 0


def _pooled_rows(protocol: Protocol, latencies: Latencies, load: Load) -> dict[str, CellRows]:
    limits_s: dict[str, float] = {metric: float(limit) for metric, limit in protocol.goodput_limits_s.items()}
    rows = {arm.id: CellRows.of(latencies, arm.id, load, limits_s=limits_s) for arm in protocol.arms}
    return {arm: found for arm, found in rows.items() if len(found.rows)}


def _repeat_cells(pooled: CellRows, samples: Samples, seed: int) -> list[Cell]:
    repeats = pooled.latencies.traces.repeats(pooled.rows)
    cells = []
    for repeat in repeats:
        one = CellRows.of(pooled.latencies, pooled.arm, pooled.load, repeat=repeat, limits_s=pooled.limits_s)
        own = one.samples(seed) if len(repeats) > 1 else samples  # a single repeat is its own pool
        cells.append(cell(one, own, seed=seed))
    return cells


def pairs(protocol: Protocol) -> list[tuple[str, str]]:
    """Return arm and base of every comparison: each arm with the baseline, or with its matched one too, and those that a rule names."""
    found = [(arm.id, protocol.baseline.id) for arm in protocol.arms[1:]]
    found += [(arm.matches, arm.id) for arm in protocol.arms if arm.matches]
    for rule in protocol.rules:
        parsed = parse_reference(rule.metric)
        if isinstance(parsed, CellReference) and parsed.base:
            found.append((parsed.arm, parsed.base))
    return list(dict.fromkeys(found))


def _comparisons(protocol: Protocol, pooled: dict[str, CellRows], samples: Mapping[str, Samples], *, seed: int) -> Iterator[Comparison]:
    for arm, base in pairs(protocol):
        if arm in pooled and base in pooled:
            both = samples[arm], samples[base]
            yield comparison(pooled[arm], pooled[base], samples=both, is_greedy=is_greedy(protocol), seed=seed)


def _with_match(whole: Cell, rows: CellRows, comparisons: Sequence[Comparison], *, protocol: Protocol, seed: int) -> Cell:
    """Return a pooled cell with its match rate: against the baseline, or the baseline's against its own repeats."""
    base = protocol.baseline.id
    if whole.arm == base:
        measures = own_match(rows, is_greedy=is_greedy(protocol), seed=seed)
    else:
        against = next((c for c in comparisons if (c.arm, c.base) == (whole.arm, base)), None)
        measures = {key: m for key, m in against.metrics.items() if key.startswith("match.")} if against else {}
    return whole.model_copy(update={"metrics": whole.metrics | measures})


def _floors(protocol: Protocol, parts: _Parts) -> tuple[NoiseFloor, ...]:
    floors = {}
    for one in parts.comparisons:
        for metric in one.metrics:
            log_ratio = noise_floor(protocol, parts, base=one.base, load=one.load, metric=metric)
            if log_ratio is not None and not metric.startswith("match."):
                floors[one.base, one.load, metric] = NoiseFloor(one.base, one.load, metric, log_ratio)
    return tuple(floors.values())


def _warnings(rows: CellRows, whole: Cell) -> Iterator[str]:
    name = f"{whole.arm} at {whole.load}"
    lost = {outcome: n for outcome, n in whole.requests.items() if outcome not in ("sent", "completed") and n}
    if lost:
        yield f"{name}: of {whole.requests['sent']} requests, {', '.join(f'{n} {outcome}' for outcome, n in lost.items())}"
    saturated = whole.metrics.get("saturation.repeats", Measure(unit="count", n=0))
    if saturated.value:
        yield f"{name}: saturated in {saturated.value:.0f} of {len(rows.by_repeat())} repeats"
    steady = whole.metrics["throughput.steady"]
    if steady.interval_reason and "steady window" in steady.interval_reason:
        yield f"{name}: {steady.interval_reason}"
    acceptance = Acceptance(request_counts(rows.latencies, rows.rows))
    if acceptance.drafted and not acceptance.accepted:
        yield f"{name}: 0 of {acceptance.drafted} drafted tokens were accepted"
    if acceptance.unexplained_requests:
        yield f"{name}: {acceptance.unexplained_requests} requests delivered more tokens than their recorded decode steps can have produced"
