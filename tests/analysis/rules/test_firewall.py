"""No money, no price and no pricing record in a technical claim."""

import pytest

from tests.analysis.rules.row_fixtures import Row, RuleTests, claim_toml, named, quantity_toml

ROWS: list[Row] = [
    {
        "code": "LEDG040",
        "at": "records/r1.toml:3:13",
        "says": 'c: statement: "2 EUR" is money in a technical claim.',
        "mend": ("2 EUR", "`2 EUR`"),
        "text": claim_toml(statement="It runs for 2 EUR an hour."),
    },
    {
        "code": "LEDG040",
        "at": "records/r1.toml:5:12",
        "says": 'c: caveats.0: "$3" is money in a technical claim.',
        "mend": ("$3", "3"),
        "text": claim_toml(caveats='["Paid $3 for it."]'),
    },
    {
        "code": "LEDG040",
        "at": "records/r1.toml:5:35",
        "says": 'c: quantities.0.conditions.load: "5 cents" is money',
        "mend": ("cents", "users"),
        "text": claim_toml(quantity_toml(value="2").replace("}", ',\n   conditions = {at = "1", load = "5 cents"}}')),
    },
    {
        "code": "LEDG040",
        "at": "records/r1.toml:4:55",
        "says": "c: quantities.0.unit: money in a technical claim.",
        "mend": ('side = "technical"', 'side = "pricing"'),
        "text": claim_toml(quantity_toml(value="2", unit="USD"), side='"technical"'),
    },
    {
        "code": "LEDG041",
        "at": "records/r1.toml:5:13",
        "says": "c: bears_on.0: p is on the pricing side.",
        "mend": ('"pricing"', '"technical"'),
        "text": claim_toml(bears_on='["p"]') + '[[claim]]\nid = "p"\nside = "pricing"\n',
    },
    {
        "code": "LEDG041",
        "at": "records/r1.toml:5:15",
        "says": "c: values.a: p is on the pricing side.",
        "mend": ('values = {a = "p#n"}\n', ""),
        "also": {"LEDG020"},
        "text": claim_toml(values='{a = "p#n"}') + '[[claim]]\nid = "p"\nside = "pricing"\n',
    },
    {
        "code": "LEDG042",
        "at": "records/r1.toml:3:13",
        "says": 'c: statement: "cheaper" speaks of prices in a technical claim.',
        "severity": "warning",
        "mend": ("cheaper", "lighter"),
        "text": claim_toml(statement="Drafting is cheaper than decoding; the cost of compute falls."),
    },
]


@pytest.mark.parametrize("row", named(ROWS))
class TestRows(RuleTests):
    """Each row is told, its nearest legal ledger has no finding, and without its rule the fault goes unseen."""
