"""The order of arms: every place and every predecessor equally often, drawn from the seed."""

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from ledger.bench.plan.order import arms_in_repeat, is_balanced, williams_order, williams_rows
from tests.bench.conftest import protocol_of

ARMS = tuple("abcdef")


def arms_of(count: int) -> list[dict[str, Any]]:
    """So many plain arms."""
    return [{"id": name} for name in ARMS[:count]]


@pytest.mark.parametrize(("count", "rows"), [(2, 2), (3, 6), (4, 4), (5, 10), (6, 6)])
def test_every_arm_takes_every_place_and_follows_every_other_equally_often(count: int, rows: int) -> None:
    design = williams_rows(count)
    assert len(design) == rows
    assert all(sorted(row) == list(range(count)) for row in design)
    places = Counter((place, arm) for row in design for place, arm in enumerate(row))
    assert set(places.values()) == {rows // count}
    neighbours = Counter(pair for row in design for pair in pairwise(row))
    assert len(neighbours) == count * (count - 1)
    assert set(neighbours.values()) == {rows // count}


def test_four_arms_have_the_textbooks_first_row() -> None:
    assert williams_rows(4)[0] == (0, 3, 1, 2)
    assert williams_rows(4)[1] == (1, 0, 2, 3)


def test_the_order_is_drawn_from_the_seed_and_repeats_after_a_whole_design() -> None:
    def orders(seed: int) -> list[tuple[str, ...]]:
        return [williams_order(ARMS[:4], repeat, seed=seed) for repeat in range(1, 9)]

    assert orders(1) == orders(1)
    assert len({tuple(orders(seed)) for seed in range(20)}) > 10
    assert orders(1)[:4] == orders(1)[4:]
    assert len(set(orders(1)[:4])) == 4


def test_a_protocol_that_alternates_reverses_every_second_repeat() -> None:
    plan = protocol_of(arms=arms_of(3), repeats=2)
    assert [arms_in_repeat(plan, repeat) for repeat in (1, 2, 3)] == [("a", "b", "c"), ("c", "b", "a"), ("a", "b", "c")]


@pytest.mark.parametrize(
    ("order", "arms", "repeats", "expected"),
    [
        ("williams", 4, 4, True),
        ("williams", 4, 8, True),
        ("williams", 4, 3, False),
        ("williams", 3, 3, False),
        ("alternate-and-reverse", 2, 2, False),
    ],
)
def test_balance_is_claimed_of_whole_designs_alone(order: str, arms: int, repeats: int, expected: bool) -> None:
    assert is_balanced(protocol_of(order=order, arms=arms_of(arms), repeats=repeats)) is expected
