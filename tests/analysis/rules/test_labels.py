"""Each label has the proof that it needs."""

import pytest

from tests.analysis.rules.row_fixtures import Row, RuleTests, named, quantity_toml

MEASURED = '[[claim]]\nid = "c"\nlabel = "measured"\n# without source locator\n'
SUPPLIERS = '[[run]]\nid = "run-2"\nexecutor = {relation = "supplier", organisation = "Demo"}\n'
OURS = (
    '[[source]]\nid = "s"\npublisher = "Demo"\nsupplier_of = ["demo"]\n'
    '[[run]]\nid = "run-2"\nexecutor = {relation = "own", organisation = "Demo"}\n'
)
PARTIAL = '[[run]]\nid = "run-2"\nstatus = "partial"\n'
PROPOSED = '[[claim]]\nid = "c"\nlabel = "proposed"\n'

ROWS: list[Row] = [
    {
        "code": "LEDG020",
        "at": "records/r1.toml:1:1",
        "says": "c: a vendor-claimed statement without source.",
        "mend": ("# without source", ""),
        "text": '[[claim]]\nid = "c"\n# without source\n',
    },
    {
        "code": "LEDG020",
        "at": "records/r1.toml:1:1",
        "says": "c: a vendor-claimed statement without locator.",
        "mend": ("# without locator", 'locator = "L2"'),
        "text": '[[claim]]\nid = "c"\n# without locator\n',
    },
    {
        "code": "LEDG020",
        "at": "records/r2.toml:4:9",
        "says": "c: label: vendor-claimed, but the source is our own.",
        "mend": ("own", "user-report"),
        "text": '[[source]]\nid = "s"\nrelation = "own"\n[[claim]]\nid = "c"\nsource = "s"\nlabel = "vendor-claimed"\n',
    },
    {
        "code": "LEDG020",
        "at": "records/r1.toml:3:10",
        "says": "c: values: values refer to runs",
        "base": "page plan run",
        "mend": ('values = {a = "run:run-1#base/c1/tpot.p50"}', ""),
        "text": '[[claim]]\nid = "c"\nvalues = {a = "run:run-1#base/c1/tpot.p50"}\n',
    },
    {
        "code": "LEDG020",
        "at": "records/r2.toml:1:1",
        "says": "c: nothing dates the statement.",
        "mend": ('id = "s"', 'id = "s"\ncaptures = [{retrieved_at = 2025-01-05}]'),
        "text": '[[source]]\nid = "s"\n[[claim]]\nid = "c"\nsource = "s"\n# without asserted_on\n',
    },
    {
        "code": "LEDG021",
        "at": "records/r1.toml:4:14",
        "says": "c: quantities: a proposed statement carries quantities.",
        "mend": (f"[{quantity_toml(value='2')}]", "[]"),
        "text": f"{PROPOSED}quantities = [{quantity_toml(value='2')}]\n",
    },
    {
        "code": "LEDG021",
        "at": "records/r1.toml:1:1",
        "says": "c: an own proposal without asserted_on.",
        "mend": (" asserted_on", ""),
        "text": f"{PROPOSED}# without source locator asserted_on\n",
    },
    {
        "code": "LEDG022",
        "at": "records/r1.toml:5:14",
        "says": "c: quantities: a measured statement types numbers.",
        "base": "page plan run",
        "mend": (quantity_toml(value="2"), ""),
        "text": f'{MEASURED}quantities = [{quantity_toml(value="2")}]\nvalues = {{a = "run:run-1#base/c1/tpot.p50"}}\n',
    },
    {
        "code": "LEDG022",
        "at": "records/r1.toml:1:1",
        "says": "c: a measured statement without values, so no run stands behind it.",
        "base": "page plan run",
        "mend": ('note = ""', 'values = {a = "run:run-1#base/c1/tpot.p50"}'),
        "text": f'{MEASURED}note = ""\n',
    },
    {
        "code": "LEDG022",
        "at": "records/r1.toml:3:10",
        "says": "c: source: a measured statement has a source outside.",
        "base": "page plan run",
        "mend": ('source = "page"', "# without source"),
        "text": '[[claim]]\nid = "c"\nsource = "page"\nlabel = "measured"\nvalues = {a = "run:run-1#base/c1/tpot.p50"}\n',
    },
    {
        "code": "LEDG022",
        "at": "records/r1.toml:1:1",
        "says": "c: a measured statement without asserted_on.",
        "base": "page plan run",
        "mend": ("# without asserted_on", ""),
        "text": f'{MEASURED}values = {{a = "run:run-1#base/c1/tpot.p50"}}\n# without asserted_on\n',
    },
    {
        "code": "LEDG023",
        "at": "records/r1.toml:5:15",
        "says": 'c: values.a: "run-9" is no run of this ledger.',
        "base": "page plan run",
        "mend": ("run-9", "run-1"),
        "text": f'{MEASURED}values = {{a = "run:run-9#base/c1/tpot.p50"}}\n',
    },
    {
        "code": "LEDG023",
        "at": "records/r1.toml:5:15",
        "says": 'c: values.a: "page" is no run of this ledger.',
        "base": "page plan run",
        "mend": ("page#n", "run:run-1#environment.hardware"),
        "text": f'{MEASURED}values = {{a = "page#n"}}\n',
    },
    {
        "code": "LEDG023",
        "at": "records/r2.toml:5:15",
        "says": "c: values.a: run-2 was executed by Demo: the operator is the maker of demo/ngram.",
        "base": "page plan run",
        "mend": ('"supplier"', '"own"'),
        "text": f'{SUPPLIERS}{MEASURED}values = {{a = "run:run-2#base/c1/tpot.p50"}}\n',
    },
    {
        "code": "LEDG023",
        "at": "records/r2.toml:5:15",
        "says": "c: values.a: run-2 is partial and can back nothing.",
        "base": "page plan run",
        "mend": ("partial", "complete"),
        "text": f'{PARTIAL}{MEASURED}values = {{a = "run:run-2#base/c1/tpot.p50"}}\n',
    },
    {
        "code": "LEDG023",
        "at": "records/r3.toml:5:15",
        "says": "c: values.a: run-2 was executed by Demo: the operator is the maker of demo/ngram.",
        "base": "page plan run",
        "mend": ('supplier_of = ["demo"]', 'supplier_of = ["other"]'),
        "text": f'{OURS}{MEASURED}values = {{a = "run:run-2#base/c1/tpot.p50"}}\n',
    },
    {
        "code": "LEDG022",
        "at": "records/r1.toml:5:12",
        "says": "c: relation: a measured statement with the relation of a supplier.",
        "base": "page plan run",
        "mend": ('"supplier"', '"own"'),
        "text": f'{MEASURED}relation = "supplier"\nvalues = {{a = "run:run-1#base/c1/tpot.p50"}}\n',
    },
    {
        "code": "LEDG021",
        "at": "records/r1.toml:4:12",
        "says": 'c: caveats.0: "9.9x" is a result',
        "mend": ("9.9x", "Less"),
        "text": f'{PROPOSED}caveats = ["9.9x in a dream."]\n',
    },
    {
        "code": "LEDG024",
        "at": "records/r1.toml:5:15",
        "says": "c: values.a: run-1 has no tpot.p95 there; it has tpot.p50.",
        "base": "page plan run",
        "mend": ("p95", "p50"),
        "text": f'{MEASURED}values = {{a = "run:run-1#base/c1/tpot.p95"}}\n',
    },
]


@pytest.mark.parametrize("row", named(ROWS))
class TestRows(RuleTests):
    """Each row is told, its nearest legal ledger has no finding, and without its rule the fault goes unseen."""
