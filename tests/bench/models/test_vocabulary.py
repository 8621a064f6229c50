"""Case C43: a draft that speaks another language than its target."""

from ledger.bench.models.vocabulary import differing_ids, vocabulary_problems

WORDS = {"<s>": 0, "red": 1, "green": 2, "blue": 3}


def test_sizes_that_differ_are_both_named() -> None:
    (problem,) = vocabulary_problems(WORDS, WORDS, target_size=50_432, draft_size=50_304)
    assert "50304" in problem.message
    assert "50432" in problem.message


def test_the_same_size_with_two_tokens_swapped_names_the_ids() -> None:
    (problem,) = vocabulary_problems(WORDS, WORDS | {"green": 3, "blue": 2}, target_size=4, draft_size=4)
    assert "ids 2 ('green' in the target, 'blue' in the draft), 3 (" in problem.message
    assert "map to different tokens" in problem.message


def test_a_token_that_only_one_side_has_is_named() -> None:
    (problem,) = vocabulary_problems(WORDS, {"<s>": 0, "red": 1, "green": 2}, target_size=4, draft_size=4)
    assert "id 3 ('blue' in the target, None in the draft) map" in problem.message


def test_the_same_vocabulary_passes() -> None:
    assert vocabulary_problems(WORDS, dict(reversed(WORDS.items())), target_size=4, draft_size=4) == []


def test_only_the_first_differing_ids_are_shown_and_the_rest_counted() -> None:
    many = {str(number): number for number in range(10)}
    other = {f"x{number}": number for number in range(10)}
    (problem,) = vocabulary_problems(many, other, target_size=10, draft_size=10)
    assert "2 ('2' in the target, 'x2' in the draft) and 7 more map to different tokens, of 10" in problem.message
    assert len(differing_ids(many, other)) == 10
