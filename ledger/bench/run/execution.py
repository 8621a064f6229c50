"""Executes a run: sessions in the planned order, every finished request written to the journal."""

import gc
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import cached_property

from ledger.bench.engine.clock import RunClock
from ledger.bench.engine.interface import Backend, Engine
from ledger.bench.engine.redaction import anonymous, kept_trace
from ledger.bench.journal.journal import Journal
from ledger.bench.machine.sampler import Sampler, machine_probe
from ledger.bench.plan.plan import PlannedCell, Session, discarded_session, load_of, sessions
from ledger.bench.plan.request_sampling import output_limit
from ledger.bench.plan.stagger import is_stagger_measured
from ledger.bench.plan.suite_items import SuiteItem
from ledger.bench.plan.workload import Prompt
from ledger.bench.run.cell import CellRun
from ledger.bench.run.discarded_life import measured_staggers_s, stagger_s
from ledger.bench.run.drills import DrillRun, EngineSlot
from ledger.bench.run.load import closed_loop
from ledger.bench.run.progress import Meter
from ledger.bench.run.run_request import RunRequest
from ledger.bench.run.signals import started
from ledger.bench.run.streamed_request import EncodedPrompt
from ledger.bench.run.suites import IN_FLIGHT, ask, suite_answer
from ledger.model.records.protocol import Arm, Drill, Telemetry
from ledger.model.records.run import Measure
from ledger.model.trace import RequestTrace

LOG = "engine.log"


