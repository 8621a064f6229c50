"""Rows for ids, links, reviews and sources (LEDG010 to LEDG014, LEDG070 to LEDG081)."""

SUCCESSOR = 'supersedes = {id = "a", because = "change", reason = "It moved."}'
ZEROS, ONES = "0" * 64, "1" * 64
SUCCESSOR_OF_B = SUCCESSOR.replace('"a"', '"b"')

ROWS = [
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
        "code": "LEDG012",
        "at": "records/r1.toml:3:14",
        "says": "a: supersedes: the record supersedes itself in a circle.",
        "mend": (SUCCESSOR_OF_B, "note = 'first'"),
        "text": f'[[source]]\nid = "a"\n{SUCCESSOR_OF_B}\n[[source]]\nid = "b"\n{SUCCESSOR}\n',
    },
    {
        "code": "LEDG013",
        "at": "records/r3.toml:3:14",
        "says": "a is superseded by b (records/r2.toml), c (records/r3.toml).",
        "mend": (f'"c"\n{SUCCESSOR}', f'"c"\n{SUCCESSOR_OF_B}'),
        "text": f'[[source]]\nid = "a"\n[[source]]\nid = "b"\n{SUCCESSOR}\n[[source]]\nid = "c"\n{SUCCESSOR}\n',
    },
    {
        "code": "LEDG014",
        "at": "records/r2.toml:3:14",
        "says": "the change begins on 2024-12-31, before a does (2025-01-10).",
        "mend": ("2024-12-31", "2025-01-10"),
        "text": f'[[claim]]\nid = "a"\n[[claim]]\nid = "b"\n{SUCCESSOR}\nasserted_on = 2024-12-31\n',
    },
    {
        "code": "LEDG014",
        "at": "records/r2.toml:3:14",
        "says": "before a does",
        "mend": ('"change"', '"correction"'),
        "text": f'[[claim]]\nid = "a"\n[[claim]]\nid = "b"\n{SUCCESSOR}\nasserted_on = 2024-12-31\n',
    },
    {
        "code": "LEDG014",
        "at": "records/r3.toml:3:14",
        "says": "c: supersedes: the change begins on 2025-01-09, before a does (2025-01-10).",
        "mend": ("2025-01-09", "2025-01-10"),
        "text": f'[[claim]]\nid = "a"\n[[claim]]\nid = "b"\n{SUCCESSOR}\nasserted_on = 2025-01-11\n'
        f'[[claim]]\nid = "c"\n{SUCCESSOR_OF_B.replace("change", "correction")}\nasserted_on = 2025-01-09\n',
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
        "code": "LEDG070",
        "at": "records/r2.toml:3:12",
        "says": "r: reviewer: W. Riter wrote c.",
        "mend": ('reviewer = "W. Riter"', 'reviewer = "R. Eader"'),
        "text": '[[claim]]\nid = "c"\nauthor = "W. Riter"\n[[review]]\nid = "r"\nreviewer = "W. Riter"\ntarget = "c"\n'
        'target_meaning = "MEANING-OF-C"\n',
    },
    {
        "code": "LEDG071",
        "at": "records/r1.toml:3:18",
        "says": "r: target_meaning: page has changed since; the review has lapsed.",
        "severity": "warning",
        "mend": ('"m1:0000000000000000000000000000000000000000000000000000000000000000"', '"MEANING-OF-PAGE"'),
        "text": '[[review]]\nid = "r"\ntarget_meaning = "m1:0000000000000000000000000000000000000000000000000000000000000000"\n',
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
]
