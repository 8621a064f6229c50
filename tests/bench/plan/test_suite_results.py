"""What a suite's answers come to: by category, and of the negative controls wherever they lie."""

import pytest

from ledger.analysis.verdicts.facts import negative_controls, scores
from ledger.bench.plan.suite_results import SuiteAnswer, suite_results


def answer(item: str, category: str, *, passed: bool, is_control: bool) -> SuiteAnswer:
    """An answer of arm `base` to suite `basics`."""
    return SuiteAnswer(
        arm="base",
        suite="basics",
        item=item,
        category=category,
        negative_control=is_control,
        grade="passed" if passed else "wrong",
        because="so",
        finish_reason="stop",
        output_sha256=None,
        output_text=None,
    )


USUAL = [
    answer("a", "answer", passed=True, is_control=False),
    answer("b", "refusal", passed=True, is_control=True),
    answer("c", "abstain", passed=False, is_control=True),
]


def test_the_categories_refusal_and_abstain_tell_the_negative_controls() -> None:
    [result] = suite_results(USUAL)
    assert result.negative_controls is None
    assert negative_controls(result) == (1, 2)
    assert dict(scores((result,)))["basics/base/negative-controls"] == (1, 2)


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        (answer("d", "tool-call", passed=True, is_control=True), (2, 3)),
        (answer("d", "refusal", passed=True, is_control=False), (1, 2)),
    ],
)
def test_items_flagged_otherwise_are_counted_by_their_flag(more: SuiteAnswer, expected: tuple[int, int]) -> None:
    [result] = suite_results([*USUAL, more])
    assert result.negative_controls == negative_controls(result) == expected


def test_a_suite_without_negative_controls_has_no_such_score() -> None:
    [result] = suite_results(USUAL[:1])
    assert negative_controls(result) == (0, 0)
    assert [key for key, _ in scores((result,))] == ["basics/base", "basics/base/answer"]
