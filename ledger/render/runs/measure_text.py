"""A measure as text: its value with interval and unit, or the reason why there is none; and headings that carry the unit."""

from collections.abc import Iterable

from ledger.analysis.claims.resolve import measure_number, measure_text
from ledger.model.records.run import Cell, Measure
from ledger.model.values.units import with_unit

NOT_RECORDED = "not recorded"
SATURATED, LOCK_STEP = "saturated", "in lock step"
_KEPT_UNITS = {"x", "count"}
"""Units that stay with their number."""
_GIB, _MIB = 2**30, 2**20


def value_text(measure: Measure | None, unit: str = "", *, interval: bool = True) -> str:
    """Return a measure's value, or the reason why it has none.

    Args:
        measure: The measure; None where nothing was recorded.
        unit: The unit that the heading names already, which the value then prints without.
        interval: Whether the 95 % interval stands behind the value.
    """
    if measure is None or measure.value is None:
        return (measure.reason if measure else None) or NOT_RECORDED
    text = measure_text(measure, interval=interval)
    number, own = measure_number(measure.value, measure.unit)
    return text.replace(with_unit(number, own), number, 1) if unit and own == unit else text


def interval_text(measure: Measure | None, unit: str = "") -> str:
    """Return a measure's value with its interval, and `(no interval)` where there is a reason why it has none."""
    text = value_text(measure, unit)
    has_reason = measure is not None and measure.value is not None and measure.low is None and measure.interval_reason
    return f"{text} (no interval)" if has_reason else text


def value_or_size_text(measure: Measure | None, *, interval: bool) -> str:
    """Return a number of bytes as `size_text` does, and any other measure as `interval_text` or without its interval."""
    if measure is not None and measure.value is not None and measure.unit == "bytes":
        return size_text(measure.value)
    return interval_text(measure) if interval else value_text(measure, interval=False)


def size_text(size_bytes: float) -> str:
    """Return a size in GiB from 1 GiB on, else in MiB."""
    unit, factor = ("GiB", _GIB) if size_bytes >= _GIB else ("MiB", _MIB)
    return with_unit(measure_number(size_bytes / factor, "count")[0], unit)


def heading_with_unit(words: str, measures: Iterable[Measure | None]) -> tuple[str, str]:
    """Return a heading, and the unit that the values below it print without; empty where each value keeps its own.

    The heading names the unit of all its measures, unless it begins with it: `TPOT, median, ms`, but `Tokens per step`.
    """
    units = {measure_number(0.0, measure.unit)[1] for measure in measures if measure is not None}
    unit = units.pop() if len(units) == 1 else ""
    if not unit or unit in _KEPT_UNITS:
        return words, ""
    return words if words.casefold().startswith(unit) else f"{words}, {unit}", unit


def flag_cells(name: str, *cells: Cell | None) -> str:
    """Return a name with what a reader must know of the cells behind its number: saturated, fewer completed than planned, in lock step."""
    known = [cell for cell in cells if cell is not None]
    flags = [SATURATED for cell in known if cell.is_saturated]
    flags += [cell.shortfall for cell in known if cell.shortfall]
    flags += [LOCK_STEP for cell in known if cell.is_lock_stepped]
    return "".join([name, *(f" [{flag}]" for flag in dict.fromkeys(flags))])


def capitalise(text: str) -> str:
    """Return a text with its first letter raised, as a heading begins; the rest keeps its capitals."""
    return text[:1].upper() + text[1:]
