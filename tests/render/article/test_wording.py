"""Rules about wording: each looks at its own sentences and says where the words lie."""

import pytest

from ledger.model.catalogue import Catalogue
from ledger.render.article.compose import compose
from ledger.render.article.wording import (
    Remark,
    Wording,
    compared_labels,
    front_matter_remarks,
    performance_claims,
    priced_words,
    promises,
    typed_money,
    typed_numbers,
)
from ledger.render.citing.prose import Prose
from tests.render.conftest import make_article


def remarks(rule: Wording, catalogue: Catalogue, prose: str, side: str = "technical") -> list[Remark]:
    article = make_article(prose, side=side)
    return list(rule(article, Prose(prose), compose(article, catalogue)))


@pytest.mark.parametrize(
    ("rule", "prose", "code", "offset"),
    [
        (typed_numbers, "So. It ran 2.8x quicker.", "LEDG120", 11),
        (typed_numbers, "A throughput of 300 was seen.", "LEDG121", 16),
        (typed_money, "It costs $2 there.", "LEDG122", 9),
        (priced_words, "It is the cheaper way.", "LEDG132", 10),
        (promises, "It is guaranteed.", "LEDG130", 6),
        (performance_claims, "It is much faster.", "LEDG131", 3),
        (compared_labels, "So. It took [@measured-ngram#after], they say [@blog-speedup#speedup].", "LEDG133", 4),
    ],
)
def test_each_rule_finds_its_words_at_their_place(catalogue: Catalogue, rule: Wording, prose: str, code: str, offset: int) -> None:
    assert [(remark.code, remark.offset) for remark in remarks(rule, catalogue, prose)] == [(code, offset)]


@pytest.mark.parametrize(
    ("rule", "prose"),
    [
        (typed_numbers, "A 95 % confidence interval of the 1990s, with a throughput of 2026."),
        (promises, "It is not guaranteed."),
        (promises, "It is guaranteed [@blog-speedup]."),
        (performance_claims, "Is it much faster?"),
        (compared_labels, "It took [@measured-ngram#after], but they say [@blog-speedup#speedup]."),
    ],
)
def test_calm_sentences_pass(catalogue: Catalogue, rule: Wording, prose: str) -> None:
    assert remarks(rule, catalogue, prose) == []


def test_a_pricing_document_may_speak_of_prices_but_not_type_them(catalogue: Catalogue) -> None:
    assert remarks(priced_words, catalogue, "It is cheaper.", "pricing") == []
    [remark] = remarks(typed_money, catalogue, "It costs $2.", "pricing")
    assert remark.remedy == "Print it from a record: [@cost-id#amount]."


def test_a_typed_number_names_the_cited_quantity_that_has_it(catalogue: Catalogue) -> None:
    [known] = remarks(typed_numbers, catalogue, "It gave 2.8x [@blog-speedup].")
    [other] = remarks(typed_numbers, catalogue, "It gave 2.9x [@blog-speedup].")
    assert (known.remedy, other.remedy) == ("Write [@blog-speedup#speedup].", "Print it from a record: [@id#name].")


def test_front_matter_types_neither_numbers_nor_money() -> None:
    found = front_matter_remarks(make_article("Text."), "2.8x faster for $2, and cheaper")
    assert [(remark.code, remark.severity) for remark in found] == [("LEDG120", "error"), ("LEDG122", "error"), ("LEDG132", "warning")]
