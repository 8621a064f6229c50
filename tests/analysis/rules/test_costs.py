"""A price has an amount, an interval, a number of devices and a standing that fit; one offer has one price on a day."""

import pytest

from tests.analysis.rules.row_fixtures import Row, RuleTests, named

COST = '[[cost]]\nid = "c"\n'

ROWS: list[Row] = [
    {
        "code": "LEDG050",
        "at": "records/r1.toml:1:1",
        "says": "c: needs amount, or both low and high.",
        "mend": ("# without amount", 'amount = "unknown"'),
        "text": f"{COST}# without amount\n",
    },
    {
        "code": "LEDG050",
        "at": "records/r1.toml:1:1",
        "says": "c: needs amount, or both low and high.",
        "mend": ("# without amount\n", '# without amount\nhigh = "2"\n'),
        "text": f'{COST}# without amount\nlow = "1"\n',
    },
    {
        "code": "LEDG050",
        "at": "records/r1.toml:1:1",
        "says": "c: needs amount, or both low and high.",
        "mend": ('low = "1"\nhigh = "3"\n', ""),
        "text": f'{COST}amount = "2"\nlow = "1"\nhigh = "3"\n',
    },
    {
        "code": "LEDG050",
        "at": "records/r1.toml:4:7",
        "says": "c: low: low is above high.",
        "mend": ('low = "10"', 'low = "9"'),
        "text": f'{COST}# without amount\nlow = "10"\nhigh = "9"\n',
    },
    {
        "code": "LEDG051",
        "at": "records/r1.toml:3:12",
        "says": "c: standing: anomalous without a reason.",
        "mend": ('"anomalous"', '"anomalous", reason = "Ten times its neighbours."'),
        "text": f'{COST}standing = {{state = "anomalous"}}\n',
    },
    {
        "code": "LEDG052",
        "at": "records/r1.toml:4:16",
        "says": "c: effective_to: ends 2025-01, not after it begins (2025-01-31).",
        "mend": ("2025-01-31", "2025-01-30"),
        "text": f'{COST}effective_from = 2025-01-31\neffective_to = "2025-01"\n',
    },
    {
        "code": "LEDG053",
        "at": "records/r1.toml:4:21",
        "says": 'c: gpus_per_instance: gpu is "none" with 8 devices.',
        "mend": ("8", "0"),
        "text": f'{COST}gpu = "none"\ngpus_per_instance = 8\n',
    },
    {
        "code": "LEDG054",
        "at": "records/r1.toml:3:18",
        "says": "c: effective_from: d (records/r2.toml) holds in part of its time too.",
        "mend": ("2025-06-01", '2025-06-01\nregion = "us-east"'),
        "text": f'{COST}effective_from = 2025-02-01\n[[cost]]\nid = "d"\neffective_from = 2025-06-01\n',
    },
    {
        "code": "LEDG055",
        "at": "records/r1.toml:3:12",
        "says": "k: currency: XYZ is no currency of ISO 4217.",
        "mend": ("XYZ", "EUR"),
        "text": '[[cost]]\nid = "k"\ncurrency = "XYZ"\n',
    },
]


@pytest.mark.parametrize("row", named(ROWS))
class TestRows(RuleTests):
    """Each row is told, its nearest legal ledger has no finding, and without its rule the fault goes unseen."""
