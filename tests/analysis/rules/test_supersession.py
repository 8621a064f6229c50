"""Supersession runs in no circle, forks nowhere, and a change begins no earlier than what it closes."""

import pytest

from tests.analysis.rules.row_fixtures import Row, RuleTests, named

SUCCESSOR = 'supersedes = {id = "a", because = "change", reason = "It moved."}'
SUCCESSOR_OF_B = SUCCESSOR.replace('"a"', '"b"')

ROWS: list[Row] = [
    {
        "code": "LEDG012",
        "at": "records/r1.toml:3:14",
        "says": "a: supersedes: the record supersedes itself in a circle.",
        "mend": (SUCCESSOR_OF_B, "note = 'first'"),
        "text": f'[[source]]\nid = "a"\n{SUCCESSOR_OF_B}\n[[source]]\nid = "b"\n{SUCCESSOR}\n',
    },
    {
        "code": "LEDG013",
        "at": "records/r3.toml:3:14",
        "says": "a is superseded by b (records/r2.toml), c (records/r3.toml).",
        "mend": (f'"c"\n{SUCCESSOR}', f'"c"\n{SUCCESSOR_OF_B}'),
        "text": f'[[source]]\nid = "a"\n[[source]]\nid = "b"\n{SUCCESSOR}\n[[source]]\nid = "c"\n{SUCCESSOR}\n',
    },
    {
        "code": "LEDG014",
        "at": "records/r2.toml:3:14",
        "says": "the change begins on 2024-12-31, before a does (2025-01-10).",
        "mend": ("2024-12-31", "2025-01-10"),
        "text": f'[[claim]]\nid = "a"\n[[claim]]\nid = "b"\n{SUCCESSOR}\nasserted_on = 2024-12-31\n',
    },
    {
        "code": "LEDG014",
        "at": "records/r2.toml:3:14",
        "says": "before a does",
        "mend": ('"change"', '"correction"'),
        "text": f'[[claim]]\nid = "a"\n[[claim]]\nid = "b"\n{SUCCESSOR}\nasserted_on = 2024-12-31\n',
    },
    {
        "code": "LEDG014",
        "at": "records/r3.toml:3:14",
        "says": "c: supersedes: the change begins on 2025-01-09, before a does (2025-01-10).",
        "mend": ("2025-01-09", "2025-01-10"),
        "text": f'[[claim]]\nid = "a"\n[[claim]]\nid = "b"\n{SUCCESSOR}\nasserted_on = 2025-01-11\n'
        f'[[claim]]\nid = "c"\n{SUCCESSOR_OF_B.replace("change", "correction")}\nasserted_on = 2025-01-09\n',
    },
]


@pytest.mark.parametrize("row", named(ROWS))
class TestRows(RuleTests):
    """Each row is told, its nearest legal ledger has no finding, and without its rule the fault goes unseen."""
