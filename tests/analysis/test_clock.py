"""Durations when the wall clock is put back (as C45)."""

from datetime import UTC, datetime, timedelta

import pytest

from ledger.analysis.clock import elapsed

START = datetime(2026, 3, 29, 1, tzinfo=UTC)


def test_the_monotonic_clock_counts_and_the_step_back_is_noted() -> None:
    found = elapsed(START, START - timedelta(seconds=3), start_mono_s=100.0, end_mono_s=107.25)
    assert found.seconds == 7.25
    assert found.note == "the wall clock went back: it ends 3 s before the start"


def test_a_wall_clock_that_ran_needs_no_note() -> None:
    assert elapsed(START, START + timedelta(seconds=7), start_mono_s=100.0, end_mono_s=107.25).note is None


def test_wall_readings_alone_are_refused_when_they_run_backwards() -> None:
    with pytest.raises(ValueError, match=r"ended before started: got 2026-03-29T00:59:57\+00:00, 3 s before .* no monotonic clock"):
        elapsed(START, START - timedelta(seconds=3))
    assert elapsed(START, START + timedelta(seconds=3)).seconds == 3


def test_a_monotonic_clock_that_falls_is_refused() -> None:
    with pytest.raises(ValueError, match="from 5 s to 4 s"):
        elapsed(START, START, start_mono_s=5.0, end_mono_s=4.0)
