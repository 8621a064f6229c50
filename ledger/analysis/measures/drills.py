"""How an arm came through its fault drills, from a drill's traces and instants alone.

A drill's requests have the index 0 to `requests - 1`; the probe after it has `requests`, the probe before it `requests + 1`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import median

from ledger.analysis.measures.request_metrics import ttft_s
from ledger.model.records.protocol import Drill, Protocol
from ledger.model.records.run import DrillResult, Measure
from ledger.model.trace import RequestTrace

CLIENT_LEFT = "the client left"
"""Error of a request whose client closed the stream, so that it is no loss."""
ONCE = "a drill runs once"
NO_REQUESTS = "no data (0 requests)"
NOT_RELEASED = "undefined (the engine did not release its blocks)"
Instants = Mapping[str, float]
Key = tuple[str, str]
"""Drill and arm."""


def probe_index(drill: Drill) -> int:
    """Return the index of the request that is sent after the fault."""
    return drill.requests


def probe_before_index(drill: Drill) -> int:
    """Return the index of the request that is sent before an overload."""
    return drill.requests + 1


def drill_results(protocol: Protocol, traces: Iterable[RequestTrace], instants_s: Mapping[Key, Instants]) -> tuple[DrillResult, ...]:
    """Return the result of every drill of which there are traces or instants, in the protocol's order of drills, then of arms.

    Args:
        protocol: Names drills and arms; others are ignored.
        traces: Requests of the drills, probes included.
        instants_s: What happened when in each drill, in seconds of the run.
    """
    by_key: dict[Key, list[RequestTrace]] = {key: [] for key in instants_s}
    for trace in traces:
        by_key.setdefault((trace.load, trace.arm), []).append(trace)
    planned = [(drill, (drill.id, arm.id)) for drill in protocol.drills for arm in protocol.arms]
    return tuple(drill_result(drill, key, by_key[key], instants_s=instants_s.get(key, {})) for drill, key in planned if key in by_key)


def drill_result(drill: Drill, key: Key, traces: Iterable[RequestTrace], *, instants_s: Instants) -> DrillResult:
    """Return the result of one drill on one arm."""
    found = {trace.index: trace for trace in traces}
    requests = tuple(found[index] for index in sorted(found) if index < drill.requests)
    drill_traces = DrillTraces(requests, found.get(probe_index(drill)), found.get(probe_before_index(drill)), instants_s)
    measures = {"disconnect": disconnect_measures, "engine-killed": killed_measures, "overload": overload_measures}[drill.kind]
    return DrillResult(drill=drill.id, arm=key[1], instants_s=dict(instants_s), metrics=measures(drill_traces))


@dataclass(frozen=True, slots=True)
class DrillTraces:
    """What a drill left behind."""

    requests: tuple[RequestTrace, ...]
    probe: RequestTrace | None
    before: RequestTrace | None
    instants_s: Instants

    @property
    def clients_left(self) -> int:
        """Clients that closed their stream."""
        return sum(trace.error == CLIENT_LEFT for trace in self.requests)

    @property
    def requests_lost(self) -> int:
        """Requests without a complete answer whose clients stayed."""
        return sum(trace.outcome != "completed" and trace.error != CLIENT_LEFT for trace in self.requests)

    def count_ended(self, outcome: str) -> int:
        """Return how many requests ended so."""
        return sum(trace.outcome == outcome for trace in self.requests)

    def count(self, value: int) -> Measure:
        """Return a count over the drill's requests; its reason where none could be sent."""
        if not self.requests:
            return Measure(unit="count", n=0, reason=(self.probe.error if self.probe else None) or NO_REQUESTS)
        return Measure(value=value, unit="count", n=len(self.requests))

    def between(self, start: str, end: str, *, n: int, missing: str) -> Measure:
        """Return the time from one instant to another, in seconds; `missing` is the reason where one was not seen."""
        if start not in self.instants_s or end not in self.instants_s:
            return Measure(unit="s", n=n, reason=missing)
        return seconds(self.instants_s[end] - self.instants_s[start], n)

    def recovery(self, *, missing: str) -> Measure:
        """Return the time from the fault to the probe's first token, in seconds."""
        if self.probe is None or self.probe.outcome != "completed":
            return Measure(unit="s", n=0, reason=why_unanswered(self.probe))
        if "fault" not in self.instants_s:
            return Measure(unit="s", n=1, reason=missing)
        return seconds(self.probe.chunks_s[0] - self.instants_s["fault"], 1)


