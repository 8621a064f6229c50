"""Single settings of a protocol's engine table, as the numbers that the plan works with."""

from collections.abc import Mapping

from ledger.model.values.values import TomlValue

EngineTable = Mapping[str, TomlValue]


def number(engine: EngineTable, key: str, default: float) -> float:
    """Return a setting as a number; the default where it is not set, or is none. vLLM's own parser names what is no number."""
    value = engine.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return default
    try:
        return float(value)
    except ValueError:
        return default


def whole_number(engine: EngineTable, key: str, default: int) -> int:
    """Return a setting as a whole number; the default where it is not set, or is none."""
    return int(number(engine, key, default))
