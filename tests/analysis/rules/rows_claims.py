"""Rows for labels, quantities and the price firewall (LEDG020 to LEDG042)."""

MEASURED = '[[claim]]\nid = "c"\nlabel = "measured"\n# without source locator\n'
SUPPLIERS = '[[run]]\nid = "run-2"\nexecutor = {relation = "supplier", organisation = "Demo"}\n'
PARTIAL = '[[run]]\nid = "run-2"\nstatus = "partial"\n'
PROPOSED = '[[claim]]\nid = "c"\nlabel = "proposed"\n'


def quantity(**fields: str) -> str:
    """Return one quantity, named `n`, of the metric `speedup`."""
    pairs = {"name": "n", "metric": "speedup", "unit": "x", **fields}
    return "{" + ", ".join(f'{name} = "{value}"' for name, value in pairs.items()) + "}"


def claim(*quantities: str, statement: str = "Drafts come from the prompt.", **fields: str) -> str:
    """Return a vendor claim with quantities on its fourth line."""
    extra = "".join(f"{name} = {value}\n" for name, value in fields.items())
    return f'[[claim]]\nid = "c"\nstatement = "{statement}"\nquantities = [{", ".join(quantities)}]\n{extra}'


ROWS = [
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
        "mend": (f"[{quantity(value='2')}]", "[]"),
        "text": f"{PROPOSED}quantities = [{quantity(value='2')}]\n",
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
        "mend": (quantity(value="2"), ""),
        "text": f'{MEASURED}quantities = [{quantity(value="2")}]\nvalues = {{a = "run:run-1#base/c1/tpot.p50"}}\n',
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
        "says": "c: values.a: run-2 was executed by a supplier.",
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
        "code": "LEDG024",
        "at": "records/r1.toml:5:15",
        "says": "c: values.a: run-1 has no tpot.p95 there; it has tpot.p50.",
        "base": "page plan run",
        "mend": ("p95", "p50"),
        "text": f'{MEASURED}values = {{a = "run:run-1#base/c1/tpot.p95"}}\n',
    },
    {
        "code": "LEDG030",
        "at": "records/r1.toml:4:15",
        "says": "n has neither a value nor both ends of a range.",
        "mend": ('low = "2"', 'low = "2", high = "2"'),
        "text": claim(quantity(low="2")),
    },
    {
        "code": "LEDG030",
        "at": "records/r1.toml:4:15",
        "says": "n has a value and a range.",
        "mend": ('value = "2", ', ""),
        "text": claim(quantity(value="2", low="1", high="3")),
    },
    {
        "code": "LEDG030",
        "at": "records/r1.toml:4:15",
        "says": "n has its low end above its high end.",
        "mend": ('low = "10"', 'low = "1"'),
        "text": claim(quantity(low="10", high="3")),
    },
    {
        "code": "LEDG030",
        "at": "records/r1.toml:5:9",
        "says": "c: quantities.1.name: n is used twice.",
        "mend": ('\n{name = "n"', '\n{name = "o"'),
        "text": claim(f"{quantity(value='2')},\n{quantity(value='3')}"),
    },
    {
        "code": "LEDG031",
        "at": "records/r1.toml:3:13",
        "says": "c: statement: {m} names no quantity.",
        "mend": ("{m}", "{n}"),
        "text": claim(quantity(value="2"), statement="A gain of {m}."),
    },
    {
        "code": "LEDG032",
        "at": "records/r1.toml:3:13",
        "says": 'c: statement: "2.8x" is typed.',
        "mend": ("2.8x", "`2.8x`"),
        "text": claim(statement="A gain of 2.8x at 8 users in vLLM 0.6."),
    },
    {
        "code": "LEDG032",
        "at": "records/r1.toml:3:13",
        "says": 'c: statement: "40 %" is typed.',
        "mend": ("40 %", "{n}"),
        "text": claim(quantity(value="40", unit="%"), statement="A gain of 40 %."),
    },
    {
        "code": "LEDG033",
        "at": "records/r1.toml:3:13",
        "says": "c: statement: --draft-len is quoted without tool and version.",
        "mend": ('note = ""', 'flags = [{text = "--draft-len 4", tool = "demo", version = "0.6"}]'),
        "text": claim(statement="Set --draft-len first.", note='""'),
    },
    {
        "code": "LEDG034",
        "at": "records/r2.toml:3:68",
        "says": "d: quantities.0.unit: speedup is a time here and a ratio elsewhere.",
        "mend": ('"ms"', '"x"'),
        "text": claim(quantity(value="1"), quantity(value="2", name="m"))
        + '[[claim]]\nid = "d"\n'
        + 'quantities = [{name = "n", metric = "speedup", value = "3", unit = "ms"}]\n',
    },
    {
        "code": "LEDG040",
        "at": "records/r1.toml:3:13",
        "says": 'c: statement: "2 EUR" is money in a technical claim.',
        "mend": ("2 EUR", "`2 EUR`"),
        "text": claim(statement="It runs for 2 EUR an hour."),
    },
    {
        "code": "LEDG040",
        "at": "records/r1.toml:5:12",
        "says": 'c: caveats.0: "$3" is money in a technical claim.',
        "mend": ("$3", "3"),
        "text": claim(caveats='["Paid $3 for it."]'),
    },
    {
        "code": "LEDG040",
        "at": "records/r1.toml:5:35",
        "says": 'c: quantities.0.conditions.load: "5 cents" is money',
        "mend": ("cents", "users"),
        "text": claim(quantity(value="2").replace("}", ',\n   conditions = {at = "1", load = "5 cents"}}')),
    },
    {
        "code": "LEDG040",
        "at": "records/r1.toml:4:55",
        "says": "c: quantities.0.unit: money in a technical claim.",
        "mend": ('side = "technical"', 'side = "pricing"'),
        "text": claim(quantity(value="2", unit="USD"), side='"technical"'),
    },
    {
        "code": "LEDG041",
        "at": "records/r1.toml:5:13",
        "says": "c: bears_on.0: p is on the pricing side.",
        "mend": ('"pricing"', '"technical"'),
        "text": claim(bears_on='["p"]') + '[[claim]]\nid = "p"\nside = "pricing"\n',
    },
    {
        "code": "LEDG042",
        "at": "records/r1.toml:3:13",
        "says": 'c: statement: "cheaper" speaks of prices in a technical claim.',
        "severity": "warning",
        "mend": ("cheaper", "lighter"),
        "text": claim(statement="Drafting is cheaper than decoding; the cost of compute falls."),
    },
]
