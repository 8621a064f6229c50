"""A protocol: its first arm is the baseline, and numbers that no run could have are refused."""

from typing import Any

import pytest
from pydantic import ValidationError

from ledger.model.records.protocol import Protocol
from tests.conftest import DEFAULTS


def protocol(**fields: Any) -> Protocol:
    """A plan with two arms."""
    return Protocol.model_validate({"id": "plan", **DEFAULTS["protocol"], **fields})


def test_the_first_arm_is_the_baseline() -> None:
    assert protocol().baseline.id == "base"


def test_an_arm_is_found_by_its_id() -> None:
    arm = protocol().arm("ngram")
    assert arm is not None
    assert (arm.method, arm.num_speculative_tokens) == ("ngram", 4)
    assert protocol().arm("eagle") is None


@pytest.mark.parametrize(
    "fields",
    [
        {"arms": [{"id": "base"}]},
        {"loads": []},
        {"loads": [{"id": "c1", "concurrency": 0, "requests": 2}]},
        {"repeats": 0},
        {"warm_up_requests": -1},
        {"goodput_limits_s": {"itl": "0.1"}},
        {"arms": [{"id": "base"}, {"id": "x", "method": "telepathy"}]},
    ],
    ids=["one arm", "no load", "nothing in flight", "no repeat", "warm-up below nothing", "no limit on this metric", "unknown method"],
)
def test_a_plan_that_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        protocol(**fields)


def test_optional_fields_at_their_defaults_are_no_part_of_the_meaning() -> None:
    load = {"id": "c1", "concurrency": 1, "requests": 2}
    assert protocol(loads=[load | {"cache": "cold", "kind": "closed"}]).meaning() == protocol(loads=[load]).meaning()
    assert protocol(loads=[load | {"cache": "warm"}]).meaning() != protocol(loads=[load]).meaning()
