"""Money in text: what the price firewall looks for in everything technical that we write.

A currency code or symbol beside a number is an error; words about prices are a warning. Code spans, titles of
sources, prompts and model outputs are exempt, and so is the cost of compute or memory.
"""

import re
from dataclasses import dataclass

_CODES = "USD|EUR|GBP|JPY|CNY|INR|CHF|CAD|AUD|KRW|BRL|SEK|NOK|DKK|PLN|SGD|HKD|TWD"
_WORDS = r"dollars?|euros?|pounds? sterling|yen|cents?"
_MONEY = re.compile(rf"(?:[$€£¥₹₩]|\b(?:{_CODES})\b)\s?\d[\d.,]*|\b\d[\d.,]*\s?(?:[$€£¥₹₩]|(?:{_CODES})\b|(?:{_WORDS})\b)", re.IGNORECASE)
_PRICE_WORDS = re.compile(
    r"\b(cheap(?:er|est|ly)?|expensive|pric(?:e|es|ed|ing)|savings?|cost[- ]effective(?:ness)?|cost[- ]efficien(?:t|cy)|"
    r"cost savings?|per[- ]token cost|hourly rate|discounts?|budget|invoices?)\b",
    re.IGNORECASE,
)
_CODE_SPAN = re.compile(r"(`+).+?\1", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Spot:
    """A piece of text, by half-open offsets."""

    start: int
    end: int
    text: str


def amounts_of_money(text: str) -> list[Spot]:
    """Return every amount of money outside code spans."""
    return _spots(_MONEY, text)


def price_words(text: str) -> list[Spot]:
    """Return every word about prices outside code spans."""
    return _spots(_PRICE_WORDS, text)


def without_code(text: str) -> str:
    """Return the text with code spans blanked, offsets kept."""
    return _CODE_SPAN.sub(lambda match: " " * len(match.group()), text)


def _spots(pattern: re.Pattern[str], text: str) -> list[Spot]:
    return [Spot(*match.span(), match.group()) for match in pattern.finditer(without_code(text))]
