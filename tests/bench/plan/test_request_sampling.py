"""What a request asks of the engine: its length, its seed, and what all share."""

from typing import Any

from ledger.bench.plan.request_sampling import largest_output, output_limit, request_seed, shared_sampling
from ledger.bench.plan.workload import Prompt
from ledger.model.records.protocol import Protocol
from tests.bench.conftest import protocol_of


def sampling(**fields: Any) -> Protocol:
    """A protocol with this sampling, of at most 32 tokens."""
    return protocol_of(sampling={"temperature": "0", "max_tokens": 32, **fields})


def prompt(name: str = "p", **fields: Any) -> Prompt:
    """A prompt of one message."""
    return Prompt(name, ({"role": "user", "content": "?"},), **fields)


def test_a_prompts_own_limit_goes_before_the_protocols() -> None:
    assert output_limit(sampling(), prompt()) == 32
    assert output_limit(sampling(), prompt(max_tokens=7)) == 7
    assert output_limit(sampling(ignore_eos=True, drawn_tokens=[8, 9]), prompt(max_tokens=7)) == 7


def test_drawn_lengths_are_the_prompts_and_spread_over_the_range() -> None:
    plan = sampling(ignore_eos=True, drawn_tokens=[8, 32])
    drawn = [output_limit(plan, prompt(f"p{number}")) for number in range(500)]
    assert drawn == [output_limit(plan, prompt(f"p{number}")) for number in range(500)]
    assert (min(drawn), max(drawn)) == (8, 32)
    assert 19 < sum(drawn) / 500 < 21  # evenly over 8 to 32: mean 20, standard error 0.32
    assert largest_output(plan) == 32
    assert largest_output(sampling()) == 32


def test_seeds_are_alike_on_every_arm_and_differ_between_repeats() -> None:
    plan = sampling(temperature="0.7")
    seeds = {request_seed(plan, repeat=repeat, index=index) for repeat in (1, 2, 3) for index in range(100)}
    assert len(seeds) == 300
    assert request_seed(plan, repeat=1, index=5) == plan.seed + 5
    assert request_seed(sampling(), repeat=1, index=5) is None


def test_what_the_protocol_leaves_out_is_left_to_the_engine() -> None:
    assert shared_sampling(sampling().sampling) == {"temperature": 0.0, "ignore_eos": False, "stop": (), "limit_s": None}
    full = sampling(temperature="0.7", top_p="0.9", top_k=40, min_p="0.05", repetition_penalty="1.1", stop=["END"], request_limit_s="60")
    assert shared_sampling(full.sampling) == {
        "temperature": 0.7,
        "ignore_eos": False,
        "stop": ("END",),
        "limit_s": 60.0,
        "top_p": 0.9,
        "top_k": 40,
        "min_p": 0.05,
        "repetition_penalty": 1.1,
    }
