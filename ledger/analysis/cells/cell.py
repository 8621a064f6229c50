"""One cell of a run: an arm at a load, in one repeat or with the repeats pooled, and all its measures."""

import numpy as np

from ledger.analysis.cells.cell_rows import CellRows, Samples
from ledger.analysis.cells.measures import latency_measures, quotient_measure
from ledger.analysis.measures.acceptance import NO_DRAFTS, NOT_RECORDED, Acceptance, request_counts
from ledger.analysis.measures.bursts import LEAST_WINDOW_S, burst_index
from ledger.analysis.measures.replay import GOODPUT, RATES, rates, replay, spread_interval, why_not_replayed
from ledger.analysis.measures.saturation import saturation
from ledger.analysis.measures.throughput import output_tokens, steady_rate
from ledger.analysis.measures.throughput import request_counts as outcome_counts
from ledger.analysis.statistics.quantiles import withheld
from ledger.analysis.statistics.quotients import Quotient
from ledger.analysis.statistics.trace_columns import NOT_RECORDED as NO_COUNT
from ledger.analysis.statistics.trace_columns import Floats, Ints
from ledger.model.records.run import Cell, Measure
from ledger.model.values.metrics import METRICS
from ledger.model.values.units import MeasureUnit

NO_COMPLETION = "no data (0 completed)"
HALF_ARE_ZERO = "undefined (half of the resamples are 0)"


def cell(cell_rows: CellRows, samples: Samples, *, seed: int, burst_window_s: float = LEAST_WINDOW_S) -> Cell:
    """Return the record of a cell, its intervals of the prompts alone; `load_lives` widens them.

    Args:
        cell_rows: Its requests.
        samples: What `CellRows.samples` returned for them.
        seed: Of the bootstrap.
        burst_window_s: How close two sends are to count as together.
    """
    metrics: dict[str, Measure] = {}
    for metric, one in samples.items():
        metrics |= latency_measures(metric, one)
    metrics |= rate_measures(cell_rows, seed)
    metrics |= prompt_measures(cell_rows, seed)
    metrics |= acceptance_measures(cell_rows, seed)
    metrics["burst.index"] = burst_measure(cell_rows, burst_window_s)
    if cell_rows.load.kind == "open":
        metrics |= saturation_measures(cell_rows)
    counts = outcome_counts(cell_rows.latencies, cell_rows.rows)
    return Cell(arm=cell_rows.arm, load=cell_rows.load.id, repeat=cell_rows.repeat, requests=counts, metrics=metrics)


def rate_measures(cell_rows: CellRows, seed: int) -> dict[str, Measure]:
    """Return output throughput, request rate and goodput from first send to last completion, and the steady window's throughput."""
    units = {name: METRICS[f"{name}.mean"].unit for name in ((*RATES, GOODPUT) if cell_rows.limits_s else RATES)}
    repeats, prompts = cell_rows.by_repeat(), np.unique(cell_rows.prompts)
    found = rates(cell_rows.latencies, repeats, cell_rows.limits_s)
    if found is None:
        measures = {f"{name}.mean": Measure(unit=unit, n=len(prompts), reason=NO_COMPLETION) for name, unit in units.items()}
    else:
        measures = _with_intervals(cell_rows, found, units, seed=seed)
    return measures | {"throughput.steady": _steady(cell_rows, seed)}


def _with_intervals(cell_rows: CellRows, values: dict[str, float], units: dict[str, MeasureUnit], *, seed: int) -> dict[str, Measure]:
    repeats, prompts, slots = cell_rows.by_repeat(), np.unique(cell_rows.prompts), cell_rows.load.concurrency
    reason = why_not_replayed(prompts, repeats, slots)
    if reason or slots is None:
        return {f"{name}.mean": Measure(value=values[name], unit=units[name], n=len(prompts), interval_reason=reason) for name in units}
    played = replay(cell_rows.latencies, repeats, prompts, concurrency=slots, seed=seed, limits_s=cell_rows.limits_s)
    return {f"{name}.mean": _with_interval(values[name], unit, played.resampled[name], n=len(prompts)) for name, unit in units.items()}


def _with_interval(value: float, unit: MeasureUnit, resampled: Floats, *, n: int) -> Measure:
    """Return a rate with the interval of its spread; a goodput of 0 has none, since every resample is 0 too."""
    ends = spread_interval(value, resampled, n)
    if not value or ends is None:
        return Measure(
            value=value, unit=unit, n=n, interval_reason="undefined (0 requests within the limits)" if not value else HALF_ARE_ZERO
        )
    return Measure(value=value, unit=unit, low=ends[0], high=ends[1], n=n)


