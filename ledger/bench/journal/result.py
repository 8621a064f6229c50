"""What a run found, read back from its journal: the same whether it ended, was stopped or was resumed."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from ledger.analysis.measures.drills import drill_results
from ledger.bench.engine.clock import ClockReading, timing
from ledger.bench.engine.interface import Memory, Scalars
from ledger.bench.journal.configuration_deviations import configuration_deviations
from ledger.bench.journal.drill_lines import finished_drills
from ledger.bench.journal.evidence_rows import ANSWERS, DISCARDED, DRILLS, INTERRUPTED, TRACES, evidence_rows
from ledger.bench.journal.journal import NAME, Line, is_chained, read_journal
from ledger.bench.journal.rows import row_from
from ledger.bench.journal.status import Status, status_of
from ledger.bench.machine.cell_conditions import condition_of, delivered_tokens, device_count_of, hosts_of
from ledger.bench.plan.plan import PlannedCell
from ledger.bench.plan.suite_results import SuiteAnswer, suite_results
from ledger.errors import DataRefusedError
from ledger.model.records.protocol import Protocol
from ledger.model.records.run import Condition, DrillResult, Evidence, Executor, Measure, SuiteResult
from ledger.model.trace import RequestTrace

IMPORTED = "imported"
"""Kind of the line that an import adds: who ran the run, whether its plan had landed, and what of that is a deviation."""
UNCHAINED = "the journal was written by a release that did not chain its lines, so an edit of them would not show"


@dataclass(frozen=True, slots=True)
class SessionRecord:
    """One life of an engine."""

    arm: str
    repeat: int
    start_up_s: float
    configuration: Scalars
    memory: Memory | None
    """None where the session was interrupted."""


@dataclass(frozen=True, slots=True)
class RunResult:
    """Everything from which a run record is made."""

    protocol: Protocol
    protocol_meaning: str
    protocol_commit: str | None
    planned: bool
    executor: Executor | None
    """Who ran it, where the journal says so."""
    status: Status
    started_at: datetime
    finished_at: datetime
    duration_s: float
    """Monotonic seconds at work; the pause before a resumption does not count."""
    resumed: int
    """How often the run was taken up again."""
    traces: tuple[RequestTrace, ...]
    """Requests of finished cells, warm-up included, in the order in which they ended."""
    interrupted: tuple[RequestTrace, ...]
    """Finished requests of cells that were cut off; kept, and outside every statistic."""
    answers: tuple[SuiteAnswer, ...]
    suites: tuple[SuiteResult, ...]
    environment: Scalars
    configurations: dict[str, Scalars]
    """Effective configuration per arm, of its first session."""
    sessions: tuple[SessionRecord, ...]
    deviations: tuple[str, ...]
    evidence: tuple[Evidence, ...] = ()
    """Files in the run's folder, paths relative to it."""
    conditions: tuple[Condition, ...] = ()
    """What the device did in each finished cell; none where it was not watched."""
    drill_traces: tuple[RequestTrace, ...] = ()
    """Requests of finished fault drills; outside cells, comparisons and `interrupted`."""
    drills: tuple[DrillResult, ...] = ()
    discarded: tuple[RequestTrace, ...] = ()
    """Requests of engine lives that are discarded; outside every statistic."""


def read_result(out_dir: Path) -> RunResult:
    """Return what the journal in a run's folder holds.

    Raises:
        DataRefusedError: there is no journal, or it is broken before its last line.
    """
    return result_from(read_journal(out_dir / NAME))


def result_from(lines: Sequence[Line]) -> RunResult:
    """Return what the lines of a journal say was measured.

    Raises:
        DataRefusedError: they hold no time.
    """
    header = lines[0]
    imports = [line for line in lines if line["kind"] == IMPORTED]
    protocol = Protocol.model_validate(header["protocol"])
    rows = evidence_rows(lines)
    traces, interrupted, discarded, drill_traces = (
        tuple(row_from(RequestTrace, lines[place]) for place in rows[file]) for file in (TRACES, INTERRUPTED, DISCARDED, DRILLS)
    )
    answers = tuple(row_from(SuiteAnswer, lines[place]) for place in rows[ANSWERS])
    sessions = sessions_of(lines)
    configurations: dict[str, Scalars] = {}
    for session in sessions:
        configurations.setdefault(session.arm, session.configuration)
    started_at, finished_at, duration_s, notes = time_of(lines)
    return RunResult(
        protocol=protocol,
        protocol_meaning=header["protocol_meaning"],
        protocol_commit=header["protocol_commit"],
        planned=imports[-1]["planned"] if imports else header["planned"],
        executor=executor_of(lines),
        status=status_of(lines, protocol),
        started_at=started_at,
        finished_at=finished_at,
        duration_s=duration_s,
        resumed=sum(line["kind"] == "resume" for line in lines),
        traces=traces,
        interrupted=interrupted,
        discarded=discarded,
        answers=answers,
        suites=suite_results(answers),
        environment=header["environment"],
        configurations=configurations,
        sessions=sessions,
        deviations=(
            *(imports[-1]["deviations"] if imports else ()),
            *deviations_of(lines, configurations, protocol, interrupted=interrupted),
            *notes,
        ),
        conditions=tuple(conditions_of(lines, traces, configurations, environment=header["environment"])),
        drill_traces=drill_traces,
        drills=drill_results(protocol, drill_traces, finished_drills(lines)),
    )


