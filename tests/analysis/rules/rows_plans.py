"""Rows for costs, protocols and runs (LEDG050 to LEDG061)."""

COST = '[[cost]]\nid = "c"\n'
PLAN = '[[protocol]]\nid = "p"\n'
RUN = '[[run]]\nid = "r"\n'


def rule(metric: str) -> str:
    """Return a plan whose only rule is about a metric."""
    fields = f'id = "q", question = "Q?", bound = "at-most", value = "1", direction = "lower-is-better", metric = "{metric}"'
    return f"{PLAN}rules = [\n{{{fields}}}]\n"


def cells(*places: str) -> str:
    """Return the cells of a run, written `arm/load`."""
    tables = (
        f'{{arm = "{arm}", load = "{load}", requests = {{sent = 2}}, metrics = {{}}}}' for arm, load in (p.split("/") for p in places)
    )
    return f"cells = [{', '.join(tables)}]\n"


ROWS = [
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
        "code": "LEDG060",
        "at": "records/r1.toml:3:8",
        "says": 'p: arms: "base" is used twice.',
        "base": "page plan",
        "mend": ('{id = "base"}]', '{id = "again", repeats_of = "base"}]'),
        "text": f'{PLAN}arms = [{{id = "base"}}, {{id = "base"}}]\n',
    },
    {
        "code": "LEDG060",
        "at": "records/r1.toml:3:29",
        "says": "p: arms.0.method: the first arm is the baseline and runs without speculation.",
        "base": "page plan",
        "mend": (', method = "ngram", num_speculative_tokens = 2}, {id = "b"}', '}, {id = "b"}'),
        "text": f'{PLAN}arms = [{{id = "a", method = "ngram", num_speculative_tokens = 2}}, {{id = "b"}}]\n',
    },
    {
        "code": "LEDG060",
        "at": "records/r1.toml:3:21",
        "says": "p: arms.1: ngram speculates without num_speculative_tokens.",
        "base": "page plan",
        "mend": ('method = "ngram"', 'method = "ngram", num_speculative_tokens = 2'),
        "text": f'{PLAN}arms = [{{id = "a"}}, {{id = "ngram", method = "ngram"}}]\n',
    },
    {
        "code": "LEDG060",
        "at": "records/r1.toml:3:20",
        "says": "p: arms.1: d has no draft model.",
        "base": "page plan",
        "mend": ("tokens = 2", 'tokens = 2, draft = "self"'),
        "text": f'{PLAN}arms = [{{id = "a"}},{{id = "d", method = "draft_model", num_speculative_tokens = 2}}]\n',
    },
    {
        "code": "LEDG060",
        "at": "records/r1.toml:3:21",
        "says": 'p: arms.1: b repeats "c", which is no arm.',
        "base": "page plan",
        "mend": ('"c"', '"a"'),
        "text": f'{PLAN}arms = [{{id = "a"}}, {{id = "b", repeats_of = "c"}}]\n',
    },
    {
        "code": "LEDG060",
        "at": "records/r1.toml:3:10",
        "says": "p: loads.0: c1 is a closed loop.",
        "base": "page plan",
        "mend": ('rate_per_s = "2"', "concurrency = 1"),
        "text": f'{PLAN}loads = [{{id = "c1", rate_per_s = "2", requests = 2}}]\n',
    },
    {
        "code": "LEDG060",
        "at": "records/r1.toml:3:10",
        "says": "p: loads.0: o is an open loop.",
        "base": "page plan",
        "mend": ('"2"', '"2", arrivals = "poisson"'),
        "text": f'{PLAN}loads = [{{id = "o", kind = "open", rate_per_s = "2", requests = 2}}]\n',
    },
    {
        "code": "LEDG060",
        "at": "records/r1.toml:4:101",
        "says": 'p: rules.0.metric: "eagle" is no arm.',
        "base": "page plan",
        "mend": ("eagle", "ngram"),
        "text": rule("run:@this#eagle~base/c1/tpot.p50"),
    },
    {
        "code": "LEDG060",
        "at": "records/r1.toml:4:101",
        "says": 'p: rules.0.metric: "c8" is no load.',
        "base": "page plan",
        "mend": ("c8", "c1"),
        "text": rule("run:@this#ngram~base/c8/tpot.p50"),
    },
    {
        "code": "LEDG060",
        "at": "records/r1.toml:4:101",
        "says": "p: rules.0.metric: run:@this#environment.hardware has no bound.",
        "base": "page plan",
        "mend": ("environment.hardware", "suite.items/ngram"),
        "text": rule("run:@this#environment.hardware"),
    },
    {
        "code": "LEDG060",
        "at": "records/r1.toml:4:101",
        "says": "p: rules.0.metric: claim#n is no result of a run.",
        "base": "page plan",
        "mend": ("claim#n", "run:@this#base/c1/r1/tpot.p50"),
        "text": rule("claim#n"),
    },
    {
        "code": "LEDG060",
        "at": "records/r1.toml:3:12",
        "says": 'p: decision: "eagle" is no arm.',
        "base": "page plan",
        "mend": ("eagle", "ngram"),
        "text": f'{PLAN}decision = {{candidates = ["eagle"], otherwise = "base"}}\n',
    },
    {
        "code": "LEDG061",
        "at": "records/r1.toml:3:9",
        "says": "r: cells: ngram/c1 of plan is missing in a complete run.",
        "base": "page plan",
        "mend": ("# complete", 'status = "partial"'),
        "text": f"{RUN}{cells('base/c1')}# complete\n",
    },
    {
        "code": "LEDG061",
        "at": "records/r1.toml:3:9",
        "says": "r: cells: base/c9 is not in plan.",
        "base": "page plan",
        "mend": ("c9", "c1"),
        "text": f"{RUN}{cells('base/c1', 'ngram/c1', 'base/c9')}",
    },
    {
        "code": "LEDG061",
        "at": "records/r1.toml:4:15",
        "says": "r: finished_at: ended before it started.",
        "base": "page plan",
        "mend": ("# no deviation", 'deviations = ["The wall clock was set back."]'),
        "text": f"{RUN}started_at = 2025-04-01T09:00:00Z\nfinished_at = 2025-04-01T09:59:59+01:00\n# no deviation\n",
    },
]
