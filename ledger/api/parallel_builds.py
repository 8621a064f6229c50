"""Independent pieces of work in processes of their own, where the system forks; one after the other elsewhere."""

import sys
from collections.abc import Callable, Sequence
from multiprocessing import get_context
from typing import Any, TypeVar

from ledger.errors import LedgerError

Item = TypeVar("Item")
Result = TypeVar("Result")


def side_by_side(work: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
    """Return the result for each item, in order; the first `LedgerError` in that order is raised once all have ended."""
    if len(items) < 2 or sys.platform != "linux":  # elsewhere a fork is not safe, or not there
        return [work(item) for item in items]
    receivers = [_started(work, item) for item in items]
    outcomes = [receiver.recv() for receiver in receivers]
    for outcome in outcomes:
        if isinstance(outcome, LedgerError):
            raise outcome
    return outcomes


def _started(work: Callable[[Item], Result], item: Item) -> Any:
    """The end of a pipe on which the result, or the `LedgerError`, of a process arrives."""
    fork = get_context("fork")
    receiver, sender = fork.Pipe(duplex=False)
    fork.Process(target=_send, args=(work, item, sender)).start()
    sender.close()
    return receiver


def _send(work: Callable[[Item], Result], item: Item, sender: Any) -> None:
    try:
        sender.send(work(item))
    except LedgerError as error:
        sender.send(error)
