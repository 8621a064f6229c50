"""Runs, protocols and drafts as rows."""

from typing import TYPE_CHECKING

from ledger.cli.text.plan_rows import run_listing
from tests.cli.conftest import rows_of
from tests.cli.draft_fixtures import HEAD

if TYPE_CHECKING:
    from tests.cli.conftest import Command
    from tests.conftest import LedgerFolder


def test_a_run_says_how_it_ended_and_on_what(tested: "LedgerFolder", command: "Command") -> None:
    tested.add("run", "bare", planned=False, status="partial", environment={}, deviations=["one", "two"], cells=[])
    rows = {row["id"]: row for row in rows_of(command, "runs")}
    picked = {name: rows["bare"][name] for name in ("planned", "status", "hardware", "finished_on", "duration_s", "cells", "deviations")}
    assert picked == {
        "planned": "unplanned",
        "status": "partial",
        "hardware": "not recorded",
        "finished_on": "2025-04-01",
        "duration_s": 600.0,
        "cells": 0,
        "deviations": 2,
    }
    assert (rows["ours"]["planned"], rows["ours"]["hardware"], rows["ours"]["cells"]) == ("planned", "a CPU", 2)


def test_no_answers_make_no_rows(tested: "LedgerFolder") -> None:
    assert run_listing(tested.open(), []).rows == []


def test_a_protocol_counts_its_arms_loads_and_complete_runs(tested: "LedgerFolder", command: "Command") -> None:
    tested.add("run", "again")
    [row] = rows_of(command, "protocols")
    assert (row["question"], row["model"], row["arms"], row["loads"], row["repeats"]) == ("Does it help?", "demo", 2, 1, 1)
    assert (row["complete_runs"], row["runs"]) == (2, "2 complete runs")


def test_a_draft_names_its_authors_in_one_cell(ledger_folder: "LedgerFolder", command: "Command") -> None:
    ledger_folder.write("records/articles/draft.md", HEAD.replace('["A"]', '["A", "B"]') + "Text.\n")
    [row] = rows_of(command, "articles")
    assert (row["authors"], row["side"], row["as_of"], row["path"]) == ("A, B", "technical", "2025-06-01", "records/articles/draft.md")
