"""Money and words about prices in text, and what is exempt."""

import pytest

from ledger.analysis.prices.firewall import amounts_of_money, price_words, without_code


@pytest.mark.parametrize(
    "text",
    ["$2", "$ 2.50", "2 USD", "USD 2", "2.5USD", "€3", "3 €", "3,000 eur", "5 dollars", "1 euro", "80 cents", "100 yen", "₹40", "gbp 7"],
)
def test_an_amount_of_money_is_found(text: str) -> None:
    [spot] = amounts_of_money(f"It was {text} then.")
    assert spot.text.strip(".") == text
    assert f"It was {text} then."[spot.start : spot.end] == spot.text


@pytest.mark.parametrize(
    "text",
    [
        "the cost of compute and memory grows by 2",
        "8 users, 2.8x, 40 %, 12 ms",
        "`--price 2 USD` and ``$2``",
        "USDT holders, EURO 2024 fans",
        "cadence 3, an audit of 5 nodes",
        "the variable $HOME",
        "percentile 99 of 5 centsible",
    ],
)
def test_what_is_no_money_passes(text: str) -> None:
    assert amounts_of_money(text) == []


@pytest.mark.parametrize("word", ["cheaper", "Expensive", "pricing", "savings", "cost-effective", "hourly rate", "budget", "discounts"])
def test_a_word_about_prices_is_found_outside_code(word: str) -> None:
    assert [spot.text for spot in price_words(f"It is {word} here, not `{word}`.")] == [word]


@pytest.mark.parametrize("text", ["the cost of drafting", "a priceless gain", "costly rejections", "budgeted"])
def test_a_word_about_compute_passes(text: str) -> None:
    assert price_words(text) == []


def test_code_is_blanked_in_place() -> None:
    text = "a `b` ``c`d`` $1"
    assert without_code(text) == "a     " + " " * 7 + " $1"
    assert [spot.start for spot in amounts_of_money(text)] == [text.index("$1")]
