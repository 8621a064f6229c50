"""A progress bar at a terminal, a line every few seconds elsewhere; both on standard error."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ledger.bench.progress import Progress as State

_EVERY_S = 10.0


@contextmanager
def shown() -> "Iterator[Callable[[State], None]]":
    """Yield a function that shows the state of a run."""
    if sys.stderr.isatty():
        with _bar() as report:
            yield report
    else:
        yield _Lines()


@contextmanager
def _bar() -> "Iterator[Callable[[State], None]]":
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=None),
        TextColumn("{task.completed:.0f}/{task.total:.0f} {task.fields[left]}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("starting", total=None, left="")

        def report(state: "State") -> None:
            bar.update(
                task, description=state.doing, completed=state.requests_done, total=state.requests_total, left=left_text(state.left_s)
            )

        yield report


class _Lines:
    """Prints a line when what is done changes, and at most every few seconds otherwise."""

    def __init__(self) -> None:
        self._doing = ""
        self._at_s = -_EVERY_S

    def __call__(self, state: "State") -> None:
        if state.doing == self._doing and state.elapsed_s - self._at_s < _EVERY_S:
            return
        self._doing, self._at_s = state.doing, state.elapsed_s
        print(
            f"{state.doing}: {state.requests_done} of {state.requests_total} requests, {left_text(state.left_s)}",
            file=sys.stderr,
            flush=True,
        )


def left_text(seconds: float) -> str:
    """Return the time left in words: `about 3 min left`."""
    return f"about {seconds / 60:.0f} min left" if seconds >= 90 else f"about {seconds:.0f} s left"
