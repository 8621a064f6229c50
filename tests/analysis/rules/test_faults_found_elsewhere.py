"""Faults that are found beside the rules' functions: by the reader of files, in attached files, and in waivers."""

from hashlib import sha256

import pytest

from tests.analysis.rules.row_fixtures import Row, RowTests, named

PROMPTS = '{"prompt": "a\u2028"}\n{"prompt": "b"}\n'.encode()
PROMPTS_HASH = sha256(PROMPTS).hexdigest()
PAGE = b"It is up to 2x faster."
PAGE_HASH = sha256(PAGE).hexdigest()
REST = b'id = "s"\npublisher = "P"\ntype = "blog"\nrelation = "own"\nlicence = "L"\n'
DRAFT = b"""+++
title = "A draft"
side = "technical"
type = "technical"
authors = ["R. Eader"]
as_of = 2025-05-01
summary = "One sentence."
+++
Text.
"""

ROWS: list[Row] = [
    {
        "code": "LEDG001",
        "at": "records/r1.toml:2:8",
        "says": 'expected `"`',
        "mend": ('"c\n', '"c"\n'),
        "text": '[[claim]]\nid = "c\n',
    },
    {
        "code": "LEDG001",
        "at": "records/r1.toml:3:15",
        "says": "expected day between 01 and 28",
        "mend": ("02-29", "02-28"),
        "text": '[[claim]]\nid = "c"\nasserted_on = 2025-02-29\n',
    },
    {
        "code": "LEDG001",
        "at": "records/x.json:1:13",
        "says": "Expecting value",
        "mend": (b"[,", b"["),
        "files": {"records/x.json": b'{"source": [,]}'},
    },
    {
        "code": "LEDG001",
        "at": "records/x.json:1:1",
        "says": 'the key "source" stands twice',
        "mend": (b'"source": [], ', b""),
        "files": {"records/x.json": b'{"source": [], "source": []}'},
    },
    {
        "code": "LEDG002",
        "at": "records/r1.toml:3:1",
        "says": "unresolved merge conflict, lines 3 to 7",
        "mend": ('<<<<<<< HEAD\nnote = "a"\n=======\nnote = "b"\n>>>>>>> other', 'note = "a"'),
        "text": '[[claim]]\nid = "c"\n<<<<<<< HEAD\nnote = "a"\n=======\nnote = "b"\n>>>>>>> other\n',
    },
    {
        "code": "LEDG003",
        "at": "records/r1.toml:3:9",
        "says": 'c: label: got "guessed", expected "vendor-claimed", "proposed" or "measured".',
        "mend": ("guessed", "vendor-claimed"),
        "text": '[[claim]]\nid = "c"\nlabel = "guessed"\n',
    },
    {
        "code": "LEDG003",
        "at": "records/r1.toml:1:1",
        "says": "c: subject: missing.",
        "mend": ("# without subject", ""),
        "text": '[[claim]]\nid = "c"\n# without subject\n',
    },
    {
        "code": "LEDG003",
        "at": "records/r1.toml:3:10",
        "says": 'amount: got 2.5 without quotes, expected an exact decimal in quotes, such as "2.8"',
        "mend": ("2.5", '"2.5"'),
        "text": '[[cost]]\nid = "c"\namount = 2.5\n',
    },
    {
        "code": "LEDG003",
        "at": "records/r1.toml:3:10",
        "says": 'amount: got "-2.10", expected a decimal above 0',
        "mend": ("-2.10", "2.10"),
        "text": '[[cost]]\nid = "c"\namount = "-2.10"\n',
    },
    {
        "code": "LEDG004",
        "at": "records/r1.toml:3:1",
        "says": "c: lable: unknown key.",
        "mend": ("lable", "label"),
        "text": '[[claim]]\nid = "c"\nlable = "vendor-claimed"\n',
    },
    {
        "code": "LEDG005",
        "at": "records/x.toml:2:19",
        "says": "not UTF-8: byte 0xE9 at offset 29",
        "mend": (b"\xe9", b"e"),
        "files": {"records/x.toml": b'[[source]]\ntitle = "Une hauss\xe9 "\n' + REST},
    },
    {
        "code": "LEDG006",
        "at": "records/r1.toml:1:1",
        "says": "claims: no such kind of record",
        "mend": ('[[claims]]\nid = "c"', '[[claim]]\nid = "c"'),
        "text": '[[claims]]\nid = "c"\n',
    },
    {
        "code": "LEDG006",
        "at": "records/x.json:1:1",
        "says": "expected an object of record kinds",
        "mend": (b"[]", b"{}"),
        "files": {"records/x.json": b"[]"},
    },
    {
        "code": "LEDG007",
        "at": "records/articles/d.md:1:1",
        "says": "no front matter",
        "mend": (b"\n++\n", b"\n+++\n"),
        "files": {"records/articles/d.md": DRAFT.replace(b"\n+++\n", b"\n++\n")},
    },
    {
        "code": "LEDG008",
        "at": "records/r1.toml:1:1",
        "says": "schema 2 is newer than this program's 1; the record is kept and not read.",
        "mend": ("schema = 2\nwarp = true", "schema = 1"),
        "severity": "warning",
        "text": '[[source]]\nid = "s"\nschema = 2\nwarp = true\n',
    },
    {
        "code": "LEDG009",
        "at": "records/r1.toml:3:10",
        "says": "records/prompts.jsonl is not there",
        "mend": {"records/prompts.jsonl": PROMPTS},
        "text": f'[[workload]]\nid = "w"\nsha256 = "{PROMPTS_HASH}"\n',
    },
    {
        "code": "LEDG009",
        "at": "records/r1.toml:3:10",
        "says": "records/prompts.jsonl has the hash",
        "mend": (b"A", b"a"),
        "text": f'[[workload]]\nid = "w"\nsha256 = "{PROMPTS_HASH}"\n',
        "files": {"records/prompts.jsonl": PROMPTS.replace(b"a", b"A")},
    },
    {
        "code": "LEDG009",
        "at": "records/r1.toml:4:9",
        "says": "records/prompts.jsonl holds 2 lines, the record says 3",
        "mend": ("count = 3", "count = 2"),
        "text": f'[[workload]]\nid = "w"\nsha256 = "{PROMPTS_HASH}"\ncount = 3\n',
        "files": {"records/prompts.jsonl": PROMPTS},
    },
    {
        "code": "LEDG083",
        "at": "records/r2.toml:3:9",
        "says": "c: quote: the quotation does not stand in the archived text of s.",
        "severity": "warning",
        "mend": ("up to 3x", "up to 2x"),
        "text": '[[source]]\nid = "s"\n'
        f'captures = [{{retrieved_at = 2025-01-05, sha256 = "{PAGE_HASH}", archived = "page.txt", media_type = "text/plain"}}]\n'
        '[[claim]]\nid = "c"\nquote = "up to 3x"\nsource = "s"\n',
        "files": {"records/evidence/page.txt": PAGE},
    },
    {
        "code": "LEDG009",
        "at": "records/r1.toml:3:129",
        "says": "s: captures.0.archived: page.txt is not in the evidence folder.",
        "mend": {"records/evidence/page.txt": PAGE},
        "text": f'[[source]]\nid = "s"\ncaptures = [{{retrieved_at = 2025-01-05, sha256 = "{PAGE_HASH}", archived = "page.txt"}}]\n',
    },
    {
        "code": "LEDG072",
        "at": "records/r1.toml:3:8",
        "says": "w: rule: there is no rule LEDG999.",
        "mend": ("LEDG999", "LEDG042"),
        "text": '[[waiver]]\nid = "w"\nrule = "LEDG999"\n',
    },
    {
        "code": "LEDG072",
        "at": "records/r1.toml:3:8",
        "says": "w: rule: LEDG001 cannot be waived.",
        "mend": ("LEDG001", "LEDG042"),
        "text": '[[waiver]]\nid = "w"\nrule = "LEDG001"\n',
    },
    {
        "code": "LEDG073",
        "at": "records/r1.toml:3:9",
        "says": "w: until: the waiver of LEDG042 for page ran out on 2025-06-01.",
        "severity": "warning",
        "mend": ("2025-06-01", "2025-06-02"),
        "text": '[[waiver]]\nid = "w"\nuntil = 2025-06-01\n',
    },
    {
        "code": "LEDG074",
        "at": "records/r1.toml:3:9",
        "says": "w: until: the waiver of LEDG042 for page ends on 2199-01-01, more than a year from now, and silences nothing.",
        "mend": ("2199-01-01", "2026-06-02"),
        "text": '[[waiver]]\nid = "w"\nuntil = 2199-01-01\n',
    },
]


@pytest.mark.parametrize("row", named(ROWS))
class TestRows(RowTests):
    """Each row is told, and its nearest legal ledger has no finding."""
