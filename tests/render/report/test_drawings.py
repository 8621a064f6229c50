"""Drawings of a run: those metrics that have a value at some load, arms in the protocol's order."""

from ledger.render.report.drawings import drawings
from ledger.render.report.words import RunUnderProtocol
from tests.render.report_fixtures import cells_of, planned, ran


def test_what_has_a_value_is_drawn() -> None:
    plan = planned()
    latency, acceptance = drawings(RunUnderProtocol.of(ran(plan), plan))
    assert (latency.title, latency.plot.axis) == ("TPOT, median, by load", "TPOT, median, ms")
    assert latency.plot.rows[0] == ("c1 (closed loop, 1 in flight)", "baseline", "12.3\u00a0ms (11.7 to 13.0), n = 40")
    assert [value["row"] for value in latency.plot.values] == ["c1", "c1", "c8", "c8"]
    assert acceptance.plot.header == ("Load", "Arm", "Position", "Value (95 % interval)")
    assert acceptance.plot.rows[1] == ("c1 (closed loop, 1 in flight)", "ngram-4", "2", "25.0% (15.0 to 35.0), n = 40")


def test_nothing_is_drawn_of_reasons() -> None:
    plan = planned()
    cells = [cell | {"metrics": {"tpot.p50": {"unit": "s", "n": 0, "reason": "no data"}}} for cell in cells_of(ran(plan))]
    assert list(drawings(RunUnderProtocol.of(ran(plan, cells=cells), plan))) == []
