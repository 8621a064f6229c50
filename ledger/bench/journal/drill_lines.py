"""Which fault drills a plan has, and which of them a journal says to have ended."""

from collections.abc import Iterable

from ledger.bench.journal.journal import Line
from ledger.bench.plan.plan import sessions
from ledger.model.records.protocol import Protocol

Key = tuple[str, str]
"""Drill and arm."""


def planned_drills(protocol: Protocol) -> set[Key]:
    """Return every drill with each arm that it is for."""
    return {(drill.id, session.arm) for session in sessions(protocol) for drill in session.drills}


def finished_drills(lines: Iterable[Line]) -> dict[Key, dict[str, float]]:
    """Return the drills that ran to their end, with what happened when in seconds of the run."""
    return {key_of(line): line["instants_s"] for line in lines if line["kind"] == "drill-end"}


def key_of(line: Line) -> Key:
    """Return the drill and arm that a line speaks of."""
    return line["drill"], line["arm"]
