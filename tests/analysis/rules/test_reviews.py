"""A reviewer is not the author, and a review is of the record as it stands."""

import pytest

from tests.analysis.rules.row_fixtures import Row, RuleTests, named

ROWS: list[Row] = [
    {
        "code": "LEDG070",
        "at": "records/r2.toml:3:12",
        "says": "r: reviewer: W. Riter wrote c.",
        "mend": ('reviewer = "W. Riter"', 'reviewer = "R. Eader"'),
        "text": '[[claim]]\nid = "c"\nauthor = "W. Riter"\n[[review]]\nid = "r"\nreviewer = "W. Riter"\ntarget = "c"\n'
        'target_meaning = "MEANING-OF-C"\n',
    },
    {
        "code": "LEDG071",
        "at": "records/r1.toml:3:18",
        "says": "r: target_meaning: page has changed since; the review has lapsed.",
        "severity": "warning",
        "mend": ('"m1:0000000000000000000000000000000000000000000000000000000000000000"', '"MEANING-OF-PAGE"'),
        "text": '[[review]]\nid = "r"\ntarget_meaning = "m1:0000000000000000000000000000000000000000000000000000000000000000"\n',
    },
]


@pytest.mark.parametrize("row", named(ROWS))
class TestRows(RuleTests):
    """Each row is told, its nearest legal ledger has no finding, and without its rule the fault goes unseen."""
