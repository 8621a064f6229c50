"""Runs, protocols and drafts as rows."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ledger.api import Ledger
from ledger.cli.text.output import Listing
from ledger.model.records.article import Article
from ledger.model.records.protocol import Protocol
from ledger.model.records.run import EnvironmentFact, Run

if TYPE_CHECKING:
    from ledger.api.results import Answer


def run_listing(ledger: Ledger, answers: "Sequence[Answer]") -> Listing:
    """Return runs as rows."""
    rows = []
    for answer in answers:
        run = answer.record
        assert isinstance(run, Run)
        rows.append(
            {
                "id": run.id,
                "protocol": run.protocol,
                "planned": "planned" if run.planned else "unplanned",
                "status": run.status,
                "executor": run.executor.organisation,
                "relation": run.executor.relation,
                "hardware": str(run.environment.get(EnvironmentFact.HARDWARE, "not recorded")),
                "started_at": run.started_at.isoformat(),
                "finished_at": run.finished_at.isoformat(),
                "finished_on": run.finished_at.date().isoformat(),
                "duration_s": run.duration_s,
                "cells": len(run.cells),
                "deviations": len(run.deviations),
                "decision": run.decision,
                "path": answer.path,
                "recorded_on": ledger.files.recorded_on(run),
            }
        )
    facts = ("status", "planned", "relation", "finished_on", "recorded_on")
    return Listing(rows, ("id", "protocol", "status", "planned", "finished_on"), wide=("id", "protocol"), facts=facts)


def protocol_listing(
    ledger: Ledger, answers: "Sequence[Answer]", runs: "Sequence[Answer]", *, never_run: bool, limit: int | None
) -> Listing:
    """Return protocols as rows, with how many complete runs each has; `never_run` keeps those with none."""
    complete = Counter(run.record.protocol for run in runs if isinstance(run.record, Run) and run.record.status == "complete")
    rows = []
    for answer in answers:
        protocol = answer.record
        assert isinstance(protocol, Protocol)
        if never_run and complete[protocol.id]:
            continue
        count = complete[protocol.id]
        rows.append(
            {
                "id": protocol.id,
                "question": protocol.question,
                "model": protocol.model.name,
                "arms": len(protocol.arms),
                "loads": len(protocol.loads),
                "repeats": protocol.repeats,
                "workload": protocol.workload,
                "complete_runs": count,
                "runs": f"{count} complete {'run' if count == 1 else 'runs'}" if count else "never run",
                "path": answer.path,
                "recorded_on": ledger.files.recorded_on(protocol),
            }
        )
    return Listing(rows[:limit], ("id", "question", "runs"), wide=("id", "question"), facts=("model", "runs", "recorded_on"))


def article_listing(ledger: Ledger, answers: "Sequence[Answer]") -> Listing:
    """Return drafts as rows."""
    rows = []
    for answer in answers:
        article = answer.record
        assert isinstance(article, Article)
        rows.append(
            {
                "id": article.id,
                "title": article.title,
                "side": article.side,
                "type": article.type,
                "series": article.series,
                "authors": ", ".join(article.authors),
                "as_of": article.as_of.isoformat(),
                "language": article.language,
                "summary": article.summary,
                "path": answer.path,
                "recorded_on": ledger.files.recorded_on(article),
            }
        )
    return Listing(rows, ("id", "title", "side", "as_of"), wide=("id", "title"), facts=("side", "series", "recorded_on"))
