"""What does not fit together in a plan: sampling, starts, drafts and matched baselines. Each fault beside its nearest legal plan."""

from typing import Any

import pytest

from ledger.analysis.rules.plans import protocol_faults
from tests.bench.conftest import protocol_of

HEAD = {"id": "head", "source": "hub/head@1", "weights_sha256": "0" * 64}
EAGLE = {"id": "eagle", "method": "eagle3", "num_speculative_tokens": 3, "draft": "head"}
NGRAM = {"id": "ngram", "method": "ngram", "num_speculative_tokens": 4}


def load(**fields: Any) -> dict[str, Any]:
    """Loads with one closed loop of two, but for what the test names."""
    return {"loads": [{"id": "c2", "concurrency": 2, "requests": 6, **fields}]}


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
