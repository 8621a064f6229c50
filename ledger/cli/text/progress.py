"""A progress bar at a terminal, a line every few seconds elsewhere; both on standard error."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ledger.bench.run.progress import ProgressLines, left_text

if TYPE_CHECKING:
    from ledger.api.results import Progress as State


@contextmanager
def show_progress() -> "Iterator[Callable[[State], None]]":
    """Yield a function that shows the state of a run."""
    if sys.stderr.isatty():
        with _bar() as report:
            yield report
    else:
        yield ProgressLines()


@contextmanager
def _bar() -> "Iterator[Callable[[State], None]]":
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=None),
        TextColumn("{task.fields[requests]} {task.fields[left]}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("starting", total=None, requests="", left="")

        def report(state: "State") -> None:
            done, total = state.requests_done, state.requests_total
            left = left_text(state.left_s)
            bar.update(task, description=state.doing, completed=done, total=total, requests=f"{done}/{total}", left=left)

        yield report
