"""One run at one load: latencies, rates, requests, and the paired ratios as a table and as a figure."""

from collections.abc import Sequence

from ledger.model.records.run import Cell, Comparison, Measure
from ledger.model.values.metrics import METRICS, metric_words, name_words
from ledger.model.values.reference import CellReference, parse_reference
from ledger.model.values.units import plain, with_unit
from ledger.render.report.report import Bound, Ratio, RatioFigure, ReportTable
from ledger.render.report.words import (
    NOT_RUN,
    RunUnderProtocol,
    interval_notes,
    load_words,
    n_text,
    proof,
    saturation_words,
)
from ledger.render.runs.measure_text import capitalise, flag_cells, heading_with_unit, interval_text

LATENCIES = ("ttft", "tpot", "itl", "chunk-gap", "e2e")
RATES = (
    "throughput.mean", "requests-per-s.mean", "goodput.mean", "acceptance.rate", "acceptance.tokens-per-step", "match.rate",
    "prefix-cache.hit-share",
)  # fmt: skip
RATIOS = ("ttft.p50", "tpot.p50", "itl.p50", "e2e.p50", "throughput.mean")
"""What a figure draws, beside every ratio that a rule names."""
_MATCH = "Same text: greedy outputs equal to the baseline's; in the baseline's own row, to those of its own repeats."
_N = "n: distinct prompts. Intervals: 95 %."


def words_of(key: str) -> str:
    """Return a metric of a comparison in words."""
    metric = METRICS.get(key)
    return (metric.heading if metric else None) or capitalise(metric_words(key))


def pooled(execution: RunUnderProtocol, load: str) -> dict[str, Cell | None]:
    """Return the pooled cell of every arm at a load; None for one that did not run."""
    return {arm: execution.run.cell(arm, load) for arm in execution.arms}


def latency_table(execution: RunUnderProtocol, load: str) -> ReportTable:
    """Return median and p95 of each latency, arms in rows."""
    cells = pooled(execution, load)
    rows: list[tuple[str, ...]] = []
    shown: list[Measure | None] = []
    for metric in LATENCIES:
        pairs = {arm: _quantiles(cell, metric) for arm, cell in cells.items()}
        if not any(measure for pair in pairs.values() for measure in pair):
            continue
        heading, unit = heading_with_unit(capitalise(name_words(metric)), (measure for pair in pairs.values() for measure in pair))
        for arm, pair in pairs.items():
            texts = [NOT_RUN if cells[arm] is None else interval_text(measure, unit) for measure in pair]
            rows.append((heading, flag_cells(arm, cells[arm]), *texts, n_text(*pair)))
            shown += pair
    header = ("Metric", "Arm", "Median", "p95", "n")
    return ReportTable(
        f"Latencies at {load}",
        header,
        tuple(rows),
        proof(execution.run),
        numeric=frozenset((2, 3, 4)),
        notes=(_N, *interval_notes(shown)),
        grouped=True,
    )


def _quantiles(cell: Cell | None, metric: str) -> tuple[Measure | None, Measure | None]:
    metrics = cell.metrics if cell else {}
    return metrics.get(f"{metric}.p50"), metrics.get(f"{metric}.p95")


def rate_table(execution: RunUnderProtocol, load: str) -> ReportTable:
    """Return throughput, acceptance and the share of same texts, arms in rows."""
    cells = pooled(execution, load)
    rows, shown = [], []
    for key in RATES:
        found = {arm: cell.metrics.get(key) if cell else None for arm, cell in cells.items()}
        if not any(found.values()):
            continue
        heading, unit = heading_with_unit(words_of(key), found.values())
        for arm, measure in found.items():
            text = NOT_RUN if cells[arm] is None else interval_text(measure, unit)
            rows.append((heading, flag_cells(arm, cells[arm]), text, n_text(measure)))
            shown.append(measure)
    notes = (_N, *([_MATCH] if any(row[0].startswith("Same text") for row in rows) else []), *interval_notes(shown))
    header = ("Metric", "Arm", "Value", "n")
    return ReportTable(f"Rates at {load}", header, tuple(rows), proof(execution.run), numeric=frozenset((2, 3)), notes=notes, grouped=True)


def request_table(execution: RunUnderProtocol, load: str) -> ReportTable:
    """Return what became of every request, and whether arrivals outran the engine."""
    kinds = ("sent", "completed", "failed", "aborted", "empty")
    rows = []
    for arm, cell in pooled(execution, load).items():
        counts = [NOT_RUN if cell is None else str(cell.requests.get(kind, 0)) for kind in kinds]  # type: ignore[call-overload]  # kinds are its keys
        rows.append((flag_cells(arm, cell), *counts, saturation_words(cell)))
    notes = ("Requests of all repeats. Saturation is asked of open loads only: whether arrivals outran departures.",)
    header = ("Arm", *(kind.capitalize() for kind in kinds), "Saturated")
    title = f"Requests at {load}"
    return ReportTable(title, header, tuple(rows), proof(execution.run), numeric=frozenset(range(1, 6)), notes=notes)


