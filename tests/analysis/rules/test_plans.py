"""What does not fit together in a protocol: arms, loads, drills, limits, sampling, drafts. Each fault beside its nearest legal plan."""

from typing import Any

import pytest

from ledger.analysis.rules.plans import protocol_faults
from tests.analysis.rules.row_fixtures import PLAN, Row, RuleTests, named
from tests.bench.conftest import protocol_of

HEAD = {"id": "head", "source": "hub/head@1", "weights_sha256": "0" * 64}
EAGLE = {"id": "eagle", "method": "eagle3", "num_speculative_tokens": 3, "draft": "head"}
NGRAM = {"id": "ngram", "method": "ngram", "num_speculative_tokens": 4}


def load(**fields: Any) -> dict[str, Any]:
    """Loads with one closed loop of two, but for what the test names."""
    return {"loads": [{"id": "c2", "concurrency": 2, "requests": 6, "start": "staggered", **fields}]}


def sampling(**fields: Any) -> dict[str, Any]:
    """Sampling of at most eight tokens."""
    return {"sampling": {"temperature": "0", "max_tokens": 8, **fields}}


def arms(*others: dict[str, Any], drafts: Any = ()) -> dict[str, Any]:
    """A plain baseline and the arms given."""
    return {"arms": [{"id": "base"}, *others], "drafts": list(drafts)}


@pytest.mark.parametrize(
    ("faulty", "field", "legal"),
    [
        (sampling(drawn_tokens=[4, 8]), ("sampling", "drawn_tokens"), sampling(drawn_tokens=[4, 8], ignore_eos=True)),
        (sampling(drawn_tokens=[8, 4], ignore_eos=True), ("sampling", "drawn_tokens"), sampling(drawn_tokens=[4, 4], ignore_eos=True)),
        (sampling(top_p="1.1"), ("sampling", "top_p"), sampling(top_p="1")),
        (sampling(min_p="-0.1"), ("sampling", "min_p"), sampling(min_p="0")),
        (sampling(request_limit_s="0"), ("sampling", "request_limit_s"), sampling(request_limit_s="0.1")),
        (load(stagger_s="0"), ("loads", 0), load(stagger_s="0.5")),
        (load(stagger_s="2", ramp_s="2"), ("loads", 0), load(ramp_s="2")),
        (load(stagger_s="2", start="together"), ("loads", 0), load(start="together")),
        (load() | {"no_discarded_life": "It takes too long."}, ("loads", 0), load(stagger_s="2") | {"no_discarded_life": "Too long."}),
        (load() | {"no_discarded_life": "It takes too long."}, ("loads", 0), load(concurrency=1) | {"no_discarded_life": "Too long."}),
        (
            load(kind="open", concurrency=None, rate_per_s="2", arrivals="poisson", queues=True),
            ("loads", 0),
            load(kind="open", concurrency=None, rate_per_s="2", arrivals="poisson"),
        ),
        (arms({**EAGLE, "draft": "self"}), ("arms", 1), arms(EAGLE, drafts=[HEAD])),
        (arms({**EAGLE, "draft": "/models/head"}), ("arms", 1), arms(EAGLE, drafts=[HEAD])),
        (arms(NGRAM, drafts=[HEAD]), ("drafts", 0, "id"), arms(NGRAM)),
        (arms(NGRAM, {"id": "plain", "matches": "base"}), ("arms", 2), arms(NGRAM, {"id": "plain", "matches": "ngram"})),
        (arms({**NGRAM, "num_speculative_tokens": None}), ("arms", 1), arms({"id": "suffix", "method": "suffix"})),
        ({"allowed_failure_share": "1"}, ("allowed_failure_share",), {"allowed_failure_share": "0.02"}),
    ],
)
def test_a_fault_is_placed_and_its_neighbour_passes(faulty: dict[str, Any], field: tuple[str | int, ...], legal: dict[str, Any]) -> None:
    assert [at for at, _message, _remedy in protocol_faults(protocol_of(**faulty))] == [field]
    assert list(protocol_faults(protocol_of(**legal))) == []


def test_a_class_that_drafts_is_named_by_its_module_and_is_no_path() -> None:
    plan = protocol_of(**arms({"id": "own", "method": "custom_class", "num_speculative_tokens": 2, "draft": "ours.drafting.Proposer"}))
    assert list(protocol_faults(plan)) == []


