"""The summary of a run, from its protocol and traces alone: what `verify` recomputes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ledger.analysis.cells.cell import cell
from ledger.analysis.cells.cell_rows import CellRows, Samples
from ledger.analysis.cells.completeness import NO_SHARE, why_not_counted, withhold, withhold_ratios
from ledger.analysis.cells.load_lives import LoadLives, widen_cell, widen_comparison
from ledger.analysis.cells.paired_ratios import comparison, own_match
from ledger.analysis.measures.acceptance import Acceptance
from ledger.analysis.measures.acceptance import request_counts as step_counts
from ledger.analysis.measures.bursts import burst_window_s
from ledger.analysis.measures.latencies import Latencies
from ledger.analysis.measures.throughput import request_counts
from ledger.analysis.statistics.trace_columns import Traces
from ledger.model.records.protocol import Load, Protocol
from ledger.model.records.run import Cell, Comparison, Measure, SuiteResult
from ledger.model.trace import RequestTrace
from ledger.model.values.reference import CellReference, parse_reference


@dataclass(frozen=True, slots=True)
class Summary:
    """Cells and comparisons; `warnings` are sentences for the reader of the run."""

    cells: tuple[Cell, ...]
    comparisons: tuple[Comparison, ...]
    suites: tuple[SuiteResult, ...]
    warnings: tuple[str, ...]

    def cell(self, arm: str, load: str, repeat: int | None = None) -> Cell | None:
        """Return one cell, pooled over repeats by default."""
        return next((c for c in self.cells if (c.arm, c.load, c.repeat) == (arm, load, repeat)), None)

    def comparison(self, arm: str, base: str, load: str) -> Comparison | None:
        """Return the paired comparison of two arms at a load."""
        return next((c for c in self.comparisons if (c.arm, c.base, c.load) == (arm, base, load)), None)


def summarise(
    protocol: Protocol,
    traces: Traces | Sequence[RequestTrace],
    *,
    suites: Sequence[SuiteResult] = (),
    seed: int,
) -> Summary:
    """Return every cell (each repeat, then pooled) and every comparison of a run; cells that never ran are left out.

    Args:
        protocol: Names arms, loads, rules, goodput limits and planned requests; arms and loads beyond it are ignored.
        traces: All requests; only the measured phase counts.
        suites: Results of the acceptance suites, passed through.
        seed: Of every bootstrap.
    """
    latencies = Latencies(traces if isinstance(traces, Traces) else Traces.from_requests(traces))
    loads = [summarise_load(protocol, pooled_rows(protocol, latencies, load), seed) for load in protocol.loads]
    return Summary(
        cells=tuple(one for load in loads for one in load.cells),
        comparisons=tuple(one for load in loads for one in load.comparisons),
        suites=tuple(suites),
        warnings=tuple(text for load in loads for text in load.warnings),
    )


def is_greedy(protocol: Protocol) -> bool:
    """Whether every token is the most likely one, so that outputs can be compared."""
    return protocol.sampling.temperature == 0


@dataclass(frozen=True, slots=True)
class LoadSummary:
    """What a run has at one load."""

    cells: tuple[Cell, ...]
    comparisons: tuple[Comparison, ...]
    warnings: tuple[str, ...]


def summarise_load(protocol: Protocol, pooled: Mapping[str, CellRows], seed: int) -> LoadSummary:
    """Return the cells and comparisons of one load, in the order of its arms.

    Intervals come in three steps: from the prompts; widened by what differs between the engine lives of all arms that
    count; and taken away again where fewer requests completed than planned.
    """
    samples = {arm: rows.samples(seed) for arm, rows in pooled.items()}
    repeats = {arm: _by_repeat(rows, samples[arm], seed) for arm, rows in pooled.items()}
    shortfalls = {arm: shortfall(protocol, rows) for arm, rows in pooled.items()}
    lives = LoadLives.of({arm: found for arm, found in repeats.items() if not shortfalls[arm]}, seed)
    counts = {arm: len(found) for arm, found in repeats.items()}
    comparisons = [widen_comparison(lives, one, counts) for one in _comparisons(protocol, pooled, samples, seed=seed)]
    window_s = burst_window_s(_median_step_s(samples.get(protocol.baseline.id)))
    cells: list[Cell] = []
    warnings: list[str] = []
    for arm, rows in pooled.items():
        for one, own in repeats[arm].values():
            repeat = widen_cell(lives, cell(one, own, seed=seed, burst_window_s=window_s), 1)
            cells.append(withhold(repeat, shortfall(protocol, one)))
        whole = widen_cell(lives, cell(rows, samples[arm], seed=seed, burst_window_s=window_s), counts[arm])
        whole = _with_match(whole, rows, comparisons, protocol=protocol, seed=seed)
        cells.append(withhold(whole, shortfalls[arm]))
        warnings += _warnings(rows, whole)
    return LoadSummary(tuple(cells), tuple(withhold_ratios(one, shortfalls) for one in comparisons), tuple(warnings))


def _median_step_s(baseline: Samples | None) -> float | None:
    """Return the baseline's median time between chunks, which is that of its decode steps; None where it streamed none."""
    gaps = baseline.get("chunk-gap") if baseline else None
    return gaps.quantiles["p50"] if gaps else None


