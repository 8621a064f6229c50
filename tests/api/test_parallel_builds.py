"""Work in processes of its own comes back in order, and a fault comes back whole."""

import os

import pytest

from ledger.api.parallel_builds import parallel_builds
from ledger.errors import FindingsError, Problem

FAULT = Problem("LEDG001", "broken.", "Mend it.", "a.toml")


def squared(number: int) -> tuple[int, int]:
    return number * number, os.getpid()


def refused_from_two_on(number: int) -> int:
    if number >= 2:
        raise FindingsError(f"{number} was not built", [FAULT])
    return number


def test_results_come_in_order_from_processes_of_their_own() -> None:
    found = parallel_builds(squared, [3, 1, 2])
    assert [square for square, _ in found] == [9, 1, 4]
    assert os.getpid() not in {process for _, process in found}


def test_one_piece_needs_no_process() -> None:
    assert parallel_builds(squared, [5]) == [(25, os.getpid())]


def test_the_first_fault_is_raised_with_its_problems() -> None:
    with pytest.raises(FindingsError, match="2 was not built") as caught:
        parallel_builds(refused_from_two_on, [1, 2, 3])
    assert caught.value.problems == (FAULT,)
