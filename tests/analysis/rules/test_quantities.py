"""Numbers of a claim: their shape, their names, their units, and none typed in the statement."""

import pytest

from tests.analysis.rules.row_fixtures import Row, RuleTests, claim_toml, named, quantity_toml

ROWS: list[Row] = [
    {
        "code": "LEDG030",
        "at": "records/r1.toml:4:15",
        "says": "n has neither a value nor both ends of a range.",
        "mend": ('low = "2"', 'low = "2", high = "2"'),
        "text": claim_toml(quantity_toml(low="2")),
    },
    {
        "code": "LEDG030",
        "at": "records/r1.toml:4:15",
        "says": "n has a value and a range.",
        "mend": ('value = "2", ', ""),
        "text": claim_toml(quantity_toml(value="2", low="1", high="3")),
    },
    {
        "code": "LEDG030",
        "at": "records/r1.toml:4:15",
        "says": "n has its low end above its high end.",
        "mend": ('low = "10"', 'low = "1"'),
        "text": claim_toml(quantity_toml(low="10", high="3")),
    },
    {
        "code": "LEDG030",
        "at": "records/r1.toml:5:9",
        "says": "c: quantities.1.name: n is used twice.",
        "mend": ('\n{name = "n"', '\n{name = "o"'),
        "text": claim_toml(f"{quantity_toml(value='2')},\n{quantity_toml(value='3')}"),
    },
    {
        "code": "LEDG031",
        "at": "records/r1.toml:3:13",
        "says": "c: statement: {m} names no quantity.",
        "mend": ("{m}", "{n}"),
        "text": claim_toml(quantity_toml(value="2"), statement="A gain of {m}."),
    },
    {
        "code": "LEDG032",
        "at": "records/r1.toml:3:13",
        "says": 'c: statement: "2.8x" is typed.',
        "mend": ("2.8x", "`2.8x`"),
        "text": claim_toml(statement="A gain of 2.8x at 8 users in vLLM 0.6."),
    },
    {
        "code": "LEDG032",
        "at": "records/r1.toml:3:13",
        "says": 'c: statement: "40 %" is typed.',
        "mend": ("40 %", "{n}"),
        "text": claim_toml(quantity_toml(value="40", unit="%"), statement="A gain of 40 %."),
    },
    {
        "code": "LEDG033",
        "at": "records/r1.toml:3:13",
        "says": "c: statement: --draft-len is quoted without tool and version.",
        "mend": ('note = ""', 'flags = [{text = "--draft-len 4", tool = "demo", version = "0.6"}]'),
        "text": claim_toml(statement="Set --draft-len first.", note='""'),
    },
    {
        "code": "LEDG034",
        "at": "records/r2.toml:3:68",
        "says": "d: quantities.0.unit: speedup is a time here and a ratio elsewhere.",
        "mend": ('"ms"', '"x"'),
        "text": claim_toml(quantity_toml(value="1"), quantity_toml(value="2", name="m"))
        + '[[claim]]\nid = "d"\n'
        + 'quantities = [{name = "n", metric = "speedup", value = "3", unit = "ms"}]\n',
    },
]


@pytest.mark.parametrize("row", named(ROWS))
class TestRows(RuleTests):
    """Each row is told, its nearest legal ledger has no finding, and without its rule the fault goes unseen."""
