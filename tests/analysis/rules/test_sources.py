"""One page is one source, read after it was published; what rests on a page that changed was checked again."""

import pytest

from ledger.analysis.rules.sources import page_key
from tests.analysis.rules.row_fixtures import Row, RuleTests, named

ZEROS, ONES = "0" * 64, "1" * 64

ROWS: list[Row] = [
    {
        "code": "LEDG080",
        "at": "records/r2.toml:3:7",
        "says": "t: url: the same page as s: https://demo.example/p?a=1.",
        "mend": ("utm_source=x&a=1", "utm_source=x&a=2"),
        "text": '[[source]]\nid = "s"\nurl = "https://demo.example/p?a=1"\n'
        '[[source]]\nid = "t"\nurl = "https://Demo.example:443/p?utm_source=x&a=1#top"\n',
    },
    {
        "code": "LEDG080",
        "at": "records/r2.toml:3:7",
        "says": "the same page as s",
        "mend": ("note", 'supersedes = {id = "s", because = "change", reason = "Moved."}\nnote'),
        "text": '[[source]]\nid = "s"\nurl = "https://demo.example"\n[[source]]\nid = "t"\nurl = "https://demo.example/"\nnote = "n"\n',
    },
    {
        "code": "LEDG081",
        "at": "records/r1.toml:5:31",
        "says": "s: captures.0.retrieved_at: read on 2025-02-28, published on 2025-03.",
        "mend": ("2025-02-28", "2025-03-01"),
        "text": '[[source]]\nid = "s"\npublished_on = "2025-03"\nvolatility = "fixed"\ncaptures = [{  retrieved_at = 2025-02-28 }]\n',
    },
    {
        "code": "LEDG081",
        "at": "records/r1.toml:5:30",
        "says": "read on 2025-02-28",
        "mend": ("event", "living"),
        "text": '[[source]]\nid = "s"\npublished_on = 2025-03-01\nvolatility = "event"\ncaptures = [{ retrieved_at = 2025-02-28 }]\n',
    },
    {
        "code": "LEDG082",
        "at": "records/r2.toml:3:10",
        "says": "c: source: rests on s, whose content of 2025-01-05 differed on 2025-02-05.",
        "severity": "warning",
        "mend": (ONES, ZEROS),
        "text": '[[source]]\nid = "s"\ncaptures = [\n'
        f'{{ retrieved_at = 2025-01-05, sha256 = "{ZEROS}" }},\n{{ retrieved_at = 2025-02-05, sha256 = "{ONES}" }},\n]\n'
        '[[claim]]\nid = "c"\nsource = "s"\n',
    },
    {
        "code": "LEDG084",
        "at": "records/r1.toml:3:7",
        "says": 's: url: "javascript:alert(1)" is no address of a page.',
        "mend": ("javascript:alert(1)", "https://example.org/"),
        "text": '[[source]]\nid = "s"\nurl = "javascript:alert(1)"\n',
    },
    {
        "code": "LEDG084",
        "at": "records/r1.toml:3:7",
        "says": 's: url: "see the blog" is no address of a page.',
        "mend": ("see the blog", "http://example.org:8080/a?b=c"),
        "text": '[[source]]\nid = "s"\nurl = "see the blog"\n',
    },
]


@pytest.mark.parametrize("row", named(ROWS))
class TestRows(RuleTests):
    """Each row is told, its nearest legal ledger has no finding, and without its rule the fault goes unseen."""


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("HTTPS://Shop.Example:443/p?sku=l4&plan=2*3&utm_source=x&GCLID=1#top", "https://shop.example/p?sku=l4&plan=2*3"),
        ("https://shop.example/p?sku=b1&ref=2", "https://shop.example/p?sku=b1&ref=2"),
        ("https://shop.example/p?gclidy=2", "https://shop.example/p?gclidy=2"),
        ("https://shop.example", "https://shop.example/"),
    ],
)
def test_the_key_of_a_page(address: str, key: str) -> None:
    assert page_key(address) == key