def pooled_rows(protocol: Protocol, latencies: Latencies, load: Load) -> dict[str, CellRows]:
    """Return the requests of every arm that ran at a load, repeats pooled."""
    limits_s: dict[str, float] = {metric: float(limit) for metric, limit in protocol.goodput_limits_s.items()}
    rows = {arm.id: CellRows.of(latencies, arm.id, load, limits_s=limits_s) for arm in protocol.arms}
    return {arm: found for arm, found in rows.items() if len(found.rows)}


def _by_repeat(pooled: CellRows, samples: Samples, seed: int) -> dict[int, tuple[CellRows, Samples]]:
    """Return the requests of each repeat and their samples; a single repeat is its own pool."""
    repeats = pooled.repeats()
    rows = {repeat: pooled.one_repeat(repeat) for repeat in repeats}
    return {repeat: (one, one.samples(seed) if len(repeats) > 1 else samples) for repeat, one in rows.items()}


def shortfall(protocol: Protocol, rows: CellRows) -> str | None:
    """Return why a cell counts for nothing, such as `48 of 72 completed`; None where enough of its planned requests did."""
    planned = rows.load.requests * (protocol.repeats if rows.repeat is None else 1)
    counts = {str(outcome): count for outcome, count in request_counts(rows.latencies, rows.rows).items()}
    return why_not_counted(counts, planned, protocol.allowed_failure_share or NO_SHARE)


def pairs(protocol: Protocol) -> list[tuple[str, str]]:
    """Return arm and base of every comparison: each arm with the baseline, or with its matched one too, and those that a rule names."""
    found = [(arm.id, protocol.baseline.id) for arm in protocol.arms[1:]]
    found += [(arm.matches, arm.id) for arm in protocol.arms if arm.matches]
    for rule in protocol.rules:
        parsed = parse_reference(rule.metric)
        if isinstance(parsed, CellReference) and parsed.base:
            found.append((parsed.arm, parsed.base))
    return list(dict.fromkeys(found))


def _comparisons(protocol: Protocol, pooled: Mapping[str, CellRows], samples: Mapping[str, Samples], *, seed: int) -> Iterator[Comparison]:
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


def _warnings(rows: CellRows, whole: Cell) -> Iterator[str]:
    name = f"{whole.arm} at {whole.load}"
    lost = {outcome: n for outcome, n in whole.requests.items() if outcome not in ("sent", "completed") and n}
    if lost:
        yield f"{name}: of {whole.requests['sent']} requests, {', '.join(f'{n} {outcome}' for outcome, n in lost.items())}"
    saturated = whole.metrics.get("saturation.repeats", Measure(unit="count", n=0))
    if saturated.value:
        yield f"{name}: saturated in {saturated.value:.0f} of {len(rows.by_repeat())} repeats"
    if whole.is_lock_stepped:
        yield f"{name}: requests began together (burst index {whole.metrics['burst.index'].value:.2f}), so that prefills hardly met decodes"
    steady = whole.metrics["throughput.steady"]
    if steady.interval_reason and "steady window" in steady.interval_reason:
        yield f"{name}: {steady.interval_reason}"
    acceptance = Acceptance(step_counts(rows.latencies, rows.rows))
    if acceptance.drafted and not acceptance.accepted:
        yield f"{name}: 0 of {acceptance.drafted} drafted tokens were accepted"
    if acceptance.unexplained_requests:
        yield f"{name}: {acceptance.unexplained_requests} requests delivered more tokens than their recorded decode steps can have produced"
