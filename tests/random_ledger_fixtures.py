"""A ledger in a real git repository whose steps are drawn at random, each from its own seed."""

import os
import random
import subprocess
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from ledger.api import Ledger
from tests.conftest import LedgerFolder

START = datetime(2026, 1, 1, 12, tzinfo=UTC)
NOW = datetime(2027, 1, 1, tzinfo=UTC)


class RandomLedger:
    """A ledger that grows by random steps, one commit a step, a day apart."""

    def __init__(self, root: Path, seed: int) -> None:
        self.folder = LedgerFolder(root)
        self.chance = random.Random(seed)
        self.claims: dict[str, dict[str, Any]] = {}
        self.successors: set[str] = set()
        self.commits: list[str] = []
        self.git("init", "-q", "-b", "main")
        self.folder.add_page()
        self.commit()

    def git(self, *arguments: str, at: datetime = START) -> str:
        """Run git with an identity and a committer time of its own."""
        stamp = at.isoformat()
        identity = {"GIT_AUTHOR_NAME": "T", "GIT_AUTHOR_EMAIL": "t@example.invalid", "GIT_AUTHOR_DATE": stamp}
        identity |= {"GIT_COMMITTER_NAME": "T", "GIT_COMMITTER_EMAIL": "t@example.invalid", "GIT_COMMITTER_DATE": stamp}
        env = {"PATH": os.environ["PATH"], "HOME": str(self.folder.root), **identity}
        done = subprocess.run(["git", *arguments], cwd=self.folder.root, check=True, capture_output=True, text=True, env=env)
        return done.stdout.strip()

    def commit(self, *, at: datetime | None = None) -> str:
        """Commit the work tree, a day after the step before unless told otherwise, and return the commit."""
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "a step", at=at or START + timedelta(days=len(self.commits)))
        self.commits.append(self.git("rev-parse", "HEAD"))
        return self.commits[-1]

    def open(self) -> Ledger:
        """Return the ledger, read anew, on a day after every step."""
        return Ledger.open(self.folder.root, now=lambda: NOW)

    def checkout(self, commit: str, where: Path) -> Ledger:
        """Return the ledger as it stands in a work tree of its own at a commit."""
        self.git("worktree", "add", "-q", "--detach", str(where), commit)
        return Ledger.open(where, now=lambda: NOW)

    def add_claim(self, **fields: Any) -> str:
        """Add a claim with a random day and return its id."""
        record_id = f"claim-{len(self.claims)}"
        said = date(2025, 1, 1) + timedelta(days=self.chance.randrange(600))
        self.claims[record_id] = {"asserted_on": said.isoformat(), "statement": f"Sentence {self.chance.randrange(9)}.", **fields}
        self.write(record_id)
        return record_id

    def write(self, record_id: str) -> None:
        """Write a claim's file from its fields."""
        self.folder.add("claim", record_id, **self.claims[record_id])

    def supersede(self) -> None:
        """Add a successor of a claim that has none."""
        free = [name for name in self.claims if name not in self.successors]
        if free:
            old = self.chance.choice(free)
            because = self.chance.choice(["correction", "change"])
            self.successors.add(old)
            self.add_claim(supersedes={"id": old, "because": because, "reason": "a step"})

    def retract(self) -> None:
        """Take a claim back."""
        target = self.chance.choice(sorted(self.claims) or [self.add_claim()])
        if not (self.folder.root / f"records/retractions/no-{target}.toml").exists():
            self.folder.add("retraction", f"no-{target}", target=target, retracted_on="2026-02-01")

    def step(self, extra: tuple[Callable[[], object], ...] = ()) -> str:
        """Do one random step and commit it."""
        steps: tuple[Callable[[], object], ...] = (self.add_claim, self.add_claim, self.supersede, self.retract, *extra)
        self.chance.choice(steps)()
        return self.commit()

    @property
    def claim_files(self) -> list[Path]:
        """The claims' files that are there, in order."""
        return sorted((self.folder.root / "records" / "claims").glob("*.toml"))


@pytest.fixture
def random_ledger(tmp_path: Path) -> Callable[[int], RandomLedger]:
    """Make a random ledger from a seed."""
    return lambda seed: RandomLedger(tmp_path / f"ledger-{seed}", seed)
