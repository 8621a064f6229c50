"""Which arm comes when: the rows of a Williams design, or alternating and reversed. Pure, and seeded by the protocol.

In the rows of a Williams design every arm takes every place and follows every other arm equally often, so that neither a
machine that warms up nor what an arm leaves behind falls on one arm alone. An even number of arms needs as many rows, an
odd number twice as many; fewer repeats than that are in no fixed order, and no balance can be claimed of them.
"""

import random

from ledger.model.records.protocol import Protocol


def arms_in_repeat(protocol: Protocol, repeat: int) -> tuple[str, ...]:
    """Return the arms in the order of a repeat, which counts from 1."""
    arms = tuple(arm.id for arm in protocol.arms)
    if protocol.order == "williams":
        return williams_order(arms, repeat, seed=protocol.seed)
    return arms if repeat % 2 else arms[::-1]


def williams_order(arms: tuple[str, ...], repeat: int, *, seed: int) -> tuple[str, ...]:
    """Return one row of the design over these arms; which arm stands where, and which row comes when, is drawn from the seed."""
    draw = random.Random(f"{seed}/order")
    names, rows = list(arms), williams_rows(len(arms))
    draw.shuffle(names)
    draw.shuffle(rows)
    return tuple(names[place] for place in rows[(repeat - 1) % len(rows)])


def williams_rows(count: int) -> list[tuple[int, ...]]:
    """Return the rows of a Williams design for so many arms, as places from 0.

    The first row goes from both ends inwards: 0, n - 1, 1, n - 2 and so on; each further row adds 1. For an odd number the
    mirrored rows come too. Source: Williams 1949, 'Experimental designs balanced for the estimation of residual effects'.
    """
    first = [place // 2 if place % 2 == 0 else count - 1 - place // 2 for place in range(count)]
    rows = [tuple((place + step) % count for place in first) for step in range(count)]
    return rows if count % 2 == 0 else rows + [row[::-1] for row in rows]


def is_balanced(protocol: Protocol) -> bool:
    """Whether the repeats are whole Williams designs, so that every arm takes every place and follows every other equally often."""
    return protocol.order == "williams" and protocol.repeats % len(williams_rows(len(protocol.arms))) == 0
