"""Money in text: what the price firewall looks for in everything technical that we write.

A currency code or symbol beside a number is an error; words about prices are a warning. Code spans, titles of
sources, prompts and model outputs are exempt, and so is the cost of compute or memory.
"""

import re
from dataclasses import dataclass

_CODES = (
    "USDT|USDC|USD|EUR|GBP|JPY|CNY|CNH|INR|CHF|CAD|AUD|NZD|KRW|BRL|SEK|NOK|DKK|PLN|CZK|HUF|RON|BGN|RUB|UAH|ILS|ZAR|MXN|ARS|CLP|SGD|"
    "HKD|TWD|THB|VND|IDR|MYR|AED|SAR|QAR|EGP|NGN|KES|PKR|BDT|LKR|ISK|RMB|NTD|BTC|XBT"
)
"""Codes that are no word and no name beside a number: `AMD`, `ALL`, `PHP`, `BSD` and the like would be."""
_SIGNS = "元$¢£¤¥֏؋৲৳৻૱௹฿៛₠₡₢₣₤₥₦₧₨₩₪₫€₭₮₯₰₱₲₳₴₵₶₷₸₹₺₻₼₽₾₿﷼﹩＄￠￡￥￦"
_LOCAL = r"Rs\.?|Fr\.|SFr\.?|kr\.?|zł|Kč|Ft"
"""How a few currencies are written in their own country."""
_WORDS = (
    r"(?:(?:U\.?S\.?|Canadian|Australian|Hong Kong|Singapore)[\s-]{0,2})?"
    r"dollars?|euros?|pounds? sterling|quid|yen|yuan|renminbi|"
    r"rupees?|r[ou]ubles?|"
    r"(?:Swiss )?francs?|Franken|kron(?:or|er|en)|zlot(?:y|ys|ych)|pesos?|rands|shekels?|baht|riyals?|dirhams?|liras?|"
    r"cents?|pence|bucks?|Rappen|centimes?|satoshis?|bitcoins?"
)
_MANY = r"(?:[kK]|[mM]|bn|Mio\.?|Mrd\.?|thousand|million|billion)"
_COUNTED = (
    r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|"
    r"twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|(?:a |one )?(?:hundred|thousand|million|billion|dozen)|"
    r"half a|a few|several|some"
)
_MONEY = re.compile(
    rf"(?:[{_SIGNS}]|\b(?:{_CODES})|(?<!\w)(?:{_LOCAL}))\s{{0,3}}[-–]?\.?\d[\d.,'’]*(?:\s?{_MANY}\b)?"
    rf"|(?<![\w.])\.?\d[\d.,'’]*\s{{0,3}}(?:{_MANY}\s{{0,3}})?[-–]?(?:[{_SIGNS}円원]|(?:{_CODES})\b|(?:{_LOCAL})(?!\w)|(?:{_WORDS})\b)"
    rf"|\b(?:{_COUNTED})(?:[\s-](?:{_COUNTED}))*[\s-](?:{_WORDS})\b"
    r"|\ba (?:dollar|euro|cent|buck|penny)\b",
    re.IGNORECASE,
)
_PRICE_WORDS = re.compile(
    r"\b(cheap(?:er|est|ly)?|(?:in)?expensive(?:ly)?|pric(?:e|es|ed|ing|ey|ier)|savings?|"
    r"cost[- ]effective(?:ness)?|cost[- ]efficien(?:t|cy)|"
    r"cost savings?|per[- ]token cost|cost per (?:million )?tokens?|hourly (?:rate|cost)s?|discounts?|discounted|budget|invoices?|invoiced|"
    r"sav(?:e|es|ed|ing) money|money|affordab(?:le|ly|ility)|economical(?:ly)?|low-cost|bargain|TCO|total cost of ownership|ROI|"
    r"return on investment|billed|surcharges?|"
    r"billig(?:er|ste[nr]?)?|günstig(?:er|ste[nr]?)?|teuer|teurer|Preise?|prix|tarifs?|precios?|barat[oa]s?|prezz[oi])\b"
    r"|价格|價格|价钱|便宜|価格|値段|安い|가격|цен[аыу]\b|дешевле",
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
