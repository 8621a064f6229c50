"""A retraction names what it takes back, why and when, and all of that is its meaning."""

import pytest
from pydantic import ValidationError

from ledger.model.records.retraction import Retraction

BODY = {"id": "gone", "target": "page", "reason": "Not what it says.", "retracted_on": "2025-03-01"}


@pytest.mark.parametrize("field", ["target", "reason", "retracted_on"])
def test_every_field_is_needed_and_carries_meaning(field: str) -> None:
    with pytest.raises(ValidationError, match=field):
        Retraction.model_validate({key: value for key, value in BODY.items() if key != field})
    changed = {**BODY, field: "2025-03-02" if field == "retracted_on" else "other"}
    assert Retraction.model_validate(changed).meaning() != Retraction.model_validate(BODY).meaning()


def test_a_reason_of_white_space_is_none() -> None:
    with pytest.raises(ValidationError, match="reason"):
        Retraction.model_validate({**BODY, "reason": "  "})
