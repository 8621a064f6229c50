"""Rows from their fields by name."""

import json
from dataclasses import asdict

import pytest

from ledger.bench.journal.rows import as_tuple, row_from
from ledger.model.trace import RequestTrace
from tests.bench.conftest import trace_of


def test_a_row_comes_back_from_json_with_its_lists_as_tuples_and_other_names_left_out() -> None:
    trace = trace_of(steps_drafted=(4, 0), steps_accepted=(2, 0))
    line = json.loads(json.dumps({"kind": "request", "t": 1.5, **asdict(trace)}))
    assert row_from(RequestTrace, line) == trace


def test_a_row_without_a_field_is_refused_by_its_name() -> None:
    with pytest.raises(KeyError, match="arm"):
        row_from(RequestTrace, {})


def test_only_lists_become_tuples() -> None:
    assert (as_tuple([1, [2]]), as_tuple("ab"), as_tuple(None)) == ((1, [2]), "ab", None)
