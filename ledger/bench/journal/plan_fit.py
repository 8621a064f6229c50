"""Whether a journal holds what its plan wants: the requests of each finished cell, suite and drill, each once and with its prompt. Pure.

What is missing because a run was cut off is no misfit; what a finished part lacks, has twice or has beyond the plan is.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from ledger.analysis.measures.drills import probe_before_index, probe_index
from ledger.bench.journal.journal import Line
from ledger.bench.plan.plan import PlannedCell, cells, discarded_session, load_of, sessions
from ledger.model.records.protocol import Drill, Load, Protocol


@dataclass(frozen=True, slots=True)
class Misfit:
    """A line that does not fit the plan."""

    line: int
    """Its number in the journal, from 1."""
    message: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}"


@dataclass(slots=True)
class _Attempt:
    """The lines of a cell, suite or drill since it was begun."""

    start: Line
    requests: list[tuple[int, Line]] = field(default_factory=list)


def misfits(lines: Iterable[Line], protocol: Protocol, prompt_ids: Sequence[str]) -> Iterator[Misfit]:
    """Yield what does not fit the plan, in the order of the lines.

    Args:
        lines: A journal, its header included.
        protocol: Its plan.
        prompt_ids: The prompts of its workload, in order.
    """
    planned_parts = _planned_parts(protocol)
    finished: set[tuple[str, ...]] = set()
    attempt: _Attempt | None = None
    for number, line in enumerate(lines, 1):
        kind = str(line["kind"])
        if kind.endswith("-start") and kind != "session-start":
            attempt = _Attempt(line)
        elif kind in ("request", "answer"):
            if attempt is None or not _belongs(line, attempt.start):
                yield Misfit(number, f"{_name(line)}: belongs to nothing that was begun before it")
            else:
                attempt.requests.append((number, line))
        elif kind in ("cell-end", "suites-end", "drill-end"):
            yield from _end_misfits(
                number, line, attempt, protocol=protocol, prompt_ids=prompt_ids, planned_parts=planned_parts, finished=finished
            )
            finished.add(_part(line))
            attempt = None


def _planned_parts(protocol: Protocol) -> set[tuple[str, ...]]:
    parts: set[tuple[str, ...]] = {("cell", cell.arm, cell.load, str(cell.repeat)) for cell in cells(protocol)}
    for session in sessions(protocol):
        parts |= {("drill", drill.id, session.arm) for drill in session.drills}
        parts |= {("suites", session.arm)} if session.with_suites else set()
    discarded = discarded_session(protocol)
    return parts | {("cell", cell.arm, cell.load, str(cell.repeat)) for cell in (discarded.cells if discarded else ())}


def _part(line: Line) -> tuple[str, ...]:
    """Return what a start or an end speaks of."""
    match str(line["kind"]).partition("-")[0]:
        case "cell":
            return "cell", line["arm"], line["load"], str(line["repeat"])
        case "drill":
            return "drill", line["drill"], line["arm"]
        case kind:
            return kind, line["arm"]


def _words(part: tuple[str, ...]) -> str:
    match part:
        case ("cell", arm, load, repeat):
            return f"{arm} at {load}, repeat {repeat}"
        case ("drill", drill, arm):
            return f"drill {drill} on {arm}"
        case _:
            return f"suites on {part[-1]}"


def _belongs(line: Line, start: Line) -> bool:
    """Whether a request or answer is one of what was begun."""
    if line["kind"] == "answer":
        return bool(start["kind"] == "suites-start" and line["arm"] == start["arm"])
    if line["phase"] == "drill":
        return bool(start["kind"] == "drill-start" and (line["arm"], line["load"]) == (start["arm"], start["drill"]))
    place = ("arm", "load", "repeat")
    return bool(start["kind"] == "cell-start" and [line[name] for name in place] == [start[name] for name in place])


def _name(line: Line) -> str:
    if line["kind"] == "answer":
        return f"answer to {line['suite']}/{line['item']} on {line['arm']}"
    return f"{line['phase']} request {line['index']} of {line['arm']} at {line['load']}"


def _end_misfits(
    number: int,
    line: Line,
    attempt: _Attempt | None,
    *,
    protocol: Protocol,
    prompt_ids: Sequence[str],
    planned_parts: set[tuple[str, ...]],
    finished: set[tuple[str, ...]],
) -> Iterator[Misfit]:
    part = _part(line)
    if part not in planned_parts:
        yield Misfit(number, f"{_words(part)}: is not in the plan")
    elif part in finished and part[-1] != "0":  # a resumed run warms the machine up again
        yield Misfit(number, f"{_words(part)}: ended before")
    elif attempt is None or _part(attempt.start) != part:
        yield Misfit(number, f"{_words(part)}: ends without having begun")
    elif part[0] == "cell":
        load = load_of(protocol, PlannedCell(part[1], part[2], int(part[3])))
        yield from _cell_misfits(number, _words(part), attempt, protocol=protocol, load=load, prompt_ids=prompt_ids)
    elif part[0] == "drill":
        drill = next(drill for drill in protocol.drills if drill.id == part[1])
        yield from _index_misfits(number, _words(part), attempt.requests, wanted=_drill_indexes(drill, attempt))
    else:
        yield from _twice(((at, f"{row['suite']}/{row['item']}") for at, row in attempt.requests), _words(part))


def _drill_indexes(drill: Drill, attempt: _Attempt) -> set[int]:
    """Return the indexes of a drill's requests; where no engine came up there is nothing but the probe that says so."""
    after = {probe_index(drill)}
    if {row["index"] for _, row in attempt.requests} == after:
        return after
    return after | set(range(drill.requests)) | ({probe_before_index(drill)} if drill.kind == "overload" else set())