class Execution:
    """What is left of a run, and the tools to do it."""

    def __init__(self, request: RunRequest, *, backend: Backend, telemetry: Telemetry, clock: RunClock, journal: Journal) -> None:
        self.plan, self.prompts, self.items = request.protocol, request.prompts, request.suite_items
        self.backend, self.telemetry, self.clock, self.journal = backend, telemetry, clock, journal
        self.log = request.out_dir / LOG
        suite_items = len(self.items) if self.plan.suites else 0
        self.meter = Meter(self.plan, prompts=len(self.prompts), suite_items=suite_items, report=request.progress, now=clock.now)
        self._done_cells: set[PlannedCell] = set()
        self._done_suites: set[str] = set()
        self._done_drills: set[tuple[str, str]] = set()
        self._discarded: list[RequestTrace] = []
        self._staggers_s: dict[str, float] = {}
        self.probe_of = machine_probe

    def keep_staggers(self, staggers_s: Mapping[str, float]) -> None:
        """Take over the staggers that an earlier attempt measured, in seconds by load."""
        self._staggers_s = dict(staggers_s)

    def skip(self, cells: Iterable[PlannedCell], suites_of: Iterable[str], drills: Iterable[tuple[str, str]] = ()) -> None:
        """Leave out what an earlier attempt finished; drills by drill and arm."""
        for cell in cells:
            self._done_cells.add(cell)
            self.meter.skip(cell)
        self._done_suites.update(suites_of)
        self._done_drills.update(drills)
        for session in sessions(self.plan):
            for drill in session.drills:
                if (drill.id, session.arm) in self._done_drills:
                    self.meter.skip_drill(drill)

    async def run(self) -> None:
        """Run every session that has something left to do, after the life that is discarded."""
        discarded = discarded_session(self.plan)
        if discarded and any(self.has_work(session) for session in sessions(self.plan)):
            await self.run_discarded(discarded)
        self.note_missing_staggers()
        for session in sessions(self.plan):
            left = [cell for cell in session.cells if cell not in self._done_cells]
            suites_left = self.are_suites_left(session)
            while left or suites_left or self.drills_left(session):
                left, suites_left = await self.run_session(session, left, suites_left=suites_left)
        self.note("run-end")

    def has_work(self, session: Session) -> bool:
        """Whether something of a session is left to do."""
        return (
            any(cell not in self._done_cells for cell in session.cells) or self.are_suites_left(session) or bool(self.drills_left(session))
        )

    def are_suites_left(self, session: Session) -> bool:
        """Whether a session puts suites to its arm that have not been answered."""
        return session.with_suites and session.arm not in self._done_suites

    async def run_discarded(self, session: Session) -> None:
        """Run the engine life that warms the machine; it measures by how much loads are staggered, and is left out of everything else."""
        engine = self.backend.engine(self.plan.baseline, self.log)
        self.meter.say("warming the machine up")
        try:
            await self.start(engine, session)
            for cell in session.cells:
                if await self.cell(engine, cell):
                    break
        finally:
            await engine.stop()
        measured_s = measured_staggers_s(self.plan, self._discarded) | self._staggers_s  # once measured, the same for the whole run
        if measured_s != self._staggers_s:
            self._staggers_s = measured_s
            self.note("staggers", seconds=measured_s)

    def note_missing_staggers(self) -> None:
        """Write a deviation for each load whose stagger should have been measured and was not."""
        for load in self.plan.loads:
            if is_stagger_measured(load) and load.id not in self._staggers_s:
                self.journal.append(
                    "deviation", what=f"{load.id}: its slots start together, as nothing measured by how much to stagger them"
                )

    async def run_session(self, session: Session, left: list[PlannedCell], *, suites_left: bool) -> tuple[list[PlannedCell], bool]:
        """Run one session on a new engine; return the cells and suites still to run: none, unless the engine died."""
        arm = self.plan.arm(session.arm)
        assert arm is not None  # sessions come from the plan's arms
        engine = self.backend.engine(arm, self.log)
        self.meter.say(f"{session.arm}: starting the engine")
        try:
            await self.start(engine, session)
            for place, cell in enumerate(left):
                if await self.cell(engine, cell):
                    return left[place + 1 :], suites_left
            if suites_left and await self.suites(engine, session.arm):
                return [], False
            self.note("session-end", arm=session.arm, repeat=session.repeat, memory=asdict(engine.memory()))
            await self.drills(engine, arm, self.drills_left(session))
        finally:
            await engine.stop()
        return [], False

    async def start(self, engine: Engine, session: Session) -> None:
        """Start an engine and note how long it took and what it settled on."""
        begun_s = self.clock.now()
        await started(engine)
        took_s = self.clock.now() - begun_s
        self.meter.started(took_s)
        configuration = engine.effective_configuration()
        self.note(
            "session-start",
            arm=session.arm,
            repeat=session.repeat,
            place=session.place,
            start_up_s=took_s,
            configuration=configuration,
        )
        gc.collect()
        gc.freeze()  # what the start left behind need not be walked through during a measurement

    async def cell(self, engine: Engine, cell: PlannedCell) -> bool:
        """Run one cell and return whether the engine died in it."""
        self.meter.say(f"{cell.arm} at {cell.load}, repeat {cell.repeat}")
        begun_s = self.clock.now()
        self.note("cell-start", arm=cell.arm, load=cell.load, repeat=cell.repeat)
        prompts = self.encoded_prompts
        where = f"{cell.arm} at {cell.load}, repeat {cell.repeat}"
        with Sampler(self.probe_of(engine)) as sampler:
            run = CellRun(
                plan=self.plan,
                cell=cell,
                prompts=prompts,
                engine=engine,
                clock=self.clock,
                record=self.record,
                stagger_s=stagger_s(load_of(self.plan, cell), self._staggers_s),
                measuring=(sampler.begin, engine.count_anew),
            )
            await run.run()
            conditions, samples = sampler.end()
            measures = run.overhead.measures(run.load.requests) | engine.counted() | stagger_measures(run)
        if sampler.fault:
            self.journal.append("deviation", what=f"{where}: what the device did was not recorded: {anonymous(sampler.fault)}")
        if run.engine_died:
            self.journal.append("deviation", what=f"{where}: the engine died, so the cell is unfinished")
        else:
            if not run.cache_was_reset:
                self.journal.append("deviation", what=f"{where}: the prefix cache could not be reset")
            told = {key: measure.model_dump(mode="json", exclude_defaults=True) for key, measure in measures.items()}
            self.note(
                "cell-end",
                arm=cell.arm,
                load=cell.load,
                repeat=cell.repeat,
                conditions=conditions,
                samples=samples,
                measures=told,
            )
        if cell.repeat:
            self.meter.cell(cell, self.clock.now() - begun_s)
        return run.engine_died

    async def suites(self, engine: Engine, arm: str) -> bool:
        """Put every suite item to an arm and return whether the engine died meanwhile."""
        self.meter.say(f"{arm}: acceptance suites")
        self.note("suites-start", arm=arm)
        asked = [item for item in self.items if item.suite in self.plan.suites]

        engine_died = False

        async def send(item: SuiteItem, _: float) -> float:
            nonlocal engine_died
            response = await ask(engine, item, self.encoded_items[item.suite, item.id], clock=self.clock)
            engine_died = engine_died or response.engine_died
            self.journal.append("answer", **asdict(suite_answer(arm, item, response, telemetry=self.telemetry)))
            self.meter.request()
            return response.ended_s

        await closed_loop(asked, concurrency=IN_FLIGHT, send=send, clock=self.clock)
        if engine_died:
            self.journal.append("deviation", what=f"{arm}: the engine died in the suites, so they are unfinished")
        else:
            self.note("suites-end", arm=arm)
        return engine_died

    def drills_left(self, session: Session) -> list[Drill]:
        """Return the drills that a session's arm has not been through."""
        return [drill for drill in session.drills if (drill.id, session.arm) not in self._done_drills]

    async def drills(self, engine: Engine, arm: Arm, left: Sequence[Drill]) -> None:
        """Put an arm through its drills, and stop the engine that they end with."""
        slot = EngineSlot(engine, lambda: self.backend.engine(arm, self.log))
        try:
            for drill in left:
                self.meter.say(f"{arm.id}: drill {drill.id}")
                await self.drill(slot, arm.id, drill)
        finally:
            await slot.engine.stop()

    async def drill(self, slot: EngineSlot, arm: str, drill: Drill) -> None:
        """Run one drill on an arm."""
        self.note("drill-start", arm=arm, drill=drill.id)
        prompts = self.encoded_prompts
        run = DrillRun(plan=self.plan, arm=arm, drill=drill, prompts=prompts, slot=slot, clock=self.clock, record=self.record)
        await run.run()
        self.note("drill-end", arm=arm, drill=drill.id, instants_s=run.instants_s)
        self._done_drills.add((drill.id, arm))
        self.meter.drill(drill)

    def record(self, trace: RequestTrace) -> None:
        """Put a finished request on disk, without what the telemetry policy keeps back."""
        kept = kept_trace(trace, self.telemetry)
        self.journal.append("request", t=self.clock.now(), **{name: getattr(kept, name) for name in RequestTrace.__slots__})
        if not trace.repeat:
            self._discarded.append(trace)
        elif trace.phase != "ramp":  # how many those are nobody knew when the total was counted
            self.meter.request()

    def note(self, kind: str, **fields: object) -> None:
        """Write a line with the time on both clocks."""
        self.journal.append(kind, **fields, t=self.clock.now(), wall=self.clock.clock.wall().isoformat())

    @cached_property
    def encoded_prompts(self) -> tuple[EncodedPrompt, ...]:
        """The prompts in tokens, made once, before anything is timed."""
        return tuple(self._encode(prompt) for prompt in self.prompts)

    def _encode(self, prompt: Prompt) -> EncodedPrompt:
        return EncodedPrompt(prompt.id, self.backend.encode(prompt.messages, prompt.tools), output_limit(self.plan, prompt))

    @cached_property
    def encoded_items(self) -> dict[tuple[str, str], tuple[int, ...]]:
        """The suite items in tokens."""
        return {(item.suite, item.id): self.backend.encode(item.messages, item.tools) for item in self.items}


def stagger_measures(run: CellRun) -> dict[str, Measure]:
    """Return over how many seconds a closed load's slots started; nothing of an open load."""
    if run.load.kind == "open":
        return {}
    return {"runner.stagger.total": Measure(value=run.stagger_s, unit="s", n=run.load.concurrency or 1)}
