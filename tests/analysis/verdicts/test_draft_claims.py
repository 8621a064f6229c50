"""Claims drafted from a run: references and no numbers, each about the arm that it speaks of."""

import re
from datetime import UTC, date, datetime
from typing import Any

from ledger.analysis.claims.resolve import run_facts, statement_text
from ledger.analysis.verdicts.draft_claims import draft_claims
from ledger.model.catalogue import Catalogue, Entry
from ledger.model.records.claim import Claim
from ledger.model.records.protocol import Protocol
from ledger.model.records.run import Run
from tests.bench.conftest import protocol_of

DAY = date(2026, 4, 2)


def plan() -> Protocol:
    """Two speculating arms, a warm load, a drill, and rules on memory, a suite and a drill."""
    metrics = {
        "kv": "memory.hopeless/kv-cache-tokens",
        "refusals": "suite.answers/hopeless~base/negative-controls",
        "recovers": "drill.crash/hopeless/recovery.seconds",
    }
    rules = [
        {
            "id": name,
            "question": "Does it?",
            "metric": f"run:@this#{key}",
            "bound": "at-least",
            "value": "1",
            "direction": "higher-is-better",
        }
        for name, key in metrics.items()
    ]
    return protocol_of(
        arms=[{"id": "base"}, {"id": "hopeless", "method": "draft_model", "draft": "untrained", "num_speculative_tokens": 2}],
        loads=[{"id": "warm", "concurrency": 2, "requests": 6, "cache": "warm"}],
        drills=[{"id": "crash", "kind": "engine-killed", "requests": 5}],
        rules=rules,
    )


def ran() -> Run:
    """What such a plan found."""
    ratio = {"tpot.p50": {"value": 1.5, "unit": "ratio", "n": 6}}
    cells = [
        {"arm": arm, "load": "warm", "requests": {"sent": 6}, "metrics": {"tpot.p50": {"value": value, "unit": "s", "n": 6}}}
        for arm, value in (("base", 0.02), ("hopeless", 0.03))
    ]
    metrics: dict[str, Any] = {
        "recovery.seconds": {"value": 21.46, "unit": "s", "n": 1},
        "lost.count": {"value": 5, "unit": "count", "n": 5},
    }
    fields: dict[str, Any] = {
        "id": "a-run",
        "protocol": "plan",
        "protocol_meaning": "m1:" + "0" * 64,
        "executor": {"relation": "own", "organisation": "Test Works"},
        "planned": True,
        "status": "complete",
        "started_at": datetime(2026, 4, 1, tzinfo=UTC),
        "finished_at": datetime(2026, 4, 1, 1, tzinfo=UTC),
        "duration_s": 3600.0,
        "environment": {"hardware": "a fake"},
        "configurations": {},
        "cells": cells,
        "comparisons": [{"arm": "hopeless", "base": "base", "load": "warm", "metrics": ratio}],
        "verdicts": [{"rule": name, "outcome": "pass", "because": "so"} for name in ("kv", "refusals", "recovers")],
        "drills": [{"drill": "crash", "arm": "hopeless", "instants_s": {"fault": 1.0}, "metrics": metrics}],
    }
    return Run.model_validate(fields)


def drafts() -> dict[str, Claim]:
    """The drafted claims by what follows the run's id."""
    return {claim.id.removeprefix("a-run-"): claim for claim in draft_claims(ran(), plan(), DAY, author="Test Works")}


def test_a_sentence_names_its_arm_load_and_figures() -> None:
    catalogue = Catalogue([Entry(record, "x") for record in (plan(), ran(), *drafts().values())])
    printed = {name: statement_text(catalogue, claim) for name, claim in drafts().items()}
    speed = (
        "On a fake at concurrency 2, warm cache, median time per output token was 20.0\u00a0ms for the baseline and 30.0\u00a0ms with "
        "a draft of 2 tokens by an untrained model, a ratio of 1.50x."
    )
    assert printed["hopeless-tpot-warm"] == (speed, [])
    recovery = (
        "After its processes had been killed under load, the engine answered again within 21.5\u00a0s with a draft of 2 tokens by an "
        "untrained model; requests lost, of clients that stayed: 5."
    )
    assert printed["hopeless-drill-crash"] == (recovery, [])


def test_no_number_is_typed() -> None:
    for claim in drafts().values():
        typed = re.findall(r"\d+", re.sub(r"\{[^}]*\}|draft of 2 tokens", "", claim.statement))
        assert typed == [], claim.statement


def test_a_verdict_on_memory_refusals_or_a_drill_is_told_of_the_arm_it_bounds() -> None:
    assert {name for name in drafts() if "rule" in name} == {"hopeless-rule-kv", "hopeless-rule-refusals", "hopeless-rule-recovers"}
    assert run_facts(Catalogue([Entry(plan(), "x")]), ran(), "load") == {"warm": "concurrency 2, warm cache"}
