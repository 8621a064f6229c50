"""A claim: its quantities by name, its placeholders, and when it began to hold."""

from datetime import date
from typing import Any

import pytest
from pydantic import ValidationError

from ledger.model.records.claim import Claim

GAIN = {"name": "gain", "metric": "output-speedup", "value": "2.8", "unit": "x"}


def claim(**fields: Any) -> Claim:
    """A vendor's claim."""
    body = {"id": "it", "label": "vendor-claimed", "side": "technical", "subject": "demo/ngram", "statement": "{gain} at {load}, {gain}."}
    return Claim.model_validate(body | fields)


def test_a_quantity_is_found_by_its_name() -> None:
    found = claim(quantities=[GAIN]).quantity("gain")
    assert found is not None
    assert found.metric == "output-speedup"
    assert claim(quantities=[GAIN]).quantity("load") is None


def test_placeholders_come_in_the_order_of_the_text() -> None:
    assert claim().placeholders == ("gain", "load", "gain")


@pytest.mark.parametrize("statement", ["a {", "a } b", "a {Gain}", "a {{gain}}", "a {}"])
def test_a_brace_that_names_no_quantity_is_refused(statement: str) -> None:
    with pytest.raises(ValidationError, match="got a brace that names no quantity"):
        claim(statement=statement)


@pytest.mark.parametrize(
    ("asserted_on", "day"),
    [
        (None, None),
        ("2025-03", date(2025, 3, 1)),
        ("2025-03-04", date(2025, 3, 4)),
        ("2025-03-04T23:30:00", date(2025, 3, 5)),  # somewhere on Earth it was said a day later by UTC
    ],
)
def test_the_first_day_on_which_it_held(asserted_on: str | None, day: date | None) -> None:
    assert claim(asserted_on=asserted_on).valid_from == day


@pytest.mark.parametrize("subject", ["Demo", "demo/", "demo//x", "demo ngram", "-demo"])
def test_a_subject_goes_from_general_to_special(subject: str) -> None:
    with pytest.raises(ValidationError, match="subject"):
        claim(subject=subject)


def test_the_author_of_the_record_carries_no_meaning() -> None:
    assert claim(author="A").meaning() == claim(author="B").meaning()
