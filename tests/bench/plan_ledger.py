"""A ledger in git whose plan has landed, and what becomes of it elsewhere: packed, run on the fake engine, brought home."""

import json
import os
import subprocess
from dataclasses import replace
from datetime import date, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

from ledger.api import Ledger
from ledger.bench.pack.remote_main import Machine, main
from ledger.bench.plan.suite_items import SuiteItem
from tests.bench.conftest import prompts_of, suite_item
from tests.bench.fake_engine import FakeBackend, Playwright, Script
from tests.bench.virtual_time import EPOCH, VirtualClock
from tests.conftest import LedgerFolder

LANDED_AT = EPOCH.replace(year=EPOCH.year - 1).isoformat()
"""A year before the virtual clock begins."""
AFTERWARDS = EPOCH + timedelta(days=31)
"""A day on which no run of these tests lies in the future."""
PLAN, RUN = "plan", "2026-01-01-plan"


class PlanLedger(LedgerFolder):
    """Protocol `plan` over four prompts and a suite of two items."""

    def __init__(self, root: Path, *, landed_at: str = LANDED_AT, **fields: Any) -> None:
        super().__init__(root)
        self.now = AFTERWARDS
        self.put("workload", "prompts", [{"id": prompt.id, "messages": list(prompt.messages)} for prompt in prompts_of(4)])
        self.put("suite", "suite", [item_line(suite_item("one")), item_line(suite_item("two", check={"type": "exact", "expected": "x"}))])
        plan: dict[str, Any] = {
            "suites": ["suite"],
            "warm_up_requests": 1,
            "no_discarded_life": "a test",
            "author": "Jane Doe",
            "note": "Ask Jane.",
        }
        self.add("protocol", PLAN, **plan | fields)
        self.git("init", "-q", "-b", "main")
        self.land(landed_at)

    def put(self, kind: str, record_id: str, lines: list[dict[str, Any]]) -> None:
        """Write a workload or a suite with the file that it names."""
        content = "".join(f"{json.dumps(line)}\n" for line in lines).encode()
        self.write(f"records/{kind}s/{record_id}.jsonl", content)
        named = {"suite": "items", "workload": "prompts"}[kind]
        self.add(kind, record_id, sha256=sha256(content).hexdigest(), count=len(lines), **{named: f"{record_id}.jsonl"})

    def land(self, at: str) -> None:
        """Commit everything on the main branch at an instant."""
        self.git("add", "-A")
        identity = {"GIT_AUTHOR_NAME": "T", "GIT_AUTHOR_EMAIL": "t@example.invalid", "GIT_COMMITTER_NAME": "T"}
        env = {**os.environ, **identity, "GIT_COMMITTER_EMAIL": "t@example.invalid", "GIT_AUTHOR_DATE": at, "GIT_COMMITTER_DATE": at}
        subprocess.run(["git", "commit", "-q", "-m", "a step"], cwd=self.root, check=True, capture_output=True, env=env)

    def pack(self, *, planned: bool = True) -> Path:
        """Write the pack and return its file."""
        return self.write(f"../{PLAN}.pyz", self.open().remote.pack(PLAN, planned=planned).content)

    def away(self, *arguments: str, backend: FakeBackend | None = None, clock: VirtualClock | None = None) -> int:
        """Do what the pack does on a machine elsewhere, with the folder `box` beside the ledger, and return the exit code."""
        folders = ["--model", str(self.root.parent), "--out", str(self.box)]
        machine = Machine(clock or VirtualClock(), lambda *_: backend or fake())
        return main(str(self.root.parent / f"{PLAN}.pyz"), [*arguments, *(() if arguments == ("plan",) else folders)], machine)

    @property
    def box(self) -> Path:
        """The folder of the run elsewhere."""
        return self.root.parent / "box"

    @property
    def model(self) -> Path:
        """A folder that passes for a model."""
        (self.root.parent / "config.json").write_text("{}")
        return self.root.parent

    @property
    def journal(self) -> Path:
        """Its journal."""
        return self.box / "journal.jsonl"

    def run_away(self, *, planned: bool = True, clock: VirtualClock | None = None) -> Path:
        """Pack, run, and return the folder of the run."""
        self.pack(planned=planned)
        assert self.away("run", clock=clock) == 0
        return self.box

    def run_here(self) -> Ledger:
        """Run the plan in the ledger itself, on the same engine and clock."""
        ledger = self.open()
        request = ledger.runs.request(PLAN, model=self.model, planned=True, today=date(2026, 1, 1))
        ledger.runs.execute(replace(request, clock=VirtualClock(), backend_factory=lambda *_: fake()), "own")
        return ledger

    def written(self) -> dict[str, bytes]:
        """Every file of records and evidence."""
        return {path.relative_to(self.root).as_posix(): path.read_bytes() for path in (self.root / "records").rglob("*") if path.is_file()}


def fake(script_of: Playwright = lambda _: Script()) -> FakeBackend:
    """An engine of known times."""
    return FakeBackend(script_of)


def item_line(item: SuiteItem) -> dict[str, Any]:
    """A suite item as its file holds it."""
    names = ("id", "category", "negative_control", "messages", "max_tokens", "check")
    return {name: getattr(item, name) for name in names}
