"""What a single field holds: plain text of one line, and counts that can be."""

import pytest

from ledger.analysis.rules.fields import check_text, texts_of
from ledger.model.catalogue import Catalogue, Entry
from ledger.model.records.claim import Claim
from ledger.model.records.source import Source
from tests.analysis.rules.row_fixtures import Row, RuleTests, named
from tests.record_fixtures import make

ROWS: list[Row] = [
    {
        "code": "LEDG016",
        "at": "records/r1.toml:3:13",
        "says": "c: statement: the text holds the control character U+001B.",
        "mend": ("\\u001b", ""),
        "text": '[[claim]]\nid = "c"\nstatement = "Drafts \\u001b[31m come."\n',
    },
    {
        "code": "LEDG016",
        "at": "records/r1.toml:3:9",
        "says": "s: title: the text holds the control character U+202E.",
        "mend": ("\\u202e", ""),
        "text": '[[source]]\nid = "s"\ntitle = "A \\u202e page"\n',
    },
    {
        "code": "LEDG017",
        "at": "records/r1.toml:3:16",
        "says": "s: recheck_days: got -5, expected at least 1.",
        "mend": ("-5", "5"),
        "text": '[[source]]\nid = "s"\nrecheck_days = -5\n',
    },
    {
        "code": "LEDG017",
        "at": "records/r1.toml:3:83",
        "says": "c: quantities.0.samples: got 0, expected at least 1.",
        "mend": ("samples = 0", "samples = 1"),
        "text": '[[claim]]\nid = "c"\nquantities = [{name = "n", metric = "speedup", unit = "x", value = "2", samples = 0}]\n',
    },
]


@pytest.mark.parametrize("row", named(ROWS))
class TestRows(RuleTests):
    """Each row is told, its nearest legal ledger has no finding, and without its rule the fault goes unseen."""


def test_a_note_may_have_lines_and_a_title_may_not() -> None:
    noted = make(Source, "a", note="One line.\nAnother.")
    titled = make(Source, "b", title="One line.\nAnother.")
    assert [problem.record for problem in check_text(Catalogue([Entry(noted, "a"), Entry(titled, "b")]))] == ["b"]


def test_every_text_is_seen_however_deep_it_lies() -> None:
    quantity = {"name": "n", "metric": "speedup", "unit": "x", "value": "2", "conditions": {"model": "demo"}}
    texts = dict(texts_of(make(Claim, "c", quantities=[quantity], caveats=["First."])))
    assert texts["quantities", 0, "conditions", "model"] == "demo"
    assert texts["caveats", 0] == "First."
