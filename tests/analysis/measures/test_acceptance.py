"""Acceptance over all decode steps; not recorded, undefined and zero stay three different answers."""

import pytest

from ledger.analysis.cells.cell import acceptance_measures
from ledger.analysis.measures.acceptance import Acceptance, request_counts
from ledger.model.records.run import Measure
from ledger.model.trace import RequestTrace
from tests.analysis.recorded import cell_of, request


def steps(drafted: tuple[int, ...] | None, accepted: tuple[int, ...] | None, delivered: int, prompt: str = "p0") -> RequestTrace:
    """Return a request whose first token came from the prefill and the rest, one a chunk, from these decode steps."""
    times = tuple(0.1 * (i + 1) for i in range(delivered))
    return request(prompt, chunks_s=times, steps_drafted=drafted, steps_accepted=accepted)


def measured(*requests: RequestTrace) -> dict[str, Measure]:
    """Return the acceptance measures of these requests."""
    return acceptance_measures(cell_of(requests), seed=1)


def test_counts_of_hand_made_steps() -> None:
    """Drafts of 4, 4, 0, 2; accepted 4, 1, 0, 2; steps produce 5 + 2 + 1 + 3 = 11 tokens, of which the last 2 were cut off."""
    cell = cell_of([steps((4, 4, 0, 2), (4, 1, 0, 2), delivered=1 + 9)])
    acceptance = Acceptance(request_counts(cell.latencies, cell.rows))
    assert (acceptance.drafted, acceptance.accepted, acceptance.not_delivered, acceptance.unexplained_requests) == (10, 7, 2, 0)
    assert acceptance.quotient("rate") == pytest.approx(7 / 10)
    assert acceptance.quotient("mean-accepted") == pytest.approx(7 / 3)
    assert acceptance.quotient("tokens-per-step") == pytest.approx(11 / 4)
    assert [acceptance.quotient(f"position-{i}") for i in (1, 2, 3, 4)] == pytest.approx([3 / 3, 2 / 3, 1 / 2, 1 / 2])


def test_steps_without_a_draft_count() -> None:
    with_drafts_only = measured(steps((3, 3), (3, 3), delivered=9))
    with_all = measured(steps((3, 0, 0, 0, 3), (3, 0, 0, 0, 3), delivered=12))
    assert with_drafts_only["acceptance.tokens-per-step"].value == 4
    assert with_all["acceptance.tokens-per-step"].value == pytest.approx(11 / 5)
    assert with_drafts_only["acceptance.rate"].value == with_all["acceptance.rate"].value == 1


def test_not_recorded_undefined_and_zero_differ() -> None:
    absent = measured(steps(None, None, delivered=4))
    undrafted = measured(steps((0, 0, 0), (0, 0, 0), delivered=4))
    rejected = measured(steps((3, 3, 3), (0, 0, 0), delivered=4))
    assert [(m["acceptance.rate"].value, m["acceptance.rate"].reason) for m in (absent, undrafted, rejected)] == [
        (None, "not recorded"),
        (None, "undefined (0 drafts)"),
        (0.0, None),
    ]
    assert [m["acceptance.drafted"].value for m in (absent, undrafted, rejected)] == [None, 0, 9]
    assert [m["acceptance.tokens-per-step"].value for m in (absent, undrafted, rejected)] == [None, 1, 1]
    assert rejected["acceptance.mean-accepted"].value == 0


def test_requests_without_steps_do_not_dilute_the_others() -> None:
    found = measured(steps((2,), (1,), delivered=3), steps(None, None, delivered=3, prompt="p1"))
    assert (found["acceptance.rate"].value, found["acceptance.rate"].n) == (0.5, 1)


def test_missing_steps_are_noticed() -> None:
    cell = cell_of([steps((2,), (2,), delivered=8)])
    assert Acceptance(request_counts(cell.latencies, cell.rows)).unexplained_requests == 1


def test_an_interval_needs_six_prompts() -> None:
    few, enough = (measured(*(steps((4,), (i % 4,), delivered=6, prompt=f"p{i}") for i in range(n))) for n in (5, 6))
    assert few["acceptance.rate"].interval_reason == "withheld (n = 5, needs 6)"
    low, high = enough["acceptance.rate"].low, enough["acceptance.rate"].high
    assert low is not None
    assert high is not None
    assert low < 7 / 24 < high
