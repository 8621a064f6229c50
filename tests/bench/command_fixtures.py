"""The real command on the fake engine, in processes of their own, on a ledger whose plan has landed."""

import json
import os
import resource
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from tests.bench.conftest import prompts_of
from tests.bench.plan_ledger import LANDED_AT, PLAN, PlanLedger

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 60.0
RULE = {
    "id": "faster",
    "question": "?",
    "metric": "run:@this#ngram~base/c1/tpot.p50",
    "bound": "at-most",
    "value": "0.9",
    "direction": "lower-is-better",
}


def heard(action: signal.Handlers, *, most_bytes: int | None) -> None:
    """Do this on Ctrl-C and hang-ups from now on, and let no file grow beyond so many bytes."""
    if most_bytes is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, action)


class Commands:
    """The ledger of a plan, worked on by commands in processes of their own."""

    def __init__(self, root: Path, *, prompts: int = 4, **fields: Any) -> None:
        decision = {"candidates": ["ngram"], "otherwise": "base"}
        self.folder = PlanLedger(root, **{"rules": [RULE], "decision": decision} | fields)
        if prompts != 4:
            self.folder.put("workload", "prompts", [{"id": prompt.id, "messages": list(prompt.messages)} for prompt in prompts_of(prompts)])
            self.folder.land(LANDED_AT)
        self.folder.write("../model/config.json", "{}")

    def start(self, pace: str, *arguments: str, deaf: bool = False, most_bytes: int | None = None) -> "subprocess.Popen[str]":
        """Begin a command.

        Args:
            pace: Of the fake engine.
            arguments: Of the command.
            deaf: Whether it ignores Ctrl-C and hang-ups, as a background job under `nohup` does.
            most_bytes: What a file may grow to before writing fails, as on a full disk.
        """
        model = ["--model", str(self.folder.root.parent / "model")] if {"run", "resume"} & {*arguments} else []
        program = [sys.executable, "-m", "tests.bench.faked_command", pace, "--ledger", str(self.folder.root), *arguments, *model]
        # whatever these tests themselves were started under
        hears = partial(heard, signal.SIG_IGN if deaf else signal.SIG_DFL, most_bytes=most_bytes)
        pipe = subprocess.PIPE
        return subprocess.Popen(program, cwd=ROOT, stdout=pipe, stderr=pipe, text=True, env=os.environ, preexec_fn=hears)

    def done(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """Do a command on the quick engine."""
        process = self.start("quick", *arguments)
        out, err = process.communicate(timeout=PATIENCE_S)
        return subprocess.CompletedProcess(arguments, process.returncode, out, err)

    def cut(self, pace: str, at: str, number: int) -> tuple[str, int, str]:
        """Send a signal to a run once its journal holds a kind of line, `session-start` twice; return id, exit code and stderr."""
        process = self.start(pace, "bench", "run", PLAN)
        self.wait_for(process, at)
        process.send_signal(number)
        _, err = process.communicate(timeout=PATIENCE_S)
        [journal] = self.journals()
        return journal.parent.name, process.returncode, err

    def wait_for(self, process: "subprocess.Popen[str]", kind: str) -> None:
        """Return once the journals hold a kind of line, `session-start` twice."""
        times = 2 if kind == "session-start" else 1
        until_s = time.monotonic() + PATIENCE_S
        while sum(f'"kind":"{kind}"' in line for path in self.journals() for line in path.read_text().splitlines()) < times:
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < until_s, "the run did not come so far"
            time.sleep(0.01)

    def journals(self) -> list[Path]:
        """The journals of runs."""
        return sorted((self.folder.root / "records/evidence").glob("*/journal.jsonl"))

    def record(self, run_id: str) -> dict[str, Any]:
        """A run's record, as its file holds it."""
        found: dict[str, Any] = json.loads((self.folder.root / f"records/runs/{run_id}.json").read_text())["run"][0]
        return found

    def assert_sound(self, *run_ids: str) -> None:
        """Assert that the ledger has no error and that runs are what their traces give."""
        ledger = self.folder.open(now=datetime.now(UTC))  # runs of the real command bear the clock's day
        assert [str(problem) for problem in ledger.check()] == []
        assert [str(problem) for run_id in run_ids for problem in ledger.runs.verify(run_id)] == []
