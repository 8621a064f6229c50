"""A protocol's rule asks only for what its run will have."""

import pytest

from tests.analysis.rules.row_fixtures import PLAN, Row, RuleTests, named


def rule(metric: str) -> str:
    """Return a plan whose only rule is about a metric."""
    fields = f'id = "q", question = "Q?", bound = "at-most", value = "1", direction = "lower-is-better", metric = "{metric}"'
    return f"{PLAN}rules = [\n{{{fields}}}]\n"


ROWS: list[Row] = [
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
        "mend": ("environment.hardware", "memory.ngram/kv-cache-tokens"),
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
        "at": "records/r1.toml:4:101",
        "says": 'p: rules.0.metric: "tpot.p90" is no metric.',
        "base": "page plan",
        "mend": ("p90", "p95"),
        "text": rule("run:@this#ngram/c1/tpot.p90"),
    },
    {
        "code": "LEDG060",
        "at": "records/r1.toml:4:101",
        "says": "p: rules.0.metric: acceptance.rate has no ratio.",
        "base": "page plan",
        "mend": ("~base", ""),
        "text": rule("run:@this#ngram~base/c1/acceptance.rate"),
    },
    {
        "code": "LEDG060",
        "at": "records/r1.toml:4:101",
        "says": 'p: rules.0.metric: "saturation.repeats" is no metric.',
        "base": "page plan",
        "mend": ("saturation.repeats", "acceptance.position-2"),
        "text": rule("run:@this#ngram/c1/saturation.repeats"),
    },
    {
        "code": "LEDG060",
        "at": "records/r1.toml:4:101",
        "says": "p: rules.0.metric: goodput.mean needs limits.",
        "base": "page plan",
        "mend": ("# without limits", 'goodput_limits_s = {ttft = "0.5"}'),
        "text": rule("run:@this#ngram/c1/goodput.mean") + "# without limits\n",
    },
    {
        "code": "LEDG060",
        "at": "records/r1.toml:4:101",
        "says": "p: rules.0.metric: r2 is beyond the 1 repeats.",
        "base": "page plan",
        "mend": ("/r2", "/r1"),
        "text": rule("run:@this#ngram/c1/r2/tpot.p50"),
    },
    {
        "code": "LEDG060",
        "at": "records/r1.toml:4:101",
        "says": "p: rules.0.metric: a ratio pools the repeats.",
        "base": "page plan",
        "mend": ("/r1", ""),
        "text": rule("run:@this#ngram~base/c1/r1/tpot.p50"),
    },
    {
        "code": "LEDG060",
        "at": "records/r1.toml:4:101",
        "says": 'p: rules.0.metric: it names the run "run-9".',
        "base": "page plan",
        "mend": ("run-9", "@this"),
        "text": rule("run:run-9#ngram/c1/tpot.p50"),
    },
    {
        "code": "LEDG060",
        "at": "records/r1.toml:4:101",
        "says": 'p: rules.0.metric: "eagle" is no arm.',
        "base": "page plan",
        "mend": ("eagle", "ngram"),
        "text": rule("run:@this#memory.eagle/kv-cache-tokens"),
    },
    {
        "code": "LEDG060",
        "at": "records/r1.toml:4:101",
        "says": 'p: rules.0.metric: "kv-cache-token" is no part of memory.',
        "base": "page plan",
        "mend": ("kv-cache-token", "kv-cache-tokens"),
        "text": rule("run:@this#memory.ngram~base/kv-cache-token"),
    },
    {
        "code": "LEDG060",
        "at": "records/r1.toml:4:101",
        "says": 'p: rules.0.metric: "items" is no suite.',
        "base": "page plan",
        "mend": ("suite.items/ngram/negative-controls", "memory.ngram~base/weights"),
        "text": rule("run:@this#suite.items/ngram/negative-controls"),
    },
    {
        "code": "LEDG060",
        "at": "records/r1.toml:4:101",
        "says": 'p: rules.0.metric: "storm" is no drill.',
        "base": "page plan",
        "mend": ("# no drill", 'drills = [{id = "storm", kind = "overload", requests = 9, rate_per_s = "9"}]'),
        "text": rule("run:@this#drill.storm/ngram/drain.seconds") + "# no drill\n",
    },
    {
        "code": "LEDG060",
        "at": "records/r1.toml:4:101",
        "says": "p: rules.0.metric: drill knows no ratio.",
        "base": "page plan",
        "mend": ("~base", ""),
        "text": rule("run:@this#drill.leave/ngram~base/recovery.seconds")
        + 'drills = [{id = "leave", kind = "disconnect", requests = 2}]\n',
    },
    {
        "code": "LEDG060",
        "at": "records/r1.toml:4:101",
        "says": "p: rules.0.metric: leave does not drill base.",
        "base": "page plan",
        "mend": ("leave/base", "leave/ngram"),
        "text": rule("run:@this#drill.leave/base/recovery.seconds")
        + 'drills = [{id = "leave", kind = "disconnect", requests = 2, arms = ["ngram"]}]\n',
    },
    {
        "code": "LEDG060",
        "at": "records/r1.toml:4:101",
        "says": "p: rules.0.metric: ngram drafts 4 tokens, so it has no position 5.",
        "base": "page plan",
        "mend": ("position-5", "position-4"),
        "text": rule("run:@this#ngram/c1/acceptance.position-5"),
    },
    {
        "code": "LEDG060",
        "at": "records/r1.toml:4:101",
        "says": 'p: rules.0.metric: "drain.seconds" is no metric of a drill.',
        "base": "page plan",
        "mend": ("drain", "recovery"),
        "text": rule("run:@this#drill.leave/ngram/drain.seconds") + 'drills = [{id = "leave", kind = "disconnect", requests = 2}]\n',
    },
]


@pytest.mark.parametrize("row", named(ROWS))
class TestRows(RuleTests):
    """Each row is told, its nearest legal ledger has no finding, and without its rule the fault goes unseen."""
