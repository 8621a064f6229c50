"""Plans and runs as text for the terminal."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ledger.analysis.claims.resolve import load_text, measure_text
from ledger.cli.text.layout import beside, paragraph
from ledger.cli.text.output import Listing, Row
from ledger.model.records.protocol import Arm, Drill, Protocol
from ledger.model.records.run import Measure, Run
from ledger.model.values.text import one_line, visible

if TYPE_CHECKING:
    from ledger.api.results import Outline

_INDENT = 20
_ENDS = ("low", "high")
"""Columns of an interval's ends, which a workbook holds with all of their digits."""


def outline_lines(protocol: Protocol, size: "Outline", not_landed: list[str], *, warnings: Sequence[str] = ()) -> Iterator[str]:
    """Yield a plan: the question, arms, loads, order, size and limits."""
    yield from _field_lines("question", protocol.question)
    yield from _field_lines("model", protocol.model.source)
    for arm in protocol.arms:
        yield from _field_lines(f"arm {arm.id}", arm_text(arm))
    for load, sample in zip(protocol.loads, size.loads, strict=True):
        text = f"{load_text(load, 'plan')}; {load.requests} requests a cell, {sample.distinct_prompts} distinct prompts"
        yield from _field_lines(f"load {load.id}", text)
        yield from _field_lines("  shows", ", ".join(sample.shown) or "single values without intervals")
        yield from _field_lines("  cannot show", "; ".join(sample.withheld)) if sample.withheld else ()
    if protocol.goodput_limits_s:
        limits = ", ".join(f"{metric} up to {limit} s" for metric, limit in protocol.goodput_limits_s.items())
        yield from _field_lines("goodput", f"requests with {limits}")
    for drill in protocol.drills:
        arms = f"on {', '.join(drill.arms)}" if drill.arms else "on every arm"
        yield from _field_lines(f"drill {drill.id}", f"{drill_words(drill)}, once {arms}, after everything else")
    yield from _field_lines("order", " ".join(f"{session.arm}/r{session.repeat}" for session in size.sessions))
    for rule in protocol.rules:
        yield from _field_lines(f"rule {rule.id}", f"{rule.question} ({rule.metric.partition('#')[2]} {rule.bound} {rule.value})")
    drilled = f"{size.drill_requests} requests of drills, " if size.drill_requests else ""
    counts = f"{size.requests} requests, {size.suite_answers} suite answers, {drilled}"
    yield from _field_lines("size", f"{counts}about {size.estimate_s / 60:.0f} min, {size.estimate_from}")
    for warning in warnings:
        yield from _field_lines("warning", warning)
    landed = f"not landed: {', '.join(not_landed)}; commit first, or run with --unplanned" if not_landed else "landed, may run"
    yield from _field_lines("state", landed)


def arm_text(arm: Arm) -> str:
    """Return an arm in words."""
    if arm.method is None:
        matched = f", on the scheduler and model runner of {arm.matches}" if arm.matches else ""
        return f"no speculation{f', repeats {arm.repeats_of}' if arm.repeats_of else ''}{matched}"
    draft = f", draft {arm.draft}" if arm.draft else ""
    tokens = f", {arm.num_speculative_tokens} tokens" if arm.num_speculative_tokens else ""
    return f"{arm.method}{tokens}{draft}{f'; expected: {arm.expect}' if arm.expect else ''}"


def drill_words(drill: Drill) -> str:
    """Return a drill in words."""
    match drill.kind:
        case "disconnect":
            return f"{drill.requests} clients, every second leaves after {drill.after_chunks} chunks"
        case "engine-killed":
            return f"the engine is killed once {drill.requests} requests have had {drill.after_chunks} chunks, and started again"
        case _:
            return f"{drill.requests} requests arrive at {drill.rate_per_s} per second"


def _field_lines(name: str, text: str) -> Iterator[str]:
    """Lines of one field; a long name gets a line of its own."""
    name, text = visible(name), one_line(text)
    if len(name) < _INDENT - 1:
        yield from beside(f"{name:<{_INDENT}}", text)
    else:
        yield name
        yield from paragraph(text, indent=_INDENT)


def result_listing(run: Run) -> Listing:
    """Return every metric of every cell, comparison and drill as rows; a drill stands in the place of a load."""
    rows = [
        _row(_place(run, cell.load, cell.arm, repeat=cell.repeat), metric, measure)
        for cell in run.cells
        for metric, measure in cell.metrics.items()
    ]
    rows += [
        _row(_place(run, ratios.load, ratios.arm, base=ratios.base), metric, measure)
        for ratios in run.comparisons
        for metric, measure in ratios.metrics.items()
    ]
    rows += [
        _row(_place(run, result.drill, result.arm), metric, measure) for result in run.drills for metric, measure in result.metrics.items()
    ]
    return Listing(rows, ("load", "arm", "base", "metric", "printed", "n"), decimals=_ENDS)


def _place(run: Run, load: str, arm: str, *, base: str | None = None, repeat: int | None = None) -> Row:
    return {"run": run.id, "load": load, "arm": arm, "base": base, "repeat": repeat}


def _row(place: Row, metric: str, measure: Measure) -> Row:
    number = {"value": measure.value, "unit": measure.unit, "low": measure.low, "high": measure.high, "n": measure.n}
    words = {"printed": measure_text(measure, interval=True), "reason": measure.reason or measure.interval_reason}
    return place | {"metric": metric} | number | words
