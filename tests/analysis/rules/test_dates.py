"""Dates that cannot all be right, and dates that have not come yet; the test's day is 2025-06-01."""

import pytest

from tests.analysis.rules.row_fixtures import Row, RuleTests, named

FIXED = '[[source]]\nid = "s"\npublished_on = 2025-03-01\nvolatility = "fixed"\n'

ROWS: list[Row] = [
    {
        "code": "LEDG018",
        "at": "records/r2.toml:4:15",
        "says": "c: asserted_on: it was said on 2025-02-28, before its source appeared (2025-03-01).",
        "mend": ("2025-02-28", "2025-03-01"),
        "text": f'{FIXED}[[claim]]\nid = "c"\nsource = "s"\nasserted_on = 2025-02-28\n',
    },
    {
        "code": "LEDG018",
        "at": "records/r1.toml:4:15",
        "says": "c: ended.on: it ended on 2025-01-31, before it was said (2025-02-01).",
        "mend": ("2025-01-31", "2025-02-01"),
        "text": '[[claim]]\nid = "c"\nasserted_on = 2025-02-01\nended = {on = 2025-01-31, because = "Removed."}\n',
    },
    {
        "code": "LEDG018",
        "at": "records/r1.toml:4:16",
        "says": "k: effective_to: its last day was on 2025-01-31, before it was seen (2025-02-01).",
        "mend": ("observed_on = 2025-02-01", "observed_on = 2025-01-31"),
        "text": '[[cost]]\nid = "k"\nobserved_on = 2025-02-01\neffective_to = 2025-02-01\n',
    },
    {
        "code": "LEDG019",
        "at": "records/r1.toml:3:15",
        "says": "c: asserted_on: 2025-06-02 is in the future.",
        "mend": ("2025-06-02", "2025-06-01"),
        "text": '[[claim]]\nid = "c"\nasserted_on = 2025-06-02\n',
    },
    {
        "code": "LEDG019",
        "at": "records/r1.toml:3:29",
        "says": "s: captures.0.retrieved_at: 2030-01-01 is in the future.",
        "mend": ("2030-01-01", "2025-01-01"),
        "text": '[[source]]\nid = "s"\ncaptures = [{retrieved_at = 2030-01-01}]\n',
    },
]


@pytest.mark.parametrize("row", named(ROWS))
class TestRows(RuleTests):
    """Each row is told, its nearest legal ledger has no finding, and without its rule the fault goes unseen."""
