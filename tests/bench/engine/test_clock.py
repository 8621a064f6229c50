"""Durations come from the monotonic clock; a wall clock that goes back is said and never subtracted (case C45)."""

from datetime import UTC, datetime, timedelta

import pytest

from ledger.bench.engine.clock import ClockReading, SystemClock, timing
from ledger.errors import DataRefusedError

START = datetime(2026, 10, 25, 1, tzinfo=UTC)


def test_a_wall_clock_that_went_back_changes_no_duration() -> None:
    measured = timing(ClockReading(START, 500.0), ClockReading(START - timedelta(seconds=2), 512.5))
    assert measured.duration_s == 12.5
    assert measured.note == "the wall clock went back: its end lies 2 s before its start; durations are monotonic"


def test_wall_readings_alone_that_go_back_are_refused() -> None:
    with pytest.raises(DataRefusedError, match="ended 2 s before it started"):
        timing(ClockReading(START, None), ClockReading(START - timedelta(seconds=2), None))


def test_wall_readings_alone_are_named_as_such() -> None:
    measured = timing(ClockReading(START, None), ClockReading(START + timedelta(seconds=3), None))
    assert (measured.duration_s, measured.note) == (3, "durations come from the wall clock alone")


def test_readings_of_two_starts_of_the_machine_are_refused() -> None:
    with pytest.raises(DataRefusedError, match="monotonic clock went back"):
        timing(ClockReading(START, 500.0), ClockReading(START + timedelta(seconds=1), 3.0))


def test_clocks_that_agree_need_no_note() -> None:
    assert timing(ClockReading(START, 1.0), ClockReading(START + timedelta(seconds=2), 3.0)).note is None


def test_the_system_clock_names_its_source_and_never_goes_back() -> None:
    clock = SystemClock()
    readings = [clock.now() for _ in range(1000)]
    assert readings == sorted(readings)
    assert clock.source
    assert clock.wall().tzinfo is UTC
