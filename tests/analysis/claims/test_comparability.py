"""Which conditions stand in the way of comparing two numbers: those that differ, and those that one side leaves unsaid."""

import pytest

from ledger.analysis.claims.comparability import Difference, conditions_of, core_conditions, differences, is_same
from tests.reading_fixtures import number


def test_without_model_and_hardware_on_either_side_nothing_is_comparable() -> None:
    texts = [str(one) for one in differences(number("1", conditions={}), number("2", conditions={}))]
    assert texts == ["model: unknown on both sides", "hardware: unknown on both sides"]


@pytest.mark.parametrize(
    ("key", "left", "right", "same"),
    [
        ("temperature", "0", "0.0", True),
        ("temperature", "0", "0.7", False),
        ("version", "vLLM 0.6", "vllm 0.6.3", True),
        ("version", "vLLM 0.6", "vllm 0.60.1", False),
        ("version", "vLLM main", "vllm MAIN", True),
        ("model", "Llama-3.1 8B", "llama 3.1-8B", True),
        ("model", "Llama-3.1 8B", "Llama-3.1 70B", False),
    ],
)
def test_conditions_say_the_same(key: str, left: str, right: str, same: bool) -> None:
    assert is_same(key, left, right) is same


def test_names_of_one_condition_are_brought_to_one_and_notes_are_left_out() -> None:
    reading = number("2", conditions={"gpu": "L4", "k": "4", "note": "as printed", "version": "vllm 0.9"}, version="vllm 0.32.0")
    assert conditions_of(reading) == {"version": "vllm 0.9", "hardware": "L4", "draft-tokens": "4"}


def test_only_performance_needs_a_model_and_hardware() -> None:
    assert core_conditions(number("2")) == ("model", "hardware")
    assert core_conditions(number("2", dimension="count")) == ()


@pytest.mark.parametrize(("left", "right", "is_difference"), [("p50", "median", False), ("mean", "p99", True), ("mean", None, False)])
def test_statistics_differ_only_where_both_are_known(left: str, right: str | None, is_difference: bool) -> None:
    assert bool(differences(number("2", statistic=left), number("2", statistic=right))) is is_difference


def test_a_difference_in_words() -> None:
    assert str(Difference("model", "a", None)) == "model: a against unknown"
    assert str(Difference("model", None, None)) == "model: unknown on both sides"
