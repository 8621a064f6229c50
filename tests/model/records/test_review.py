"""A review holds for one meaning of its target, and says whether it was one of many."""

from typing import Any

import pytest
from pydantic import ValidationError

from ledger.model.records.review import Review
from tests.conftest import DEFAULTS


def review(**fields: Any) -> Review:
    """A review of a page."""
    return Review.model_validate({"id": "seen", **DEFAULTS["review"], **fields})


@pytest.mark.parametrize("meaning", ["0" * 64, "m1:" + "0" * 63, "m1:" + "G" * 64, "m:" + "0" * 64])
def test_a_meaning_that_is_no_hash_is_refused(meaning: str) -> None:
    with pytest.raises(ValidationError, match="target_meaning"):
        review(target_meaning=meaning)


def test_a_hash_of_a_later_encoding_is_read() -> None:
    assert review(target_meaning=f"m12:{'a' * 64}").target_meaning.startswith("m12:")


@pytest.mark.parametrize(("bulk", "is_accepted"), [(None, True), (2, True), (1, False)])
def test_a_bulk_review_is_of_several(bulk: int | None, is_accepted: bool) -> None:
    if is_accepted:
        assert review(bulk=bulk).bulk == bulk
    else:
        with pytest.raises(ValidationError, match="bulk"):
            review(bulk=bulk)


def test_an_aspect_that_nobody_can_check_is_refused() -> None:
    with pytest.raises(ValidationError, match="aspects"):
        review(aspects=["beauty"])
