"""How far a run is and how long it may still take, and lines that say so where there is no terminal to draw on."""

import sys
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass

from ledger.bench.plan.estimate import Pace, assumed_pace, cell_estimate_s, costs_engine, drill_estimate_s, requests_of_drill
from ledger.bench.plan.plan import PlannedCell, discarded_session, outline, requests_of
from ledger.model.records.protocol import Drill, Protocol

LINE_EVERY_S = 10.0
"""How often a line of progress is printed at most while the run does the same thing."""


@dataclass(frozen=True, slots=True)
class Progress:
    """The state of a run at one moment."""

    doing: str
    """One line for people, such as `ngram-4 at c8, repeat 2`."""
    cells_done: int
    cells_total: int
    requests_done: int
    """Warm-up, suite items and drills included, ramps not."""
    requests_total: int
    elapsed_s: float
    left_s: float
    """Estimated from what this run has shown so far, before that from an assumed pace."""


Report = Callable[[Progress], None]


def silent(_: Progress) -> None:
    """Show nothing."""


class ProgressLines:
    """Prints a line to standard error when what is done changes, and at most every `LINE_EVERY_S` seconds otherwise."""

    def __init__(self) -> None:
        self._doing = ""
        self._at_s = -LINE_EVERY_S

    def __call__(self, state: Progress) -> None:
        """Print the state where it is due."""
        if state.doing == self._doing and state.elapsed_s - self._at_s < LINE_EVERY_S:
            return
        self._doing, self._at_s = state.doing, state.elapsed_s
        line = f"{state.doing}: {state.requests_done} of {state.requests_total} requests, {left_text(state.left_s)}"
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()


def left_text(seconds: float) -> str:
    """Return the time left in words: `about 3 min left`."""
    return f"about {seconds / 60:.0f} min left" if seconds >= 90 else f"about {seconds:.0f} s left"


class Meter:
    """Counts what a run has done and reports it."""

    def __init__(
        self,
        plan: Protocol,
        *,
        prompts: int,
        suite_items: int,
        report: Report,
        now: Callable[[], float],
        pace: Pace | None = None,
    ) -> None:
        size = outline(plan, prompt_count=prompts, suite_item_count=suite_items)
        self._prompts = prompts
        self._plan, self._report, self._now, self._pace = plan, report, now, pace or assumed_pace(plan)
        self._cells_total = sum(len(session.cells) for session in size.sessions)
        self._requests_total = size.requests + size.suite_answers + size.drill_requests
        self._cells_left: dict[str, int] = {load.id: len(size.sessions) for load in plan.loads}
        self._drills_left = [drill for session in size.sessions for drill in session.drills]
        self._starts_left = len(size.sessions) + bool(discarded_session(plan)) + sum(map(costs_engine, self._drills_left))
        self._cell_times_s: dict[str, list[float]] = defaultdict(list)
        self._start_times_s: list[float] = []
        self._requests_done = self._cells_done = 0
        self._doing = "starting"

    def skip(self, cell: PlannedCell) -> None:
        """Count a cell that an earlier attempt finished."""
        self._close(cell)
        self._requests_done += self._requests_of(cell.load)

    def skip_drill(self, drill: Drill) -> None:
        """Count a drill that an earlier attempt finished on an arm."""
        self._close_drill(drill)
        self._requests_done += requests_of_drill(drill)

    def started(self, took_s: float) -> None:
        """Count an engine that is ready."""
        self._starts_left = max(self._starts_left - 1, 0)
        self._start_times_s.append(took_s)

    def say(self, doing: str) -> None:
        """Report what happens next."""
        self._doing = doing
        self.tell()

    def request(self) -> None:
        """Count a request that ended."""
        self._requests_done += 1
        self.tell()

    def cell(self, cell: PlannedCell, took_s: float) -> None:
        """Count a cell that ended."""
        self._cell_times_s[cell.load].append(took_s)
        self._close(cell)
        self.tell()

    def drill(self, drill: Drill) -> None:
        """Count a drill that ended on an arm."""
        self._close_drill(drill)
        self.tell()

    def tell(self) -> None:
        """Report the present state."""
        self._report(
            Progress(
                self._doing, self._cells_done, self._cells_total, self._requests_done, self._requests_total, self._now(), self.left_s()
            )
        )

    def left_s(self) -> float:
        """Return the estimate of what is left: cells by the mean of their load so far, starts by the mean start."""
        start_s = mean(self._start_times_s) or self._pace.start_s
        cells_s = sum(count * (mean(self._cell_times_s[load]) or self._assumed_s(load)) for load, count in self._cells_left.items())
        drills_s = sum(drill_estimate_s(self._plan, drill, self._plan.baseline.id, pace=self._pace) for drill in self._drills_left)
        return self._starts_left * (start_s + self._pace.stop_s) + cells_s + drills_s

    def _close(self, cell: PlannedCell) -> None:
        self._cells_done += 1
        self._cells_left[cell.load] -= 1

    def _close_drill(self, drill: Drill) -> None:
        self._drills_left.remove(drill)
        self._starts_left = max(self._starts_left - costs_engine(drill), 0)

    def _requests_of(self, load_id: str) -> int:
        return next(requests_of(self._plan, load, self._prompts) for load in self._plan.loads if load.id == load_id)

    def _assumed_s(self, load_id: str) -> float:
        load = next(load for load in self._plan.loads if load.id == load_id)
        return cell_estimate_s(self._plan, load, self._plan.baseline.id, pace=self._pace, prompt_count=self._prompts)


def mean(values: list[float]) -> float | None:
    """Return the mean, None of nothing."""
    return sum(values) / len(values) if values else None
