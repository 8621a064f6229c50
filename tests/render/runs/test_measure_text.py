"""A measure as text: value, interval, unit, or the reason why there is no value."""

from typing import Any

import pytest

from ledger.model.records.run import Cell, Measure
from ledger.render.runs.measure_text import (
    capitalise,
    flag_cells,
    heading_with_unit,
    interval_text,
    size_text,
    value_or_size_text,
    value_text,
)

TPOT = Measure(value=0.0204, unit="s", low=0.0194, high=0.0216, n=40)
SHARE = Measure(value=0.5, unit="share", n=40, interval_reason="one figure a repeat")
WITHHELD = Measure(unit="s", n=40, reason="withheld (n = 40, needs 72)")


@pytest.mark.parametrize(
    ("measure", "unit", "interval", "text"),
    [
        (TPOT, "", True, "20.4\u00a0ms (19.4 to 21.6)"),
        (TPOT, "ms", True, "20.4 (19.4 to 21.6)"),
        (TPOT, "%", True, "20.4\u00a0ms (19.4 to 21.6)"),
        (TPOT, "ms", False, "20.4"),
        (SHARE, "", True, "50.0%"),
        (WITHHELD, "ms", True, "withheld (n = 40, needs 72)"),
        (Measure(unit="s", n=0), "", True, "not recorded"),
        (None, "", True, "not recorded"),
    ],
)
def test_a_value_or_the_reason_why_there_is_none(measure: Measure | None, unit: str, interval: bool, text: str) -> None:
    assert value_text(measure, unit, interval=interval) == text


@pytest.mark.parametrize(
    ("measure", "text"),
    [
        (TPOT, "20.4\u00a0ms (19.4 to 21.6)"),
        (SHARE, "50.0% (no interval)"),
        (Measure(value=3, unit="count", n=3), "3"),
        (WITHHELD, "withheld (n = 40, needs 72)"),
        (None, "not recorded"),
    ],
)
def test_a_lacking_interval_is_said_where_it_has_a_reason(measure: Measure | None, text: str) -> None:
    assert interval_text(measure) == text


@pytest.mark.parametrize(
    ("size", "text"),
    [(0, "0\u00a0MiB"), (269030016, "257\u00a0MiB"), (2**30 - 1, "1024\u00a0MiB"), (2**30, "1\u00a0GiB"), (4247883776, "3.96\u00a0GiB")],
)
def test_sizes_print_in_gib_from_one_on(size: float, text: str) -> None:
    assert size_text(size) == text


def test_only_bytes_print_as_sizes() -> None:
    assert value_or_size_text(Measure(value=2**31, unit="bytes", n=1), interval=True) == "2\u00a0GiB"
    assert value_or_size_text(SHARE, interval=True) == "50.0% (no interval)"
    assert value_or_size_text(SHARE, interval=False) == "50.0%"
    assert value_or_size_text(Measure(unit="bytes", n=0, reason="not read"), interval=False) == "not read"
    assert value_or_size_text(None, interval=True) == "not recorded"


@pytest.mark.parametrize(
    ("words", "measures", "heading"),
    [
        ("TPOT, median", [TPOT, None, WITHHELD], ("TPOT, median, ms", "ms")),
        ("Tokens per step", [Measure(value=2.5, unit="tokens", n=4)], ("Tokens per step", "tokens")),
        ("Ratio", [Measure(value=1.2, unit="ratio", n=4)], ("Ratio", "")),
        ("Repeats", [Measure(value=2, unit="count", n=4)], ("Repeats", "")),
        ("Mixed", [TPOT, SHARE], ("Mixed", "")),
        ("Nothing", [None], ("Nothing", "")),
    ],
)
def test_a_heading_names_the_unit_that_all_share(words: str, measures: list[Measure | None], heading: tuple[str, str]) -> None:
    assert heading_with_unit(words, measures) == heading


def cell(**metrics: Any) -> Cell:
    return Cell.model_validate({"arm": "a", "load": "l", "requests": {}, "metrics": metrics})


def test_a_name_is_flagged_where_a_cell_behind_it_was_saturated() -> None:
    calm = cell(**{"saturation.repeats": {"value": 0, "unit": "count", "n": 4}})
    saturated = cell(**{"saturation.repeats": {"value": 1, "unit": "count", "n": 4}})
    assert flag_cells("a", calm, None, cell()) == "a"
    assert flag_cells("a", calm, saturated) == "a [saturated]"
    assert flag_cells("a") == "a"


def test_a_name_is_flagged_where_fewer_completed_than_planned_or_requests_began_together() -> None:
    short = cell().model_copy(update={"shortfall": "12 of 72 completed"})
    together = cell(**{"burst.index": {"value": 0.8, "unit": "share", "n": 72}})
    assert flag_cells("a", short, together) == "a [12 of 72 completed] [in lock step]"
    assert flag_cells("a", cell(**{"burst.index": {"value": 0.3, "unit": "share", "n": 72}})) == "a"


@pytest.mark.parametrize(("text", "raised"), [("", ""), ("tokens per step", "Tokens per step"), ("TTFT, median", "TTFT, median")])
def test_a_heading_begins_with_a_capital(text: str, raised: str) -> None:
    assert capitalise(text) == raised
