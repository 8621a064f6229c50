"""The plan: its order, its size, and what its samples cannot show."""

import pytest

from ledger.bench.plan.estimate import Pace
from ledger.bench.plan.plan import PlannedCell, cells, discarded_session, outline, remembers_answers, sessions
from tests.bench.conftest import protocol_of

ARMS = [{"id": "a"}, {"id": "b", "method": "ngram"}, {"id": "c", "repeats_of": "a"}]
LOADS = [{"id": "c1", "concurrency": 1, "requests": 24}, {"id": "c8", "concurrency": 8, "requests": 400}]


def test_arms_alternate_and_reverse_and_one_start_serves_all_loads() -> None:
    planned = sessions(protocol_of(arms=ARMS, loads=LOADS, repeats=3, suites=["s"]))
    assert [(session.repeat, session.arm) for session in planned] == [
        (1, "a"),
        (1, "b"),
        (1, "c"),
        (2, "c"),
        (2, "b"),
        (2, "a"),
        (3, "a"),
        (3, "b"),
        (3, "c"),
    ]
    assert planned[3].cells == (PlannedCell("c", "c1", 2), PlannedCell("c", "c8", 2))
    assert [session.with_suites for session in planned] == [True] * 3 + [False] * 6


def test_every_arm_load_and_repeat_is_one_cell() -> None:
    listed = list(cells(protocol_of(arms=ARMS, loads=LOADS, repeats=2)))
    assert len(listed) == len(set(listed)) == 12


def test_the_size_counts_warm_up_and_suites() -> None:
    size = outline(protocol_of(arms=ARMS, loads=LOADS, repeats=2, warm_up_requests=3, suites=["s"]), prompt_count=96, suite_item_count=24)
    assert size.requests == 6 * (27 + 403)
    assert size.output_tokens_at_most == size.requests * 8
    assert size.suite_answers == 72
    assert size.repeatability


def test_what_the_sample_cannot_show_is_said_with_the_number_needed() -> None:
    size = outline(protocol_of(loads=LOADS), prompt_count=96)
    assert [(load.load, load.distinct_prompts, load.withheld) for load in size.loads] == [
        ("c1", 24, ("p95 (n = 24, needs 72)", "p99 (n = 24, needs 368)")),
        ("c8", 96, ("p99 (n = 96, needs 368)",)),
    ]
    assert not size.repeatability
    assert outline(protocol_of(loads=LOADS), prompt_count=5).loads[0].withheld[0] == "p50 interval (n = 5, needs 6)"


def test_the_estimate_adds_starts_and_tokens_at_the_pace_given() -> None:
    pace = Pace(start_s=10, stop_s=0, alone_tokens_per_s=8, batched_tokens_per_s=64, tokens_a_request=8)
    size = outline(protocol_of(loads=[{"id": "c1", "concurrency": 1, "requests": 10}]), prompt_count=96, pace=pace)
    assert size.estimate_s == 2 * (10 + 10)
    slow = {"id": "r", "kind": "open", "rate_per_s": "0.5", "requests": 10}
    assert outline(protocol_of(loads=[slow]), prompt_count=96, pace=pace).estimate_s == 2 * (10 + 20)
    assert (pace.tokens_per_s(1), pace.tokens_per_s(8), pace.tokens_per_s(99)) == (8, 64, 64)


def test_a_ramp_and_the_filling_of_a_warm_cache_take_their_time() -> None:
    pace = Pace(start_s=10, stop_s=0, alone_tokens_per_s=8, batched_tokens_per_s=64, tokens_a_request=8)
    load = {"id": "c1", "concurrency": 1, "requests": 10, "ramp_s": "3", "cache": "warm"}
    size = outline(protocol_of(loads=[load], warm_up_requests=1), prompt_count=4, pace=pace)
    assert size.requests == 2 * (1 + 4 + 10)
    assert size.estimate_s == 2 * (10 + 15 + 3)


def test_saturation_needs_two_hundred_requests() -> None:
    loads = [{"id": f"r{requests}", "kind": "open", "rate_per_s": "9", "requests": requests} for requests in (199, 200)]
    few, enough = outline(protocol_of(loads=loads), prompt_count=72).loads
    assert (few.shown, few.withheld[-1]) == (("p50 interval", "p95"), "saturation (199 requests, needs 200)")
    assert (enough.shown, enough.withheld) == (("p50 interval", "p95", "saturation"), ("p99 (n = 72, needs 368)",))


def test_the_life_that_is_discarded_is_the_baselines_and_no_repeat() -> None:
    plan = protocol_of(no_discarded_life=None)
    life = discarded_session(plan)
    assert life is not None
    assert (life.arm, life.repeat, life.place, life.with_suites, life.drills) == ("base", 0, 0, False, ())
    assert [cell.load for cell in life.cells] == ["c2"]
    assert not {cell.repeat for cell in cells(plan)} & {0}
    assert discarded_session(protocol_of(no_discarded_life="A demonstration in four minutes.")) is None


def test_each_session_knows_its_arms_place_in_the_repeat() -> None:
    plan = protocol_of(order="williams", repeats=2)
    found = [(session.repeat, session.place, session.arm) for session in sessions(plan)]
    assert [(repeat, place) for repeat, place, _ in found] == [(1, 1), (1, 2), (2, 1), (2, 2)]
    assert {arm for repeat, _, arm in found if repeat == 1} == {"base", "ngram"}
    assert [arm for _, _, arm in found[:2]] == [arm for _, _, arm in found[:1:-1]]


@pytest.mark.parametrize(("options", "lives"), [({}, 2), ({"suffix_decoding_max_cached_requests": 0}, 1)])
def test_an_arm_that_remembers_answers_has_a_life_for_each_cell(options: dict[str, int], lives: int) -> None:
    plan = protocol_of(
        arms=[{"id": "base"}, {"id": "suffix", "method": "suffix", "options": options}],
        loads=[{"id": "c1", "concurrency": 1, "requests": 6}, {"id": "c2", "concurrency": 2, "requests": 6}],
        suites=["suite"],
    )
    mine = [session for session in sessions(plan) if session.arm == "suffix"]
    assert [len(session.cells) for session in mine] == [2 // lives] * lives
    assert [session.with_suites for session in mine] == [False] * (lives - 1) + [True]
    assert remembers_answers(plan, "suffix") is (lives == 2)
    assert not remembers_answers(plan, "base")
