"""Cells count only with as many answers as were planned, less what the plan allowed to fail."""

from decimal import Decimal

import pytest

from ledger.analysis.cells.completeness import answered, needed, why_not_counted


@pytest.mark.parametrize(
    ("requests", "planned", "share", "because"),
    [
        ({"sent": 72, "completed": 72, "failed": 0}, 72, "0", None),
        ({"sent": 72, "completed": 71, "failed": 1}, 72, "0", "71 of 72 completed"),
        ({"sent": 48, "completed": 48}, 72, "0", "48 of 72 completed"),  # 24 were never sent
        ({"sent": 72, "completed": 70, "ended-empty": 2}, 72, "0", None),
        ({"sent": 72, "completed": 70, "empty": 2}, 72, "0", "70 of 72 completed"),
        ({"sent": 72, "completed": 69, "aborted": 3}, 72, "0.05", None),  # 0.05 of 72 is 3.6: three may fail
        ({"sent": 72, "completed": 68, "failed": 4}, 72, "0.05", "68 of 72 completed"),
        ({}, 1, "0", "0 of 1 completed"),
    ],
)
def test_a_cell_counts_only_with_the_answers_that_its_plan_needs(
    requests: dict[str, int], planned: int, share: str, because: str | None
) -> None:
    assert why_not_counted(requests, planned, Decimal(share)) == because


def test_what_must_be_answered_is_rounded_up() -> None:
    assert [needed(10, Decimal(share)) for share in ("0", "0.09", "0.1", "0.19", "0.2")] == [10, 10, 9, 9, 8]


def test_an_answer_that_ended_at_once_is_one() -> None:
    assert answered({"sent": 5, "completed": 2, "failed": 2, "ended-empty": 1}) == 3
