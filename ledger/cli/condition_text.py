"""What the device did at a load, as text for the terminal: one line a device, ranges over the cells."""

import textwrap
from collections.abc import Iterator, Sequence

from ledger.analysis.conditions import devices_of, values_of
from ledger.analysis.resolve import measure_number
from ledger.model.run import Condition, Run

_WIDTH, _INDENT = 80, 14
SHOWN: tuple[tuple[str, str], ...] = (
    ("clock.median", "clock"),
    ("temperature.max", "at most"),
    ("power.mean", "power"),
    ("utilisation.mean", "in use"),
    ("slowed.share", "clock lowered in"),
    ("others.mean", "other processes"),
    ("steal.mean", "stolen"),
    ("load-average.mean", "load"),
    ("resident.max", "resident"),
)
"""Figures of a device and the words before them; the record has the rest."""


def condition_lines(run: Run, load: str) -> Iterator[str]:
    """Yield the conditions of a load's cells: each device's figures, then the energy per token of each arm; nothing unless recorded."""
    found = [one for one in run.conditions if one.load == load and one.measures]
    if not found:
        return
    samples = sum(max(measure.n for measure in one.measures.values()) for one in found)
    yield f"  device ({len(found)} cell{'s' * (len(found) != 1)}, {samples} samples)"
    for device in devices_of(found):
        parts = [part for key, words in SHOWN if (part := range_text(found, f"{device}.{key}", words))]
        yield from _wrapped(device, ", ".join(parts))
    arms = dict.fromkeys(one.arm for one in found)
    energies = [range_text([one for one in found if one.arm == arm], "energy-per-token.mean", arm) for arm in arms]
    if any(energies):
        yield from _wrapped("energy", ", ".join(filter(None, energies)))


def range_text(conditions: Sequence[Condition], key: str, words: str) -> str:
    """Return a figure over cells in words, `clock 1755 to 1980 MHz`; empty where no cell has it."""
    values = values_of(key, conditions)
    if not values:
        return ""
    unit = next(one.measures[key].unit for one in conditions if key in one.measures)
    printed = measure_number(0.0, unit)[1]
    low, high = (without_zeros(measure_number(end, unit)[0]) for end in (min(values.values()), max(values.values())))
    return f"{words} {low if low == high else f'{low} to {high}'}{'' if unit == 'count' else f' {printed}'}"


def without_zeros(number: str) -> str:
    """Return digits without zeros after the point; a sensor's 61 is not known to a tenth."""
    return number.rstrip("0").rstrip(".") if "." in number else number


def _wrapped(name: str, text: str) -> list[str]:
    return textwrap.wrap(f"    {name:<{_INDENT - 4}}{text}", _WIDTH, subsequent_indent=" " * _INDENT, break_on_hyphens=False)
