"""Independent builds in processes of their own, where the system forks; one after the other elsewhere."""

import sys
from collections.abc import Callable, Sequence
from multiprocessing import get_context
from typing import Any, TypeVar

from ledger.errors import LedgerError

Item = TypeVar("Item")
Result = TypeVar("Result")


def parallel_builds(build: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
    """Return the result for each item, in order; the first `LedgerError` in that order is raised once all have ended."""
    if len(items) < 2 or sys.platform != "linux":  # elsewhere a fork is not safe, or not there
        return [build(item) for item in items]
    receivers = [_start(build, item) for item in items]
    outcomes = [receiver.recv() for receiver in receivers]
    for outcome in outcomes:
        if isinstance(outcome, LedgerError):
            raise outcome
    return outcomes


def _start(build: Callable[[Item], Result], item: Item) -> Any:
    """Return the end of a pipe on which the result, or the `LedgerError`, of a process arrives."""
    fork = get_context("fork")
    receiver, sender = fork.Pipe(duplex=False)
    fork.Process(target=_send, args=(build, item, sender)).start()
    sender.close()
    return receiver


def _send(build: Callable[[Item], Result], item: Item, sender: Any) -> None:
    try:
        sender.send(build(item))
    except LedgerError as error:
        sender.send(error)
