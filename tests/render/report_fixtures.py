"""Runs for tests of comparisons: the demonstration's plan and run, whole and changed."""

from typing import Any

from ledger.model.catalogue import Catalogue, Entry
from ledger.model.records.protocol import Protocol
from ledger.model.records.run import Run
from ledger.model.values.meaning import meaning_hash
from ledger.render.report.one_run import run_report
from ledger.render.report.report import ReportTable, RunReport
from ledger.render.report.several_runs import runs_report
from ledger.render.report.words import RunUnderProtocol
from tests.render.conftest import HOSTILE, protocol, run


def planned(**fields: Any) -> Protocol:
    """The demonstration's plan with a decision, changed by fields."""
    body = protocol().model_dump(mode="json", exclude_none=True) | {"decision": {"candidates": ["ngram-4"], "otherwise": "baseline"}}
    return Protocol.model_validate(body | fields)


def ran(plan: Protocol, **fields: Any) -> Run:
    """The demonstration's run under a plan."""
    base = {"protocol": plan.id, "protocol_meaning": meaning_hash(plan), "decision": "baseline"}
    return run(**{**base, **fields})


def cells_of(one: Run) -> list[dict[str, Any]]:
    """A run's cells as plain values, to be changed."""
    return [cell.model_dump(mode="json", exclude_none=True) for cell in one.cells]


def reported(*pairs: tuple[Run, Protocol]) -> RunReport:
    """The report of runs, each with its plan."""
    records = {record.id: record for pair in pairs for record in pair}
    catalogue = Catalogue([Entry(record, f"{record.id}.toml") for record in records.values()])
    if len(pairs) == 1:
        return run_report(*pairs[0], catalogue)
    return runs_report([RunUnderProtocol.of(*pair) for pair in pairs], catalogue)


def tables(report: RunReport) -> dict[str, ReportTable]:
    """Tables by title."""
    return {block.title: block for section in report.sections for block in section.blocks if isinstance(block, ReportTable)}


def hostile_run(plan: Protocol) -> Run:
    """A run whose texts try everything."""
    verdict = {"rule": "no-slower", "outcome": "fail", "because": f"over the bound; {HOSTILE}"}
    return ran(plan, environment={"hardware": HOSTILE, HOSTILE: "x"}, deviations=[HOSTILE], verdicts=[verdict])