def disconnect_measures(drill_traces: DrillTraces) -> dict[str, Measure]:
    """Return what came of clients that left in mid-stream."""
    nobody = "undefined (0 clients left)"
    missing = NOT_RELEASED if drill_traces.clients_left else nobody
    return {
        "left.count": drill_traces.count(drill_traces.clients_left),
        "lost.count": drill_traces.count(drill_traces.requests_lost),
        "release.seconds": drill_traces.between("fault", "released", n=drill_traces.clients_left, missing=missing),
        "release-idle.seconds": drill_traces.between("ended", "released", n=len(drill_traces.requests), missing=NOT_RELEASED),
        "probe.ttft": probe_measure(drill_traces.probe),
        "recovery.seconds": drill_traces.recovery(missing=nobody),
    }


def killed_measures(drill_traces: DrillTraces) -> dict[str, Measure]:
    """Return what came of an engine whose processes were killed."""
    hung = drill_traces.count_ended("aborted")
    unnoticed = f"undefined ({hung} requests had no error)" if hung else "undefined (0 requests in flight)"
    probe_error = drill_traces.probe.error if drill_traces.probe else None
    return {
        "lost.count": drill_traces.count(drill_traces.requests_lost),
        "notice.seconds": drill_traces.between("fault", "noticed", n=drill_traces.count_ended("failed"), missing=unnoticed),
        "restart.seconds": drill_traces.between("stopped", "restarted", n=1, missing=probe_error or "not recorded"),
        "probe.ttft": probe_measure(drill_traces.probe),
        "recovery.seconds": drill_traces.recovery(missing="undefined (no fault)"),
    }


def overload_measures(drill_traces: DrillTraces) -> dict[str, Measure]:
    """Return what came of arrivals beyond capacity; instants count from the last arrival."""
    n = len(drill_traces.requests)
    return {
        "completed.count": drill_traces.count(drill_traces.count_ended("completed")),
        "failed.count": drill_traces.count(drill_traces.count_ended("failed")),
        "aborted.count": drill_traces.count(drill_traces.count_ended("aborted")),
        "lost.count": drill_traces.count(drill_traces.requests_lost),
        "backlog-peak.count": drill_traces.count(backlog_peak(drill_traces.requests)),
        "drain.seconds": drill_traces.between("fault", "ended", n=n, missing=NO_REQUESTS),
        **ttft_measures(drill_traces.requests),
        "probe-before.ttft": probe_measure(drill_traces.before),
        "probe.ttft": probe_measure(drill_traces.probe),
        "recovery.seconds": drill_traces.recovery(missing=NO_REQUESTS),
    }


def backlog_peak(requests: Iterable[RequestTrace]) -> int:
    """Return the most requests that had arrived and not yet ended at one instant.

    A request ends at its last chunk; one without output, whose end is in no trace, at its send.
    """
    moves = [(trace.scheduled_s, 1) for trace in requests]
    moves += [((trace.chunks_s or (trace.sent_s,))[-1], -1) for trace in requests]
    backlog = peak = 0
    for _, change in sorted(moves):  # at one instant departures come first
        backlog += change
        peak = max(peak, backlog)
    return peak


def ttft_measures(requests: Iterable[RequestTrace]) -> dict[str, Measure]:
    """Return median and maximum of the time to first token, over the requests that had one."""
    found = sorted(value for trace in requests if (value := ttft_s(trace)) is not None)
    if not found:
        missing = Measure(unit="s", n=0, reason="no data (0 requests with output)")
        return {"ttft.p50": missing, "ttft.max": missing}
    values = {"ttft.p50": median(found), "ttft.max": found[-1]}
    return {name: Measure(value=value, unit="s", n=len(found), interval_reason=ONCE) for name, value in values.items()}


def probe_measure(probe: RequestTrace | None) -> Measure:
    """Return the time to first token of a probe that completed."""
    if probe is None or probe.outcome != "completed":
        return Measure(unit="s", n=0, reason=why_unanswered(probe))
    return seconds(probe.chunks_s[0] - probe.scheduled_s, 1)


def why_unanswered(probe: RequestTrace | None) -> str:
    """Return why a probe has no answer."""
    if probe is None:
        return NO_REQUESTS
    return probe.error or f"no data (the probe ended {probe.outcome})"


def seconds(value: float, n: int) -> Measure:
    """Return a time that was observed once, in seconds, with the number of requests behind it; it estimates nothing."""
    return Measure(value=value, unit="s", n=n)