def _cell_misfits(
    number: int, where: str, attempt: _Attempt, *, protocol: Protocol, load: Load, prompt_ids: Sequence[str]
) -> Iterator[Misfit]:
    measured = [(at, row) for at, row in attempt.requests if row["phase"] == "measured"]
    yield from _index_misfits(number, where, measured, wanted=set(range(load.requests)))
    for at, row in measured:
        wanted = prompt_ids[row["index"] % len(prompt_ids)]
        if row["prompt_id"] != wanted:
            yield Misfit(at, f"{where}: request {row['index']} took prompt {row['prompt_id']}, the plan gives it {wanted}")
    warm_up = [(at, row) for at, row in attempt.requests if row["phase"] == "warm-up"]
    priming = min(load.requests, len(prompt_ids)) if load.cache == "warm" else 0
    yield from _index_misfits(number, f"{where}, warm-up", warm_up, wanted=set(range(protocol.warm_up_requests + priming)))


def _index_misfits(number: int, where: str, requests: Sequence[tuple[int, Line]], *, wanted: set[int]) -> Iterator[Misfit]:
    """Yield indexes that come twice or that nobody planned, at their own line, and those that are missing, at the end's."""
    yield from _twice(((at, str(row["index"])) for at, row in requests), where)
    for at, row in requests:
        if row["index"] not in wanted:
            yield Misfit(at, f"{where}: request {row['index']} is not in the plan")
    missing = sorted(wanted - {row["index"] for _, row in requests})
    if missing:
        yield Misfit(number, f"{where}: {len(missing)} of {len(wanted)} requests are missing, the first is {missing[0]}")


def _twice(keys: Iterable[tuple[int, str]], where: str) -> Iterator[Misfit]:
    seen: set[str] = set()
    for at, key in keys:
        if key in seen:
            yield Misfit(at, f"{where}: {key} stands twice")
        seen.add(key)


def finished_cell_counts(lines: Iterable[Line]) -> dict[PlannedCell, dict[str, int]]:
    """Return what became of the measured requests of every finished cell: `sent`, and each outcome that occurred."""
    counts: dict[PlannedCell, dict[str, int]] = {}
    attempt: dict[str, int] = {}
    for line in lines:
        match line["kind"]:
            case "cell-start":
                attempt = {"sent": 0}
            case "request" if line["phase"] == "measured":
                attempt["sent"] = attempt.get("sent", 0) + 1
                attempt[line["outcome"]] = attempt.get(line["outcome"], 0) + 1
            case "cell-end" if line["repeat"]:
                counts[PlannedCell(line["arm"], line["load"], line["repeat"])] = attempt
                attempt = {}
    return counts
