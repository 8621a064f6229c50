"""Single settings of the engine table as numbers; what is no number is left for vLLM's own parser to name."""

import pytest

from ledger.bench.plan.engine_table import number, whole_number
from ledger.model.values.values import TomlValue


@pytest.mark.parametrize(
    ("value", "expected"), [(8, 8.0), (0.5, 0.5), ("0.5", 0.5), ("many", 1.0), (True, 1.0), ([8], 1.0), ({"size": 8}, 1.0)]
)
def test_a_setting_is_read_as_a_number_or_left_at_the_default(value: TomlValue, expected: float) -> None:
    assert number({"key": value}, "key", 1.0) == expected


def test_a_setting_that_is_absent_has_the_default() -> None:
    assert (number({}, "key", 0.9), whole_number({}, "key", 3), whole_number({"key": "7"}, "key", 3)) == (0.9, 3, 7)
