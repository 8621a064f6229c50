"""Fault drills in a run's record: recomputed from their own traces, found by reference, and shown."""

import json
from dataclasses import replace
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from ledger.analysis.claims.resolve import resolve
from ledger.bench.journal.evidence_rows import DRILLS
from ledger.cli.text.bench_text import outline_lines, result_listing
from ledger.errors import Problem
from ledger.model.records.run import Run
from tests.bench.fake_engine import FakeBackend, Script, Step
from tests.bench.virtual_time import VirtualClock
from tests.conftest import LedgerFolder
from tests.render.report_fixtures import reported, tables

DRILLED = [
    {"id": "leave", "kind": "disconnect", "requests": 4, "after_chunks": 2},
    {"id": "kill", "kind": "engine-killed", "requests": 2, "after_chunks": 2, "arms": ["base"]},
    {"id": "flood", "kind": "overload", "requests": 3, "rate_per_s": "20", "arms": ["base"]},
]
RUN = "run-1"
STEPS = (Step(0.1, 1), *(Step(0.02, 1),) * 5)


@pytest.fixture
def drilled(ledger_folder: LedgerFolder) -> LedgerFolder:
    """A ledger with the run of a plan that has drills."""
    prompts = "".join(json.dumps({"id": f"p{n}", "messages": [{"role": "user", "content": "word " * (n + 1)}]}) + "\n" for n in range(3))
    ledger_folder.write("records/workloads/prompts.jsonl", prompts)
    ledger_folder.add("workload", "prompts", sha256=sha256(prompts.encode()).hexdigest(), count=3)
    rule = {"id": "back", "question": "Is it back?", "metric": "run:@this#drill.kill/base/recovery.seconds", "bound": "at-most"}
    rules = [rule | {"value": "6", "direction": "lower-is-better"}]
    ledger_folder.add("protocol", "plan", drills=DRILLED, rules=rules)
    runs = ledger_folder.open().runs
    backend = FakeBackend(lambda _: Script(steps=STEPS))
    ledger_folder.write("config.json", "{}")
    request = runs.request("plan", model=ledger_folder.root, planned=True, today=date(2026, 1, 1))
    request = replace(request, out_dir=runs.folder(RUN), clock=VirtualClock(), backend_factory=lambda *_: backend)
    runs.execute(request, "own")
    return ledger_folder


def run_of(folder: LedgerFolder) -> Run:
    """The run, read anew."""
    return folder.open().runs.run(RUN)


def findings_after(folder: LedgerFolder, change: Any) -> list[Problem]:
    """What verification says once the run's record has been changed by hand."""
    path = folder.root / "records" / "runs" / f"{RUN}.json"
    content = json.loads(path.read_text("utf-8"))
    change(content["run"][0])
    path.write_text(json.dumps(content), "utf-8")
    return folder.open().runs.verify(RUN)


def test_a_record_holds_its_drills_and_verifies(drilled: LedgerFolder) -> None:
    run = run_of(drilled)
    assert [(one.drill, one.arm) for one in run.drills] == [("leave", "base"), ("leave", "ngram"), ("kill", "base"), ("flood", "base")]
    assert f"{RUN}/{DRILLS}" in [item.path for item in run.evidence]
    assert {cell.load for cell in run.cells} == {"c1"}
    assert run.status == "complete"
    assert drilled.open().runs.verify(RUN) == []


def edit_metric(run: dict[str, Any]) -> None:
    run["drills"][0]["metrics"]["lost.count"]["value"] = 1.0


def edit_instant(run: dict[str, Any]) -> None:
    run["drills"][2]["instants_s"]["fault"] += 0.5


def leave_out(run: dict[str, Any]) -> None:
    del run["drills"][1]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (edit_metric, "says 1.0, the evidence gives 0.0."),
        (edit_instant, "the evidence gives"),
        (leave_out, "has 3 entries, the evidence gives 4."),
    ],
)
def test_a_drill_edited_by_hand_is_found(drilled: LedgerFolder, change: Any, said: str) -> None:
    problems = [problem for problem in findings_after(drilled, change) if "drills" in (problem.field or ())]
    assert problems
    assert said in problems[0].message


def test_drill_traces_that_were_changed_or_are_gone_are_found(drilled: LedgerFolder) -> None:
    path: Path = drilled.open().runs.folder(RUN) / DRILLS
    content = path.read_bytes()
    path.write_bytes(content + b" ")
    assert "differs from its hash" in drilled.open().runs.verify(RUN)[0].message
    path.unlink()
    assert "is not there" in drilled.open().runs.verify(RUN)[0].message


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("leave/base/left.count", "2"),
        ("kill/base/lost.count", "2"),
        ("kill/base/restart.seconds", "5000\u00a0ms"),
        ("flood/base/ttft.max", "100\u00a0ms"),
    ],
)
def test_a_reference_prints_a_drills_metric(drilled: LedgerFolder, key: str, text: str) -> None:
    assert resolve(drilled.catalogue(), f"run:{RUN}#drill.{key}").text == text


def test_a_rule_may_bound_a_drill(drilled: LedgerFolder) -> None:
    assert [(verdict.rule, verdict.outcome) for verdict in run_of(drilled).verdicts] == [("back", "pass")]


def test_drills_are_planned_and_compared_in_words(drilled: LedgerFolder) -> None:
    ledger = drilled.open()
    plan = "\n".join(outline_lines(ledger.plans.protocol("plan"), ledger.plans.outline("plan"), []))
    words = " ".join(plan.split())
    assert "drill leave 4 clients, every second leaves after 2 chunks, once on every arm, after everything else" in words
    assert "drill flood 3 requests arrive at 20 per second, once on base" in words
    assert "the engine is killed once 2 requests have had 2 chunks, and started again" in words
    assert "18 requests of drills" in words
    shown = tables(reported((run_of(drilled), ledger.plans.protocol("plan"))))
    assert ("base", "lost.count", "2", "2") in shown["Drill kill"].rows
    assert {"Drill leave", "Drill flood"} <= set(shown)
    rows = result_listing(run_of(drilled)).rows
    assert {row["arm"] for row in rows if row["load"] == "leave"} == {"base", "ngram"}
