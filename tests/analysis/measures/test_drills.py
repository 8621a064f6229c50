"""Metrics of fault drills from traces and instants: what is defined, what is not and why, and nothing from elsewhere."""

from decimal import Decimal
from typing import Any

import pytest

from ledger.analysis.measures.drills import CLIENT_LEFT, backlog_peak, drill_results
from ledger.model.records.protocol import Drill
from ledger.model.records.run import Measure
from ledger.model.trace import RequestTrace
from tests.analysis.recorded import failed, protocol, request

LEAVE = Drill(id="leave", kind="disconnect", requests=3)
KILL = Drill(id="kill", kind="engine-killed", requests=2)
FLOOD = Drill(id="flood", kind="overload", requests=3, rate_per_s=Decimal(5))
PLAN = protocol(drills=(LEAVE, KILL, FLOOD))


def of(drill: Drill, index: int, at_s: float = 0.0, **fields: Any) -> RequestTrace:
    """A request of a drill on the baseline; its first chunk comes 0.1 s after it was scheduled."""
    return request(phase="drill", load=drill.id, index=index, scheduled_s=at_s, **fields)


def lost(drill: Drill, index: int, at_s: float = 0.0, **fields: Any) -> RequestTrace:
    """A request of a drill that failed without output."""
    return failed(phase="drill", load=drill.id, index=index, scheduled_s=at_s, **fields)


def metrics(drill: Drill, traces: list[RequestTrace], **instants_s: float) -> dict[str, Measure]:
    """The metrics of one drill on the baseline."""
    (result,) = drill_results(PLAN, traces, {(drill.id, "base"): instants_s})
    return result.metrics


def test_results_come_in_the_protocols_order_and_nothing_else_does() -> None:
    traces = [of(KILL, 0, arm="ngram"), of(LEAVE, 0), of(KILL, 0), of(LEAVE, 0, arm="gone"), request()]
    found = drill_results(PLAN, traces, {("leave", "ngram"): {"fault": 1.0}, ("other", "base"): {}})
    assert [(one.drill, one.arm) for one in found] == [("leave", "base"), ("leave", "ngram"), ("kill", "base"), ("kill", "ngram")]
    assert [one.instants_s for one in found] == [{}, {"fault": 1.0}, {}, {}]


def test_the_order_of_the_rows_changes_nothing() -> None:
    traces = [of(FLOOD, index, index / 10) for index in range(3)] + [of(FLOOD, 3, 5.0), lost(FLOOD, 4)]
    assert metrics(FLOOD, traces, fault=0.2, ended=0.3) == metrics(FLOOD, traces[::-1], fault=0.2, ended=0.3)


def test_only_a_client_that_stayed_loses_a_request() -> None:
    left = of(LEAVE, 1, outcome="aborted", error=CLIENT_LEFT, finish_reason=None)
    cut = of(LEAVE, 2, outcome="aborted", error="no end after 900 s", finish_reason=None)
    found = metrics(LEAVE, [of(LEAVE, 0), left, cut, of(LEAVE, 3, 4.0)], fault=2.0, ended=3.0, released=3.5)
    assert {name: measure.value for name, measure in found.items()} == pytest.approx(
        {
            "left.count": 1,
            "lost.count": 1,
            "release.seconds": 1.5,
            "release-idle.seconds": 0.5,
            "probe.ttft": 0.1,
            "recovery.seconds": 2.1,
        }
    )


@pytest.mark.parametrize(
    ("traces", "instants_s", "name", "reason"),
    [
        ([of(LEAVE, 0), of(LEAVE, 3)], {"ended": 1.0, "released": 1.0}, "release.seconds", "undefined (0 clients left)"),
        ([of(LEAVE, 0), of(LEAVE, 3)], {"ended": 1.0, "released": 1.0}, "recovery.seconds", "undefined (0 clients left)"),
        ([of(LEAVE, 0, error=CLIENT_LEFT)], {"fault": 1.0}, "release.seconds", "undefined (the engine did not release its blocks)"),
        ([of(LEAVE, 0)], {"fault": 1.0}, "probe.ttft", "no data (0 requests)"),
        ([of(LEAVE, 0), lost(LEAVE, 3, error="gone")], {"fault": 1.0}, "recovery.seconds", "gone"),
        ([of(LEAVE, 3, outcome="empty", chunks_s=())], {"fault": 1.0}, "recovery.seconds", "no data (the probe ended empty)"),
        ([of(KILL, 0), of(KILL, 1)], {"fault": 1.0}, "notice.seconds", "undefined (0 requests in flight)"),
        ([lost(KILL, 0), of(KILL, 1, outcome="aborted")], {"fault": 1.0}, "notice.seconds", "undefined (1 requests had no error)"),
        ([lost(KILL, 2, error="the engine did not come back: no")], {}, "restart.seconds", "the engine did not come back: no"),
        ([lost(KILL, 2, error="the engine did not come back: no")], {}, "lost.count", "the engine did not come back: no"),
        ([lost(FLOOD, 0), lost(FLOOD, 1)], {"fault": 1.0, "ended": 1.0}, "ttft.p50", "no data (0 requests with output)"),
        ([], {}, "completed.count", "no data (0 requests)"),
    ],
)
def test_what_has_no_value_says_why(traces: list[RequestTrace], instants_s: dict[str, float], name: str, reason: str) -> None:
    drill = next(one for one in (LEAVE, KILL, FLOOD) if one.id == (traces[0].load if traces else "flood"))
    measure = metrics(drill, traces, **instants_s)[name]
    assert (measure.value, measure.reason) == (None, reason)


def test_a_drill_that_every_request_survived_has_zeros_and_no_reasons() -> None:
    found = metrics(FLOOD, [of(FLOOD, index, 0.5 * index) for index in range(5)], fault=1.0, ended=1.1)
    assert [found[name].value for name in ("completed.count", "failed.count", "aborted.count", "lost.count")] == [3, 0, 0, 0]
    assert found["drain.seconds"].value == pytest.approx(0.1)
    assert all(measure.reason is None for measure in found.values())


@pytest.mark.parametrize(
    ("spans", "peak"),
    [
        ([], 0),
        ([(0.0, 1.0)], 1),
        ([(0.0, 1.0), (1.0, 2.0)], 1),
        ([(0.0, 1.0), (0.9, 2.0), (0.95, 0.96), (1.5, 3.0)], 3),
    ],
)
def test_the_backlog_is_what_has_arrived_and_not_ended(spans: list[tuple[float, float]], peak: int) -> None:
    traces = [of(FLOOD, index, start, chunks_s=(end,)) for index, (start, end) in enumerate(spans)]
    assert backlog_peak(traces) == peak


def test_a_request_without_output_stands_in_the_backlog_until_it_is_sent() -> None:
    assert backlog_peak([lost(FLOOD, 0, 0.0, sent_s=0.5), of(FLOOD, 1, 0.4), of(FLOOD, 2, 0.6)]) == 2
