"""Quotations and numbers in a source's text: what counts, what does not, and what cannot be checked."""

from hashlib import sha256
from typing import Any

import pytest

from ledger.analysis.claims.quotes import QuoteCheck, has_number, has_quote, quote_checks, text_hash
from ledger.model.records.claim import Claim


@pytest.mark.parametrize(
    ("quote", "text", "is_there"),
    [
        ("It\u2019s \u201ctwo\u201d \u2014 no,  three", 'it\'s "two" - no, three and more', True),
        ("first \u2026 last", "First of all, the middle, at last", True),
        ("last \u2026 first", "First of all, the middle, at last", False),
        ("\ufb01ne", "Fine", True),
        ("soft\u00adware", "software", True),
        ("two", "tw o", False),
    ],
)
def test_signs_and_case_do_not_count(quote: str, text: str, is_there: bool) -> None:
    assert has_quote(quote, text) is is_there


@pytest.mark.parametrize(
    ("number", "text", "is_there"),
    [
        ("2.8", "up to 2.8x", True),
        ("2.8", "12.8x and 2.85x", False),
        ("2.8", "version 1.2.8", False),
        ("2.8", "2.80x", True),
        ("12345", "12,345 tokens", True),
        ("5", "5. Then 50", True),
        ("5", "0.5 and 5.5", False),
    ],
)
def test_a_number_stands_as_itself(number: str, text: str, is_there: bool) -> None:
    assert has_number(number, text) is is_there


def claim(**fields: Any) -> Claim:
    """A vendor's claim with one quotation and two numbers."""
    quantities = [
        {"name": "gain", "metric": "output-speedup", "value": "2.80", "unit": "x"},
        {"name": "range", "metric": "tpot", "low": "12", "high": "14.5", "unit": "ms"},
    ]
    body = {"id": "it", "label": "vendor-claimed", "side": "technical", "subject": "demo", "statement": "s", "quote": "twice as fast"}
    return Claim.model_validate({**body, "quantities": quantities, **fields})


def test_the_quotation_and_every_number_of_a_claim_are_looked_up() -> None:
    checks = list(quote_checks(claim(), "It is Twice as  fast: 2.80x, from 12 to 14 ms."))
    assert checks == [
        QuoteCheck("it", "quote", "twice as fast", "found"),
        QuoteCheck("it", "gain", "2.80", "found"),
        QuoteCheck("it", "range", "12 to 14.5", "not found"),  # one end is missing
    ]


def test_without_a_text_nothing_can_be_checked() -> None:
    assert {check.outcome for check in quote_checks(claim(), None)} == {"not checkable"}


def test_an_empty_quotation_is_found_nowhere() -> None:
    assert not has_quote("\u2026", "a text")


def test_a_page_whose_markup_alone_changed_keeps_its_hash() -> None:
    assert text_hash("Up\u00a0to  \u201c2.8x\u201d") == text_hash('up to "2.8X"') == sha256(b'up to "2.8x"').hexdigest()
