"""Sizes that cannot be meant, each beside the nearest that can."""

from typing import Any

import pytest

from ledger.bench.plan.size_faults import size_problems
from tests.bench.conftest import protocol_of


def load(**fields: Any) -> dict[str, Any]:
    """One closed loop of two, on an engine that takes 16 at once."""
    return {"loads": [{"id": "c2", "concurrency": 2, "requests": 64, **fields}], "engine": {"max_num_seqs": 16}}


def ngram(tokens: int) -> dict[str, Any]:
    """A plan whose second arm drafts so many tokens; answers have at most 8."""
    return {"arms": [{"id": "base"}, {"id": "ngram", "method": "ngram", "num_speculative_tokens": tokens}]}


def arriving(rate: str) -> dict[str, Any]:
    """An open loop."""
    return load(kind="open", concurrency=None, rate_per_s=rate, arrivals="poisson")


@pytest.mark.parametrize(
    ("faulty", "says", "legal"),
    [
        (load(concurrency=17), "keeps 17 in flight, and the engine takes 16 at once", load(concurrency=16)),
        (load(concurrency=17), "max_num_seqs", load(concurrency=17, queues=True)),
        (load(concurrency=8, requests=7), "keeps 8 in flight and sends 7", load(concurrency=8, requests=8)),
        (arriving("1000000000"), "cannot be sent by one program", arriving("10000")),
        (ngram(2000), "drafts 2000 tokens, and no answer has more than 8", ngram(8)),
        ({"engine": {"kv_cache_memory_bytes": 1024}}, "1024 bytes hold no block", {"engine": {"kv_cache_memory_bytes": 1 << 20}}),
        ({"engine": {"max_model_len": 8}}, "leave no room for a prompt beside 8", {"engine": {"max_model_len": 9}}),
        ({"engine": {"gpu_memory_utilization": 90}}, "got 90, expected a share", {"engine": {"gpu_memory_utilization": 0.9}}),
    ],
)
def test_an_impossible_size_is_named_at_its_field(faulty: dict[str, Any], says: str, legal: dict[str, Any]) -> None:
    (problem,) = size_problems(protocol_of(**faulty))
    assert says in problem.message
    assert problem.field
    assert size_problems(protocol_of(**legal)) == []
