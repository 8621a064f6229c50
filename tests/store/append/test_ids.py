"""Ids made from what a record speaks of."""

import pytest

from ledger.store.append.ids import LONGEST, first_free_id, propose_id, slug


@pytest.mark.parametrize(
    ("kind", "fields", "expected"),
    [
        ("claim", {"subject": "vllm/ngram", "statement": "It gave {gain} more."}, "vllm-ngram-it-gave-more"),
        ("source", {"publisher": "Café Works", "title": "Prices, 2025"}, "cafe-works-prices-2025"),
        ("cost", {"item": "aws/p5", "region": "eu-west", "price_kind": "spot"}, "aws-p5-eu-west-spot"),
        ("retraction", {"target": "drafts"}, "drafts-retraction"),
        ("review", {"target": "drafts", "reviewed_on": "2025-02-01", "reviewer": "R. Eader"}, "drafts-review-2025-02-01-r-eader"),
        ("workload", {"title": "Chat prompts"}, "chat-prompts"),
        ("claim", {"subject": "…", "statement": ""}, "claim"),
    ],
)
def test_an_id_is_made_of_the_words_that_name_a_record(kind: str, fields: dict[str, str], expected: str) -> None:
    assert propose_id(kind, fields) == expected


def test_a_long_id_is_cut_at_a_word() -> None:
    proposed = propose_id("workload", {"title": "word " * 20})
    assert proposed == "-".join(["word"] * 12)  # twelve words and eleven hyphens are 59 characters, a thirteenth would be 64
    assert len(proposed) <= LONGEST


def test_a_single_word_longer_than_the_limit_is_cut_inside() -> None:
    assert slug("abcdefgh", 5) == "abcde"
    assert slug("abcde fgh", 5) == "abcde"


def test_the_first_free_number_from_two_on_is_taken() -> None:
    assert first_free_id("a", []) == "a"
    assert first_free_id("a", ["a"]) == "a-2"
    assert first_free_id("a", ["a", "a-2", "a-4"]) == "a-3"
