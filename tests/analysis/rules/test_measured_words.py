"""A measured sentence: figures and directions come by reference alone."""

import pytest

from ledger.analysis.rules.measured_words import typed_figures
from tests.analysis.rules.row_fixtures import Row, RowLedger, RuleTests, named

MEASURED = '[[claim]]\nid = "c"\nlabel = "measured"\n# without source locator\nvalues = {a = "run:run-1#base/c1/tpot.p50"}\n'

ROWS: list[Row] = [
    {
        "code": "LEDG026",
        "at": "records/r1.toml:6:13",
        "also": {"LEDG032"},
        "says": 'c: statement: "2.8x" is typed in a measured sentence.',
        "base": "page plan run",
        "mend": ("2.8x", "{a}"),
        "text": f'{MEASURED}statement = "It came to 2.8x."\n',
    },
    {
        "code": "LEDG026",
        "at": "records/r1.toml:6:12",
        "says": 'c: caveats.0: "doubled" is typed in a measured sentence.',
        "base": "page plan run",
        "mend": ("It doubled.", "On a laptop."),
        "text": f'{MEASURED}caveats = ["It doubled."]\n',
    },
]


@pytest.mark.parametrize("row", named(ROWS))
class TestRows(RuleTests):
    """Each row is told, its nearest legal ledger has no finding, and without its rule the fault goes unseen."""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("On {hardware} it was {before} and {after} with n-gram speculation, a ratio of {ratio}.", []),
        ("On an H100 with Qwen2.5-7B at {load} the p95 was {a}.", []),
        ("We saw a 2.8X speed-up, 1.4-2.8x over prompts.", ["2.8X", "1.4-2.8x", "speed-up"]),
        ("4,870 tokens/second at 10 QPS", ["4", "870", "10"]),
        ("It doubled throughput and was twice as fast.", ["doubled", "twice"]),
        ("Two thirds of {a}, ½ of {b}, ２ of {c}.", ["½", "２", "Two", "thirds"]),
        ("It was faster.", ["faster"]),
    ],
)
def test_which_words_are_figures(text: str, words: list[str]) -> None:
    assert sorted(typed_figures(text)) == sorted(words)


def test_what_the_plan_says_may_be_repeated(row_ledger: RowLedger) -> None:
    text = f'{MEASURED}statement = "With n-gram speculation of 4 tokens it took {{a}}."\n'
    assert row_ledger.findings({"text": text, "base": "page plan run"}) == []
    elsewhere = text.replace("4 tokens", "5 tokens")
    assert [problem.code for problem in row_ledger.findings({"text": elsewhere, "base": "page plan run"})] == ["LEDG026"]
