"""A small ledger on disk: TOML text in, files out, with every field that a test does not speak of filled in."""

import json
import re
import subprocess
import sys
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from ledger.api import Ledger
from ledger.errors import Problem
from ledger.model.catalogue import Catalogue

settings.register_profile("ledger", deadline=None)  # a shared machine stalls for longer than any deadline
settings.load_profile("ledger")

ROOT = Path(__file__).resolve().parent.parent
HASH = "0" * 64
NOW = datetime(2025, 6, 1, 12, tzinfo=UTC)
LEDGER_TOML = 'organisation = "Test Works"\n'

DEFAULTS: dict[str, dict[str, Any]] = {
    "source": {
        "title": "A page",
        "publisher": "Example",
        "type": "blog",
        "relation": "supplier",
        "licence": "not stated",
    },
    "claim": {
        "label": "vendor-claimed",
        "side": "technical",
        "subject": "demo/ngram",
        "statement": "Drafts come from the prompt.",
        "source": "page",
        "locator": "first section",
        "asserted_on": "2025-01-10",
    },
    "cost": {
        "item": "demo/box",
        "provider": "Demo",
        "basis": "list",
        "standing": {"state": "sound"},
        "price_kind": "on-demand",
        "amount": "2.50",
        "currency": "USD",
        "per": "gpu-hour",
        "gpu": "H100",
        "gpus_per_instance": 1,
        "includes_host": True,
        "region": "eu-west",
        "term": "on-demand",
        "commitment": "none",
        "tax": "excluded",
        "scope": "list",
        "effective_from": "2025-01-01",
        "effective_to": "open",
        "observed_on": "2025-01-02",
        "source": "page",
    },
    "review": {
        "target": "page",
        "target_meaning": f"m1:{HASH}",
        "reviewer": "R. Eader",
        "reviewed_on": "2025-02-01",
        "aspects": ["locator"],
        "verdict": "accepted",
    },
    "retraction": {"target": "page", "reason": "Not what it says.", "retracted_on": "2025-03-01"},
    "waiver": {
        "rule": "LEDG042",
        "target": "page",
        "reason": "A figure of speech.",
        "until": "2025-12-31",
        "by": "E. Ditor",
    },
    "workload": {
        "title": "Prompts",
        "prompts": "prompts.jsonl",
        "sha256": HASH,
        "count": 2,
        "licence": "Apache-2.0",
        "permission": "anyone",
        "mix": "two prompts",
        "input_words": {"min": 1, "max": 2},
    },
    "suite": {
        "title": "Items",
        "items": "items.jsonl",
        "sha256": HASH,
        "count": 1,
        "licence": "Apache-2.0",
        "permission": "anyone",
    },
    "protocol": {
        "question": "Does it help?",
        "model": {"name": "demo", "source": "demo 1.0", "licence": "Apache-2.0"},
        "engine": {"max_model_len": 256},
        "arms": [{"id": "base"}, {"id": "ngram", "method": "ngram", "num_speculative_tokens": 4}],
        "loads": [{"id": "c1", "concurrency": 1, "requests": 2}],
        "sampling": {"temperature": "0", "max_tokens": 8},
        "workload": "prompts",
        "repeats": 1,
        "seed": 0,
        "warm_up_requests": 0,
        "telemetry": {"prompts": "hash", "outputs": "hash", "allowed_by": "Test Works"},
    },
    "run": {
        "protocol": "plan",
        "protocol_meaning": f"m1:{HASH}",
        "executor": {"relation": "own", "organisation": "Test Works"},
        "planned": True,
        "status": "complete",
        "statistics": 2,
        "started_at": "2025-04-01T09:00:00Z",
        "finished_at": "2025-04-01T09:10:00Z",
        "duration_s": 600.0,
        "environment": {"hardware": "a CPU"},
        "configurations": {},
        "cells": [
            {"arm": "base", "load": "c1", "requests": {"sent": 2}, "metrics": {"tpot.p50": {"value": 0.012, "unit": "s", "n": 2}}},
            {"arm": "ngram", "load": "c1", "requests": {"sent": 2}, "metrics": {"tpot.p50": {"value": 0.009, "unit": "s", "n": 2}}},
        ],
    },
    "edition": {
        "article": "draft",
        "number": 1,
        "commit": "0" * 40,
        "as_of": "2025-05-01",
        "published_at": "2025-05-02T00:00:00Z",
        "toolchain": {"python": "3.11"},
        "outputs": {"draft.md": HASH},
        "cited": [],
    },
}
"""A valid record of each kind, but for its id; `source`, `workload` and the like name the ids that tests use by habit."""