def ratio_table(execution: RunUnderProtocol, load: str) -> ReportTable | None:
    """Return the paired ratios of each arm against its base; None where nothing is compared."""
    pairs = [found for found in execution.run.comparisons if found.load == load]
    rows: list[tuple[str, ...]] = []
    shown: list[Measure | None] = []
    for metric in (*LATENCIES, "throughput"):
        for pair in pairs:
            measures = _ratios(pair, metric)
            if not any(measures):
                continue
            heading = capitalise(name_words(metric))
            rows.append(
                (heading, ratio_name(execution, pair, pairs), *(_ratio_text(measure, metric) for measure in measures), n_text(*measures))
            )
            shown += measures
    if not rows:
        return None
    header = ("Metric", pair_heading(pairs), "Ratio", "Ratio of p95", "n")
    notes = ("Ratio: of medians; of output throughput, of means. Arm and base answered the same prompts (paired).", *interval_notes(shown))
    return ReportTable(
        f"Ratios at {load}",
        header,
        tuple(rows),
        proof(execution.run),
        numeric=frozenset((2, 3, 4)),
        notes=(_N, *notes),
        grouped=True,
    )


def _ratios(pair: Comparison, metric: str) -> tuple[Measure | None, Measure | None]:
    if metric == "throughput":
        return pair.metrics.get("throughput.mean"), None
    return pair.metrics.get(f"{metric}.p50"), pair.metrics.get(f"{metric}.p95")


def _ratio_text(measure: Measure | None, metric: str) -> str:
    return "no p95" if measure is None and metric == "throughput" else interval_text(measure)


def pair_heading(pairs: Sequence[Comparison]) -> str:
    """Return what heads a column of comparisons: the base, where all have the same."""
    bases = {pair.base for pair in pairs}
    return f"Arm / {bases.pop()}" if len(bases) == 1 else "Arm / base"


def ratio_name(execution: RunUnderProtocol, pair: Comparison, pairs: Sequence[Comparison]) -> str:
    """Return the arm of a comparison, with its base where others have another; flagged where either was saturated."""
    text = pair.arm if len({other.base for other in pairs}) == 1 else f"{pair.arm} / {pair.base}"
    return flag_cells(text, execution.run.cell(pair.arm, pair.load), execution.run.cell(pair.base, pair.load))


def ratio_figure(execution: RunUnderProtocol, load: str) -> RatioFigure | None:
    """Return the ratios of a load as a figure, with the bounds that the rules set on them; None where nothing is compared."""
    asked = _asked(execution, load)
    pairs = [pair for pair in execution.run.comparisons if pair.load == load]
    keys = dict.fromkeys((*RATIOS, *(reference.metric + "." + reference.stat for reference, _, _ in asked)))
    ratios = tuple(_mark(execution, pair, key, pairs=pairs) for key in keys for pair in pairs if key in pair.metrics)
    if not ratios:
        return None
    bounds = tuple(
        Bound(words_of(f"{reference.metric}.{reference.stat}"), reference.arm, value, words) for reference, value, words in asked
    )
    notes = ("Logarithmic axis; a line is the 95 % interval of a paired ratio.", *_undrawn(ratios))
    return RatioFigure(
        load,
        f"{pair_heading(pairs)} at {load_words(execution.load(load), load)}",
        ratios,
        bounds,
        execution.arms,
        proof(execution.run),
        notes,
    )


def _asked(execution: RunUnderProtocol, load: str) -> list[tuple[CellReference, float, str]]:
    """References, bounds and words of the rules on ratios at a load."""
    found = []
    for rule in execution.protocol.rules if execution.protocol else ():
        reference = parse_reference(rule.metric)
        if isinstance(reference, CellReference) and reference.base and reference.load == load and reference.repeat is None:
            words = f"rule {rule.id}: {rule.bound.replace('-', ' ')} {with_unit(plain(rule.value), 'x')}"
            found.append((reference, float(rule.value), words))
    return found


def _mark(execution: RunUnderProtocol, pair: Comparison, key: str, *, pairs: Sequence[Comparison]) -> Ratio:
    measure = pair.metrics[key]
    saturated = execution.run.is_saturated(pair.load, pair.arm, pair.base)
    text = interval_text(measure)
    name = ratio_name(execution, pair, pairs)
    return Ratio(words_of(key), name, pair.arm, measure.value, measure.low, measure.high, text, measure.n, saturated)


def _undrawn(ratios: tuple[Ratio, ...]) -> tuple[str, ...]:
    lost = [f"{ratio.group}, {ratio.name}: {ratio.text}" for ratio in ratios if not ratio.is_drawn]
    return (f"Not drawn: {'; '.join(lost)}.",) if lost else ()
