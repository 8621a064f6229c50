"""What the engine life that is discarded is for: a warm machine, and the seconds over which closed loops start their slots. Pure."""

from collections.abc import Iterable, Mapping
from statistics import median

from ledger.analysis.measures.request_metrics import e2e_s
from ledger.bench.plan.stagger import is_stagger_measured, is_staggered
from ledger.model.records.protocol import Load, Protocol
from ledger.model.trace import RequestTrace


def measured_staggers_s(protocol: Protocol, traces: Iterable[RequestTrace]) -> dict[str, float]:
    """Return the stagger of each load that has it measured: the median time of a whole request, in seconds.

    Args:
        protocol: The plan.
        traces: Requests of the discarded life; only measured ones that completed count. A load without any is left out.
    """
    times: dict[str, list[float]] = {}
    for trace in traces:
        took_s = e2e_s(trace)
        if trace.phase == "measured" and took_s is not None:
            times.setdefault(trace.load, []).append(took_s)
    return {load.id: median(times[load.id]) for load in protocol.loads if is_stagger_measured(load) and load.id in times}


def stagger_s(load: Load, measured_s: Mapping[str, float]) -> float:
    """Return the seconds over which a load's slots start: the plan's, else those measured; 0 where they start together."""
    if not is_staggered(load):
        return 0.0
    return measured_s.get(load.id, 0.0) if load.stagger_s is None else float(load.stagger_s)
