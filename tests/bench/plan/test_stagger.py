"""When a closed loop's slots start, and whether its requests will be in lock step."""

from typing import Any

import pytest

from ledger.bench.plan.stagger import discarded_requests, is_in_lock_step, is_stagger_measured, is_staggered
from ledger.model.records.protocol import Load
from tests.bench.conftest import protocol_of


def load_of(**fields: Any) -> Load:
    """A closed loop of eight, but for what the test names."""
    return Load.model_validate({"id": "c8", "concurrency": 8, "requests": 72, **fields})


@pytest.mark.parametrize(
    ("fields", "staggered", "measured"),
    [
        ({}, True, True),
        ({"stagger_s": "2.5"}, True, False),
        ({"start": "together"}, False, False),
        ({"ramp_s": "5"}, False, False),
        ({"concurrency": 1}, False, False),
        ({"kind": "open", "concurrency": None, "rate_per_s": "2", "arrivals": "poisson"}, False, False),
    ],
)
def test_closed_loops_are_staggered_unless_they_say_otherwise(fields: dict[str, Any], staggered: bool, measured: bool) -> None:
    load = load_of(**fields)
    assert (is_staggered(load), is_stagger_measured(load)) == (staggered, measured)


@pytest.mark.parametrize(("concurrency", "requests", "expected"), [(1, 72, 8), (8, 72, 16), (64, 72, 72), (2, 6, 6)])
def test_the_discarded_life_sends_two_requests_a_slot_and_no_more_than_the_load(concurrency: int, requests: int, expected: int) -> None:
    assert discarded_requests(load_of(concurrency=concurrency, requests=requests)) == expected


@pytest.mark.parametrize(
    ("sampling", "fields", "expected"),
    [
        ({"ignore_eos": True}, {"start": "together"}, True),
        ({"ignore_eos": True}, {}, False),
        ({"ignore_eos": True}, {"start": "together", "ramp_s": "5"}, False),
        ({"ignore_eos": True}, {"start": "together", "concurrency": 1}, False),
        ({"ignore_eos": True, "drawn_tokens": [8, 32]}, {"start": "together"}, False),
        ({}, {"start": "together"}, False),
    ],
)
def test_lock_step_needs_equal_lengths_and_a_common_start(sampling: dict[str, Any], fields: dict[str, Any], expected: bool) -> None:
    plan = protocol_of(sampling={"temperature": "0", "max_tokens": 32, **sampling})
    assert is_in_lock_step(plan, load_of(**fields)) is expected