ROWS: list[Row] = [
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
        "at": "records/r1.toml:3:27",
        "says": 'p: decision.candidates.0: "eagle" is no arm.',
        "base": "page plan",
        "mend": ("eagle", "ngram"),
        "text": f'{PLAN}decision = {{candidates = ["eagle"], otherwise = "base"}}\n',
    },
    {
        "code": "LEDG060",
        "at": "records/r1.toml:3:11",
        "says": "p: drills.0: storm is an overload without rate_per_s.",
        "base": "page plan",
        "mend": ("requests = 9", 'requests = 9, rate_per_s = "20"'),
        "text": f'{PLAN}drills = [{{id = "storm", kind = "overload", requests = 9}}]\n',
    },
    {
        "code": "LEDG060",
        "at": "records/r1.toml:3:11",
        "says": "p: drills.0: storm has a rate of 0 per second.",
        "base": "page plan",
        "mend": ('"0"', '"20"'),
        "text": f'{PLAN}drills = [{{id = "storm", kind = "overload", requests = 9, rate_per_s = "0"}}]\n',
    },
    {
        "code": "LEDG060",
        "at": "records/r1.toml:3:11",
        "says": "p: drills.0: leave is no overload and has a rate_per_s.",
        "base": "page plan",
        "mend": (', rate_per_s = "2"', ""),
        "text": f'{PLAN}drills = [{{id = "leave", kind = "disconnect", requests = 9, rate_per_s = "2"}}]\n',
    },
    {
        "code": "LEDG060",
        "at": "records/r1.toml:3:11",
        "says": 'p: drills.0: leave drills "eagle", which is no arm.',
        "base": "page plan",
        "mend": ("eagle", "ngram"),
        "text": f'{PLAN}drills = [{{id = "leave", kind = "disconnect", requests = 9, arms = ["eagle"]}}]\n',
    },
    {
        "code": "LEDG060",
        "at": "records/r1.toml:3:17",
        "says": 'p: drills.0.id: "c1" is a load too, and their requests would mix.',
        "base": "page plan",
        "mend": ('"c1"', '"leave"'),
        "text": f'{PLAN}drills = [{{id = "c1", kind = "disconnect", requests = 9}}]\n',
    },
    {
        "code": "LEDG060",
        "at": "records/r1.toml:3:10",
        "says": 'p: drills: "d" is used twice.',
        "base": "page plan",
        "mend": ('{id = "d", kind = "engine-killed"', '{id = "e", kind = "engine-killed"'),
        "text": f'{PLAN}drills = [{{id = "d", kind = "disconnect", requests = 9}}, {{id = "d", kind = "engine-killed", requests = 9}}]\n',
    },
    {
        "code": "LEDG060",
        "at": "records/r1.toml:3:28",
        "says": "p: goodput_limits_s.ttft: got 0 s, expected more than 0.",
        "base": "page plan",
        "mend": ('"0"', '"0.5"'),
        "text": f'{PLAN}goodput_limits_s = {{ttft = "0"}}\n',
    },
    {
        "code": "LEDG060",
        "at": "records/r1.toml:3:10",
        "says": "p: loads.0: o has a rate of 0 per second.",
        "base": "page plan",
        "mend": ('"0"', '"2"'),
        "text": f'{PLAN}loads = [{{id = "o", kind = "open", rate_per_s = "0", arrivals = "poisson", requests = 2}}]\n',
    },
    {
        "code": "LEDG060",
        "at": "records/r1.toml:3:10",
        "says": "p: loads.0: c1 ramps over 0 s.",
        "base": "page plan",
        "mend": ('"0"', '"2"'),
        "text": f'{PLAN}loads = [{{id = "c1", concurrency = 1, ramp_s = "0", requests = 2}}]\n',
    },
    {
        "code": "LEDG060",
        "at": "records/r1.toml:4:10",
        "says": "p: loads.0: c1 asks for a warm cache, and the engine has prefix caching off.",
        "base": "page plan",
        "mend": ("= false", "= true"),
        "text": f"{PLAN}engine = {{enable_prefix_caching = false}}\n"
        'loads = [{id = "c1", concurrency = 1, cache = "warm", requests = 2}]\n',
    },
]


@pytest.mark.parametrize("row", named(ROWS))
class TestRows(RuleTests):
    """Each row is told, its nearest legal ledger has no finding, and without its rule the fault goes unseen."""
