"""Ids are used once and name what they should; nothing rests on what was taken back."""

import pytest

from tests.analysis.rules.row_fixtures import Row, RuleTests, named

ROWS: list[Row] = [
    {
        "code": "LEDG010",
        "at": "records/r2.toml:1:1",
        "says": "c: the id is used by records/r1.toml and records/r2.toml; none of them answers a query.",
        "mend": ('[[cost]]\nid = "c"', '[[cost]]\nid = "d"'),
        "text": '[[claim]]\nid = "c"\n[[cost]]\nid = "c"\n',
    },
    {
        "code": "LEDG010",
        "at": "records/r1.toml:1:1",
        "says": "c: the id is used by records/r1.toml and records/r2.toml",
        "mend": ('"c"\nlabel = "guess"', '"d"\nlabel = "vendor-claimed"'),
        "also": {"LEDG003"},
        "text": '[[claim]]\nid = "c"\n[[claim]]\nid = "c"\nlabel = "guess"\n',
    },
    {
        "code": "LEDG011",
        "at": "records/r1.toml:3:10",
        "says": 'c: source: no record has the id "pages".',
        "mend": ("pages", "page"),
        "text": '[[claim]]\nid = "c"\nsource = "pages"\n',
    },
    {
        "code": "LEDG011",
        "at": "records/r1.toml:3:38",
        "says": 'c: also.0.source: no record has the id "blog".',
        "mend": ("blog", "page"),
        "text": '[[claim]]\nid = "c"\nalso = [{locator = "L2", source =    "blog"}]\n',
    },
    {
        "code": "LEDG011",
        "at": "records/r1.toml:3:14",
        "says": '"page" is a source, expected a claim.',
        "mend": ('bears_on = [ "page" ]', ""),
        "text": '[[claim]]\nid = "c"\nbears_on = [ "page" ]\n',
    },
    {
        "code": "LEDG011",
        "at": "records/r1.toml:4:3",
        "says": "c: conflicts_with.0: the record names itself.",
        "mend": ('"c",\n]', "]"),
        "text": '[[claim]]\nid = "c"\nconflicts_with = [\n  "c",\n]\n',
    },
    {
        "code": "LEDG025",
        "at": "records/r3.toml:1:1",
        "says": "c: rests on s, retracted by back.",
        "severity": "warning",
        "mend": ('target = "s"', 'target = "page"'),
        "text": '[[source]]\nid = "s"\n[[retraction]]\nid = "back"\ntarget = "s"\n[[claim]]\nid = "c"\nsource = "s"\n',
    },
    {
        "code": "LEDG015",
        "at": "records/r2.toml:3:10",
        "says": "t: target: c was taken back by r already.",
        "mend": ('target = "c" # again', 'target = "r"'),
        "text": '[[retraction]]\nid = "r"\ntarget = "c"\n[[retraction]]\nid = "t"\ntarget = "c" # again\n[[claim]]\nid = "c"\n',
    },
    {
        "code": "LEDG015",
        "at": "records/r1.toml:3:10",
        "says": "r: target: the retraction takes itself back in a circle.",
        "mend": ('target = "t"', 'target = "c"'),
        "text": '[[retraction]]\nid = "r"\ntarget = "t"\n[[retraction]]\nid = "t"\ntarget = "r"\n[[claim]]\nid = "c"\n',
    },
]


@pytest.mark.parametrize("row", named(ROWS))
class TestRows(RuleTests):
    """Each row is told, its nearest legal ledger has no finding, and without its rule the fault goes unseen."""
