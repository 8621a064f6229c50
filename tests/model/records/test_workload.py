"""A workload names its prompts by file, hash and count; all of it is its meaning."""

from typing import Any

import pytest
from pydantic import ValidationError

from ledger.model.records.workload import Workload
from tests.conftest import DEFAULTS


def workload(**fields: Any) -> Workload:
    """A workload of two prompts."""
    return Workload.model_validate({"id": "prompts", **DEFAULTS["workload"], **fields})


@pytest.mark.parametrize("fields", [{"count": 0}, {"sha256": "A" * 64}, {"mix": ""}, {"input_words": {"min": "few"}}])
def test_a_workload_that_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        workload(**fields)


def test_other_prompts_are_another_meaning() -> None:
    assert workload(sha256="1" * 64).meaning() != workload().meaning()
    assert workload(input_words={"min": 1, "max": 3}).meaning() != workload().meaning()
    assert workload(author="A").meaning() == workload().meaning()
