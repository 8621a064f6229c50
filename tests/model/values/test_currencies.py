"""The currencies that money is counted in."""

import pytest

from ledger.model.values.currencies import CURRENCIES


@pytest.mark.parametrize("code", ["USD", "EUR", "CNY", "JPY", "CHF", "INR"])
def test_what_prices_are_stated_in_is_there(code: str) -> None:
    assert code in CURRENCIES


@pytest.mark.parametrize(
    ("code", "why"), [("XAU", "gold"), ("XDR", "a fund's right"), ("XTS", "a test"), ("XXX", "none"), ("HRK", "the past")]
)
def test_codes_that_no_price_is_paid_in_are_left_out(code: str, why: str) -> None:
    assert code not in CURRENCIES, why


def test_every_code_is_three_capital_letters() -> None:
    assert all(len(code) == 3 and code.isascii() and code.isalpha() and code.isupper() for code in CURRENCIES)
