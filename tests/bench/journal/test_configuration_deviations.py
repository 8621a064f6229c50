"""What differs between arms beyond what they declare."""

from typing import Any

import pytest

from ledger.bench.journal.configuration_deviations import configuration_deviations

TOKENS, BYTES, BLOCKS = "cache_config.kv_cache_size_tokens", "cache_config.kv_cache_bytes", "cache_config.num_gpu_blocks"
METHOD, ASYNC = "speculative_config.method", "scheduler_config.async_scheduling"


@pytest.mark.parametrize(
    ("base", "arm", "keys"),
    [
        ({BYTES: 1000, TOKENS: 500}, {BYTES: 1000, TOKENS: 500}, []),
        ({BYTES: 1000}, {BYTES: 990}, []),
        ({BYTES: 1000}, {BYTES: 1011}, [BYTES]),
        ({BYTES: 1000}, {BYTES: 989, METHOD: "draft_model"}, [BYTES]),
        ({BYTES: 1000}, {BYTES: None}, [BYTES]),
        ({TOKENS: 500, BLOCKS: 50}, {TOKENS: 250, BLOCKS: 25, METHOD: "draft_model"}, []),
        ({TOKENS: 500, BLOCKS: 50}, {TOKENS: 450, BLOCKS: 45, METHOD: "eagle3"}, []),
        ({TOKENS: 500}, {TOKENS: 496, METHOD: "ngram"}, []),
        ({TOKENS: 500}, {TOKENS: 494, METHOD: "ngram"}, [TOKENS]),
        ({TOKENS: 500, BLOCKS: 50}, {TOKENS: 480, BLOCKS: 48, METHOD: "suffix"}, [TOKENS, BLOCKS]),
        ({TOKENS: 500}, {TOKENS: 490}, [TOKENS]),
        ({METHOD: None}, {METHOD: "ngram", "observability_config.per_request_spec_decode_metrics": "detailed"}, []),
        ({"model_runner": "second"}, {"model_runner": "first", METHOD: "suffix"}, []),
        ({"model_runner": "second"}, {"model_runner": "first"}, ["model_runner"]),
        ({ASYNC: True}, {ASYNC: False, METHOD: "ngram"}, []),
        ({ASYNC: True}, {ASYNC: False}, [ASYNC]),
    ],
)
def test_a_difference_is_named_unless_declared_or_a_draft_models_price(base: dict[str, Any], arm: dict[str, Any], keys: list[str]) -> None:
    found = configuration_deviations({"base": base, "arm": arm}, "base")
    assert found == [f"arm: {key} is {arm.get(key)!r}, on base {base.get(key)!r}" for key in sorted(keys)]


def test_a_matched_baseline_must_be_served_like_the_arm_that_it_matches() -> None:
    configurations: dict[str, dict[str, object]] = {
        "base": {ASYNC: True},
        "ngram": {ASYNC: False, METHOD: "ngram"},
        "matched": {ASYNC: False},
    }
    assert configuration_deviations(configurations, "base", matches={"matched": "ngram"}) == []
    configurations["matched"] = {ASYNC: True}
    expected = [f"matched: {ASYNC} is True, on ngram False"]
    assert configuration_deviations(configurations, "base", matches={"matched": "ngram"}) == expected