class LedgerFolder:
    """A ledger in a folder; fields that a record does not give come from `DEFAULTS`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.now = NOW
        """The day on which it is read."""
        root.mkdir(parents=True, exist_ok=True)
        self.write("ledger.toml", LEDGER_TOML)

    def write(self, path: str, content: str | bytes) -> Path:
        """Write a file as it is and return its path."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())
        return target

    def add(self, kind: str, record_id: str, /, *, file: str | None = None, **fields: Any) -> Path:
        """Write one record; a field given as None is left out."""
        record = {"id": record_id, **DEFAULTS[kind], **fields}
        return self.write(file or f"records/{kind}s/{record_id}.toml", record_toml(kind, record))

    def add_page(self, record_id: str = "page", **fields: Any) -> Path:
        """Write the source that default claims and costs name."""
        return self.add("source", record_id, **{"captures": [{"retrieved_at": "2025-01-05"}], **fields})

    def add_plan(self) -> None:
        """Write the protocol that default runs name, with its workload and prompts."""
        prompts = '{"prompt": "a"}\n{"prompt": "b"}\n'
        self.write("records/workloads/prompts.jsonl", prompts)
        self.add("workload", "prompts", sha256=sha256(prompts.encode()).hexdigest())
        self.add("protocol", "plan")

    def add_toml(self, text: str) -> None:
        """Write each record of a text into a file of its own (`records/r1.toml` on), completed below its last line."""
        for number, record in enumerate(re.split(r"^(?=\[\[)", text.strip(), flags=re.MULTILINE)[1:], 1):
            self.write(f"records/r{number}.toml", completed(record))

    def open(self, now: datetime | None = None) -> Ledger:
        """Return the ledger, read anew."""
        return Ledger.open(self.root, now=lambda: now or self.now)

    def catalogue(self) -> Catalogue:
        """Return the records, read anew."""
        return self.open().catalogue

    def check(self) -> list[Problem]:
        """Return every finding, placed."""
        return self.open().check()

    def codes(self) -> list[str]:
        """Return the codes of every finding."""
        return [problem.code for problem in self.check()]

    def git(self, *arguments: str) -> str:
        """Run git in the folder with an identity of its own and return what it prints."""
        identity = ("-c", "user.name=T", "-c", "user.email=t@example.invalid", "-c", "init.defaultBranch=main")
        done = subprocess.run(["git", *identity, *arguments], cwd=self.root, check=True, capture_output=True, text=True)
        return done.stdout

    def run(self, *arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
        """Run the real command in a process of its own, inside the folder."""
        program = "from ledger.cli.main import main; main()"
        base = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), "COLUMNS": "80", "PYTHONWARNINGS": "error"}
        return subprocess.run(
            [sys.executable, "-c", program, *arguments],
            cwd=self.root,
            env={**base, **environment},
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )


def record_toml(kind: str, fields: dict[str, Any]) -> str:
    """Return one record as TOML, a line a field."""
    return f"[[{kind}]]\n" + "".join(f"{name} = {toml(value)}\n" for name, value in fields.items() if value is not None)


def completed(text: str) -> str:
    """Return the TOML of one record with the defaults that it does not name below it, so that its lines keep their numbers.

    A comment `# without locator source` leaves these defaults out.
    """
    kind = text.split("]]", 1)[0].strip("[ ")
    named = set(re.findall(r"^(\w+) *=", text, flags=re.MULTILINE))
    named |= {name for names in re.findall(r"^# without (.+)$", text, flags=re.MULTILINE) for name in names.split()}
    missing = {name: value for name, value in DEFAULTS.get(kind, {}).items() if name not in named}
    return text.rstrip() + "\n" + "".join(f"{name} = {toml(value)}\n" for name, value in missing.items())


def toml(value: object) -> str:
    """Return a plain value as inline TOML."""
    match value:
        case dict():
            pairs = (f"{key if re.fullmatch(r'[A-Za-z0-9_-]+', key) else json.dumps(key)} = {toml(item)}" for key, item in value.items())
            return "{" + ", ".join(pairs) + "}"
        case list() | tuple():
            return "[" + ", ".join(map(toml, value)) + "]"
        case str():
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return json.dumps(value)


@pytest.fixture
def ledger_folder(tmp_path: Path) -> LedgerFolder:
    """An empty ledger in a folder of its own."""
    return LedgerFolder(tmp_path / "works")