def executor_of(lines: Sequence[Line]) -> Executor | None:
    """Return who ran a run, as whoever imported it said, else as it was begun or last taken up; None where nothing says so."""
    named = [line["executor"] for line in lines if line.get("executor")]
    return Executor.model_validate(named[-1]) if named else None


def finished_cells(lines: Iterable[Line]) -> set[PlannedCell]:
    """Return the cells that ran to their end, without those of the life that is discarded."""
    return {cell_of(line) for line in lines if line["kind"] == "cell-end" and line["repeat"]}


def conditions_of(
    lines: Iterable[Line], traces: Sequence[RequestTrace], configurations: Mapping[str, Scalars], *, environment: Scalars
) -> Iterator[Condition]:
    """Yield what was recorded beside the requests of every finished cell: the device, the runner's own work, the engine's counts."""
    tokens = delivered_tokens(traces)
    for line in lines:
        if line["kind"] == "cell-end" and line["repeat"] and (line.get("conditions") or line.get("measures")):
            cell = cell_of(line)
            device = condition_of(
                cell,
                line["conditions"],
                line["samples"],
                output_tokens=tokens[cell],
                device_count=device_count_of(configurations.get(cell.arm, {})),
                hosts=hosts_of(configurations.get(cell.arm, {}), environment),
            )
            told = {key: Measure.model_validate(measure) for key, measure in line.get("measures", {}).items()}
            yield device.model_copy(update={"measures": device.measures | told})


def staggers_s(lines: Iterable[Line]) -> dict[str, float]:
    """Return the seconds over which loads start their slots, by load, as the run measured them."""
    return {load: seconds for line in lines if line["kind"] == "staggers" for load, seconds in line["seconds"].items()}


def cell_of(line: Line) -> PlannedCell:
    """Return the cell that a line speaks of."""
    return PlannedCell(line["arm"], line["load"], line["repeat"])


def sessions_of(lines: Iterable[Line]) -> tuple[SessionRecord, ...]:
    """Return the engine lives of a run, in order."""
    sessions: list[SessionRecord] = []
    for line in lines:
        if not line.get("repeat", 1):
            continue  # of the life that is discarded
        if line["kind"] == "session-start":
            sessions.append(SessionRecord(line["arm"], line["repeat"], line["start_up_s"], line["configuration"], None))
        elif line["kind"] == "session-end" and sessions:
            sessions[-1] = replace(sessions[-1], memory=Memory(**line["memory"]))
    return tuple(sessions)


def time_of(lines: Sequence[Line]) -> tuple[datetime, datetime, float, list[str]]:
    """Return start, end, seconds at work and notes on clocks that disagree; every stretch of work has its own clock."""
    stretches: list[list[ClockReading]] = []
    for line in lines:
        if line["kind"] in ("header", "resume"):
            stretches.append([])
        if "wall" in line:
            stretches[-1].append(ClockReading(datetime.fromisoformat(line["wall"]), line["t"]))
    times = [timing(stretch[0], stretch[-1]) for stretch in stretches]
    if not times:
        raise DataRefusedError("the journal holds no time.")
    notes = [time.note for time in times if time.note]
    return times[0].started_at, times[-1].finished_at, sum(time.duration_s for time in times), notes


def deviations_of(
    lines: Sequence[Line], configurations: dict[str, Scalars], protocol: Protocol, *, interrupted: tuple[RequestTrace, ...]
) -> list[str]:
    """Return what did not go as planned, in the order in which it happened, then the arms' differences."""
    deviations = [line["what"] for line in lines if line["kind"] == "deviation"]
    if not is_chained(lines[0]):
        deviations.append(UNCHAINED)
    if interrupted:
        deviations.append(f"{len(interrupted)} finished requests of cells that were cut off are kept apart ({INTERRUPTED})")
    matches = {arm.id: arm.matches for arm in protocol.arms if arm.matches}
    return deviations + configuration_deviations(configurations, protocol.baseline.id, matches=matches)