def _steady(cell_rows: CellRows, seed: int) -> Measure:
    """Return the steady window's throughput; its interval is the spread of tokens over the time in slots, which it follows."""
    steady = steady_rate(cell_rows.latencies, cell_rows.by_repeat(), cell_rows.load.concurrency)
    quotient = cell_rows.tokens_over_slot_time()
    unit, n = METRICS["throughput.steady"].unit, quotient.n
    if steady.tokens_per_s is None:
        return Measure(unit=unit, n=n, reason=steady.reason)
    if reason := steady.reason or withheld(n, 0.5):
        return Measure(value=steady.tokens_per_s, unit=unit, n=n, interval_reason=reason)
    ends = spread_interval(steady.tokens_per_s, quotient.resample(seed), n)
    return Measure(value=steady.tokens_per_s, unit=unit, n=n, low=ends[0] if ends else None, high=ends[1] if ends else None)


def prompt_measures(cell_rows: CellRows, seed: int) -> dict[str, Measure]:
    """Return prompt and output tokens, and the share of prompt tokens answered from the prefix cache."""
    traces, rows = cell_rows.latencies.traces, cell_rows.rows
    n = len(np.unique(cell_rows.prompts))
    has_prompt = traces.prompt_tokens[rows] != NO_COUNT
    cached = rows[has_prompt & (traces.cached_tokens[rows] != NO_COUNT)]
    share = Quotient.of(traces.prompt.codes[cached], traces.cached_tokens[cached], traces.prompt_tokens[cached])
    hits = quotient_measure(share, "share", undefined="undefined (0 prompt tokens)" if len(cached) else NOT_RECORDED, seed=seed)
    prompt_tokens = int(traces.prompt_tokens[rows[has_prompt]].sum()) if has_prompt.any() else None
    return {
        "output-tokens.total": Measure(value=output_tokens(cell_rows.latencies, rows), unit="tokens", n=n),
        "prompt-tokens.total": Measure(value=prompt_tokens, unit="tokens", n=n, reason=None if prompt_tokens is not None else NOT_RECORDED),
        "prefix-cache.hit-share": hits,
    }


def acceptance_measures(cell_rows: CellRows, seed: int) -> dict[str, Measure]:
    """Return the acceptance of a cell; `not recorded`, `undefined (0 drafts)` and 0.0 stay apart."""
    acceptance = Acceptance(request_counts(cell_rows.latencies, cell_rows.rows))
    prompts = cell_rows.latencies.traces.prompt.codes[acceptance.counts.rows]
    n = len(np.unique(prompts))
    measures = {}
    for name, (above, below, undefined) in acceptance.quotients().items():
        key = f"acceptance.{name}"
        unit: MeasureUnit = METRICS[key].unit if key in METRICS else "share"  # by draft position it is a share
        reason = undefined if acceptance.is_recorded else NOT_RECORDED
        measures[key] = quotient_measure(Quotient.of(prompts, above, below), unit, undefined=reason, seed=seed)
    measures["acceptance.any-accepted"] = _any_accepted(acceptance, prompts, seed)
    totals = {"drafted": acceptance.drafted, "accepted": acceptance.accepted, "not-delivered": acceptance.not_delivered}
    for name, total in totals.items():
        value, reason_or_none = (total, None) if acceptance.is_recorded else (None, NOT_RECORDED)
        measures[f"acceptance.{name}"] = Measure(value=value, unit="tokens", n=n, reason=reason_or_none)
    return measures


def _any_accepted(acceptance: Acceptance, prompts: Ints, seed: int) -> Measure:
    """Return the share of prompts of which any drafted token was accepted, each counted once, of those that were drafted for."""
    sums = Quotient.of(prompts, acceptance.counts.accepted, acceptance.counts.drafted)
    asked = sums.denominators > 0
    share = Quotient(sums.prompts[asked], (sums.numerators[asked] > 0).astype(np.float64), np.ones(int(asked.sum())))
    return quotient_measure(share, "share", undefined=NO_DRAFTS if acceptance.is_recorded else NOT_RECORDED, seed=seed)


def burst_measure(cell_rows: CellRows, window_s: float) -> Measure:
    """Return the burst index of a cell."""
    sends = [cell_rows.latencies.traces.sent_s[rows] for rows in cell_rows.by_repeat()]
    index, n = burst_index(sends, window_s), len(np.unique(cell_rows.prompts))
    return Measure(value=index, unit="share", n=n, reason=None if index is not None else "no data (1 request)")


def saturation_measures(cell_rows: CellRows) -> dict[str, Measure]:
    """Return `saturation.repeats`: in how many repeats an open load overran the engine; its reason where none could decide."""
    n = len(np.unique(cell_rows.prompts))
    answers = [saturation(cell_rows.latencies, rows) for rows in cell_rows.by_repeat()]
    decided = [answer.is_saturated for answer in answers if answer.is_saturated is not None]
    if not decided:
        return {"saturation.repeats": Measure(unit="count", n=n, reason=answers[0].reason if answers else "no data (0 requests)")}
    return {"saturation.repeats": Measure(value=sum(decided), unit="count", n=n)}
