"""What prose must not type, and what it is asked about: one function per rule, sentences in, remarks out."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ledger.analysis.prices.firewall import amounts_of_money, price_words
from ledger.errors import Severity
from ledger.model.records.article import Article
from ledger.model.records.claim import Claim
from ledger.render.article.compose import Composition
from ledger.render.article.patterns import BESIDE, CAVEAT, CLAIM, DECADE, HEDGE, PROMISE, STATISTIC, WITH_UNIT, YEAR
from ledger.render.citing.prose import Prose, Sentence


@dataclass(frozen=True, slots=True)
class Remark:
    """A finding about wording, at an offset of the prose."""

    code: str
    message: str
    remedy: str
    offset: int
    severity: Severity = "error"


Wording = Callable[[Article, Prose, Composition], Iterator[Remark]]


def _texts(prose: Prose) -> Iterator[tuple[Sentence, str]]:
    for sentence in prose.sentences:
        yield sentence, prose.masked[sentence.start : sentence.end]


def typed_numbers(_article: Article, prose: Prose, composition: Composition) -> Iterator[Remark]:
    """A number with a metric's unit, or beside a performance word, is printed from a record."""
    for sentence, text in _texts(prose):
        spots = list(_with_unit(text))
        for start, end in spots:
            yield Remark(
                "LEDG120",
                f'"{text[start:end]}" is typed.',
                _reference_remedy(text[start:end], sentence, composition),
                sentence.start + start,
            )
        for match in (match for pattern in BESIDE for match in pattern.finditer(text)):
            start, end = match.span("number")
            if not any(first <= start < last for first, last in spots) and not YEAR.match(match.group("number")):
                message = f'"{match.group().strip()}" types a number beside a performance word.'
                yield Remark("LEDG121", message, _reference_remedy(match.group("number"), sentence, composition), sentence.start + start)


def _with_unit(text: str) -> Iterator[tuple[int, int]]:
    for match in WITH_UNIT.finditer(text):
        if not STATISTIC.match(text, match.end()) and not DECADE.fullmatch(match.group()):
            yield match.span()


def _reference_remedy(typed: str, sentence: Sentence, composition: Composition) -> str:
    """Name the cited quantity that has the number, where there is one."""
    digits = re.sub(r"[^\d.]", "", typed.split()[0])
    for citation in sentence.citations:
        for reference in citation.references:
            claim = composition.citing.evidence.catalogue.get(reference.split("#")[0], Claim)
            for quantity in claim.quantities if claim else ():
                if digits in {str(number) for number in (quantity.value, quantity.low, quantity.high) if number is not None}:
                    return f"Write [@{reference.split('#')[0]}#{quantity.name}]."
    return "Print it from a record: [@id#name]."


def typed_money(article: Article, prose: Prose, _composition: Composition) -> Iterator[Remark]:
    """Money never stands in a technical article, and comes from a record in a pricing document."""
    for sentence, text in _texts(prose):
        for spot in amounts_of_money(text):
            yield _money_remark(article, spot.text, sentence.start + spot.start)


def _money_remark(article: Article, text: str, offset: int) -> Remark:
    if article.side == "technical":
        return Remark("LEDG122", f'"{text}" is money in a technical article.', "Move it to a pricing article.", offset)
    return Remark("LEDG122", f'"{text}" is typed.', "Print it from a record: [@cost-id#amount].", offset)


def priced_words(article: Article, prose: Prose, _composition: Composition) -> Iterator[Remark]:
    """A technical article is asked about words of price."""
    if article.side == "technical":
        for sentence, text in _texts(prose):
            for spot in price_words(text):
                yield _price_word_remark(spot.text, sentence.start + spot.start)


def _price_word_remark(text: str, offset: int) -> Remark:
    return Remark(
        "LEDG132",
        f'"{text}" speaks of prices in a technical article.',
        "Say it without, or move it to a pricing article.",
        offset,
        "warning",
    )


def promises(_article: Article, prose: Prose, _composition: Composition) -> Iterator[Remark]:
    """A promise without a source, unless the sentence denies or asks it."""
    for sentence, text in _uncited(prose):
        match = PROMISE.search(text)
        if match and not HEDGE.search(text):
            message = f'"{match.group()}" is a promise without a source.'
            yield Remark("LEDG130", message, "Cite who says so, or say what is not promised.", sentence.start + match.start(), "warning")


def performance_claims(_article: Article, prose: Prose, _composition: Composition) -> Iterator[Remark]:
    """A performance claim without a source, unless the sentence asks, hedges or denies it."""
    for sentence, text in _uncited(prose):
        match = CLAIM.search(text)
        if match and not HEDGE.search(text):
            message = f'"{match.group()}" is a performance claim without a source.'
            yield Remark("LEDG131", message, "Cite its evidence.", sentence.start + match.start(), "warning")


def _uncited(prose: Prose) -> Iterator[tuple[Sentence, str]]:
    return ((sentence, text) for sentence, text in _texts(prose) if not sentence.citations and sentence.kind == "text")


def compared_labels(_article: Article, prose: Prose, composition: Composition) -> Iterator[Remark]:
    """Our measurement and somebody's claim in one sentence ask for the conditions that differ."""
    for sentence, text in _texts(prose):
        labels = {label for citation in sentence.citations for label in _labels(citation.references, composition)}
        if {"measured", "vendor-claimed"} <= labels and not CAVEAT.search(text):
            message = "a measurement and a claim stand in one sentence without a caveat."
            yield Remark("LEDG133", message, "Name the conditions that differ, or use measured-against-claimed.", sentence.start, "warning")


def _labels(references: tuple[str, ...], composition: Composition) -> Iterator[str]:
    for reference in references:
        claim = composition.citing.evidence.catalogue.get(reference.split("#")[0], Claim)
        if claim or reference.startswith("run:"):
            yield claim.label if claim else "measured"


def front_matter_remarks(article: Article, text: str) -> Iterator[Remark]:
    """Return what title, subtitle or summary must not type."""
    for start, end in _with_unit(text):
        yield Remark("LEDG120", f'"{text[start:end]}" is typed.', "Leave numbers to the prose, where they are printed from records.", start)
    for spot in amounts_of_money(text):
        yield _money_remark(article, spot.text, spot.start)
    if article.side == "technical":
        yield from (_price_word_remark(spot.text, spot.start) for spot in price_words(text))


WORDINGS: tuple[Wording, ...] = (typed_numbers, typed_money, priced_words, promises, performance_claims, compared_labels)
"""Every rule about wording."""
