"""Line and column of a field, in TOML and in JSON, counted in characters from 1."""

import pytest

from ledger.errors import FieldPath
from ledger.store.files.positions import json_positions, toml_positions

TOML = """\
# a comment
title = "é" # two bytes
[[claim]]
id = "a"
quantities = [
  { name = "x", value = "1" },
  # in between
  { name = "y", value = "2" },
]
[[claim]]
id = "b"
[claim.conditions]
model = "m"
dotted.key = 1
"""
JSON = """\
{"run": [
  {"id": "r", "cells": [{"arm": "base"},
                        {"arm": "é", "load": "c1"}]}
]}
"""


@pytest.mark.parametrize(
    ("field", "place"),
    [
        (("title",), (2, 9)),
        (("claim", 0), (3, 1)),
        (("claim", 0, "id"), (4, 6)),
        (("claim", 0, "quantities", 1, "value"), (8, 25)),
        (("claim", 1, "conditions", "model"), (13, 9)),
        (("claim", 1, "conditions", "dotted", "key"), (14, 14)),
    ],
)
def test_a_toml_value_is_found(field: FieldPath, place: tuple[int, int]) -> None:
    assert toml_positions(TOML).find(field) == place


@pytest.mark.parametrize(
    ("field", "place"),
    [(("run", 0, "id"), (2, 10)), (("run", 0, "cells", 1, "arm"), (3, 33)), (("run", 0, "cells", 1, "load"), (3, 46))],
)
def test_a_json_value_is_found_and_columns_count_characters(field: FieldPath, place: tuple[int, int]) -> None:
    assert json_positions(JSON).find(field) == place


def test_a_key_has_a_place_of_its_own() -> None:
    assert toml_positions(TOML).find(("claim", 0, "id"), key=True) == (4, 1)
    assert json_positions(JSON).find(("run", 0, "id"), key=True) == (2, 4)


def test_a_field_that_is_not_there_stands_at_its_parents_key() -> None:
    assert toml_positions(TOML).find(("claim", 0, "quantities", 0, "unit")) == (6, 3)
    assert toml_positions(TOML).find(("nowhere",)) == (1, 1)


def test_an_empty_file_has_no_places() -> None:
    assert toml_positions("").find(("a",)) == (1, 1)
    assert json_positions("").find(("a",)) == (1, 1)
