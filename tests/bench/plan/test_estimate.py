"""How long a run may take: starts and stops, what comes before the measured requests, slower arms, and the pace of an earlier run."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from ledger.bench.plan.estimate import (
    COMPILED,
    EAGER,
    Pace,
    assumed_pace,
    cell_estimate_s,
    mean_output,
    pace_of_run,
    tokens_a_request,
)
from ledger.bench.plan.plan import discarded_session, estimate_s
from ledger.model.records.protocol import Protocol
from ledger.model.records.run import Run
from tests.bench.conftest import protocol_of

ROOT = Path(__file__).resolve().parents[3]
STEADY = Pace(start_s=10, stop_s=2, alone_tokens_per_s=8, batched_tokens_per_s=64, tokens_a_request=8)
SELF = {"id": "self", "method": "draft_model", "num_speculative_tokens": 3, "draft": "self"}


def recorded(protocol_id: str, run_id: str) -> tuple[Protocol, Run]:
    """A plan of this project and a run of it."""
    plan = tomllib.loads((ROOT / f"records/protocols/{protocol_id}.toml").read_text("utf-8"))["protocol"][0]
    run = json.loads((ROOT / f"records/runs/{run_id}.json").read_text("utf-8"))["run"][0]
    return Protocol.model_validate(plan | {"no_discarded_life": "As it was run."}), Run.model_validate(run)


PROJECTS = [("main", "2026-11-30-main"), ("customer-service-cpu", "2026-11-30-customer-service-cpu")]


@pytest.mark.parametrize(("protocol_id", "run_id"), PROJECTS)
def test_what_is_assumed_of_two_cores_lies_within_a_quarter_of_what_runs_took(protocol_id: str, run_id: str) -> None:
    plan, run = recorded(protocol_id, run_id)
    assumed = estimate_s(plan, assumed_pace(plan), suite_item_count=32, prompt_count=104)
    assert 0.75 < assumed / run.duration_s < 1.25


@pytest.mark.parametrize(("protocol_id", "run_id"), PROJECTS)
def test_the_pace_of_a_run_tells_how_long_that_run_took(protocol_id: str, run_id: str) -> None:
    plan, run = recorded(protocol_id, run_id)
    pace = pace_of_run(plan, run, suite_item_count=32, prompt_count=104)
    assert pace is not None
    assert pace.source == f"as fast as {run_id} was"
    assert 10 < pace.start_s < 70
    assert 0.6 < pace.arms["self-draft-3"] < 0.8
    assert mean_output(run) == 32
    again = estimate_s(plan, pace, suite_item_count=32, prompt_count=104)
    assert again == pytest.approx(run.duration_s, rel=0.01)


def test_a_run_that_is_not_whole_shows_no_pace() -> None:
    plan, run = recorded(*PROJECTS[0])
    assert pace_of_run(plan, run.model_copy(update={"status": "partial"})) is None
    assert pace_of_run(plan, run.model_copy(update={"cells": ()})) is None


def test_the_assumed_pace_knows_compiled_kernels_and_drafts_of_the_targets_size() -> None:
    assert assumed_pace(protocol_of()) == COMPILED
    eager = assumed_pace(protocol_of(engine={"enforce_eager": True}, arms=[{"id": "base"}, SELF]))
    assert (eager.start_s, eager.tokens_per_s(1), eager.tokens_per_s(1, "self")) == (EAGER.start_s, 22.0, 22.0 * 0.7)


@pytest.mark.parametrize(
    ("sampling", "pace", "expected"),
    [
        ({"max_tokens": 100}, Pace(), 70),
        ({"max_tokens": 100}, Pace(tokens_a_request=40), 40),
        ({"max_tokens": 30}, Pace(tokens_a_request=40), 30),
        ({"max_tokens": 100, "ignore_eos": True}, Pace(tokens_a_request=40), 100),
        ({"max_tokens": 100, "ignore_eos": True, "drawn_tokens": [10, 30]}, Pace(), 20),
    ],
)
def test_an_answers_length_is_fixed_drawn_or_taken_from_a_run(sampling: dict[str, Any], pace: Pace, expected: float) -> None:
    assert tokens_a_request(protocol_of(sampling={"temperature": "0", **sampling}), pace) == expected


def test_a_cell_has_its_warm_up_at_its_own_concurrency_before_it() -> None:
    plan = protocol_of(warm_up_requests=4, loads=[{"id": "c8", "concurrency": 8, "requests": 16}])
    four_in_flight = 8 + (4 - 1) / 7 * (64 - 8)
    assert cell_estimate_s(plan, plan.loads[0], "base", pace=STEADY, prompt_count=16) == 4 * 8 / four_in_flight + 16 * 8 / 64


def test_every_life_starts_and_stops_and_the_discarded_one_sends_less() -> None:
    loads = [{"id": "c1", "concurrency": 1, "requests": 10}]
    plan = protocol_of(loads=loads)
    without = estimate_s(plan, STEADY, suite_item_count=0, prompt_count=10)
    assert without == 2 * (10 + 2) + 2 * 10
    warmed = protocol_of(loads=loads, no_discarded_life=None)
    assert discarded_session(warmed) is not None
    assert estimate_s(warmed, STEADY, suite_item_count=0, prompt_count=10) == without + 12 + 8
