"""A source: when it was seen, and how whoever speaks in it stands to the subject."""

from datetime import date
from typing import Any, get_args

import pytest
from pydantic import ValidationError

from ledger.model.records.source import RELATION_WORDS, Relation, Source
from tests.conftest import DEFAULTS


def source(**fields: Any) -> Source:
    """A supplier's blog."""
    return Source.model_validate({"id": "page", **DEFAULTS["source"], **fields})


def test_it_was_seen_from_its_earliest_to_its_latest_capture() -> None:
    found = source(captures=[{"retrieved_at": day} for day in ("2025-02-01", "2025-01-05", "2025-03-09")])
    assert (found.first_seen, found.last_seen) == (date(2025, 1, 5), date(2025, 3, 9))


def test_a_source_that_was_never_captured_was_never_seen() -> None:
    assert (source().first_seen, source().last_seen) == (None, None)


def test_every_relation_has_words() -> None:
    assert set(RELATION_WORDS) == set(get_args(Relation))


def test_an_address_that_cannot_be_taken_apart_is_refused() -> None:
    with pytest.raises(ValidationError, match=r'got "https://\[page", expected an address'):
        source(url="https://[page")


def test_captures_and_reliability_carry_no_meaning() -> None:
    assert source(captures=[{"retrieved_at": "2025-02-01"}], reliability="d").meaning() == source().meaning()
    assert source(relation="author").meaning() != source().meaning()
