"""Tables of claims: current ones of a subject, disagreements side by side, a claim against its measurement."""

from typing import Any

import pytest

from ledger.model.catalogue import Catalogue
from ledger.render.citing.blocks import Against, ClaimsTable, Conflict, Proposed
from ledger.render.citing.citations import Citing, UnprintableError
from ledger.render.tables.claim_tables import against_grid, claims_grid, conditions, conflict_grid, proposed_list, values_cell
from tests.render.conftest import claim, make_citing


def block(**fields: Any) -> ClaimsTable:
    return ClaimsTable.model_validate({"kind": "claims", "caption": "x"} | fields)


def test_claims_of_a_subject_are_the_current_ones_oldest_first(citing: Citing) -> None:
    grid = claims_grid(block(subject="engine", label="vendor-claimed", columns=["id", "date"]), citing)
    assert [row[0].split("[")[0].strip() for row in grid.rows] == ["blog-speedup", "fetching", "paper-gains", "new-page"]
    assert grid.header == ("Record", "Date")


def test_a_row_without_source_and_label_carries_them_in_its_first_cell(citing: Citing) -> None:
    [row] = claims_grid(block(ids=["old-page"], columns=["date", "standing"]), citing).rows
    badge = "[vendor-claimed · supplier · superseded 2026-02-12](#label-vendor-claimed)"
    assert row == (f"2024-06-11 [1](#source-1) {badge}", "superseded 2026-02-12")


def test_every_column_prints_its_own(citing: Citing) -> None:
    columns = ["statement", "label", "subject", "value", "conditions", "source", "locator", "standing", "version"]
    [row] = claims_grid(block(ids=["blog-speedup"], columns=columns), citing).rows
    assert row == (
        "Prompt lookup gave up to 2.8x on a summarisation set.", "[vendor-claimed · supplier](#label-vendor-claimed)", "engine/ngram",
        "up to 2.8x", "model: Demo-7B", "Vendor project[1](#source-1)", "second figure", "current", "",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "a table of claims needs ids, a subject or a label."),
        ({"subject": "elsewhere"}, "no current technical claim matches the table's subject and label."),
    ],
)
def test_a_table_of_nothing_says_why(citing: Citing, fields: dict[str, Any], message: str) -> None:
    with pytest.raises(UnprintableError) as caught:
        claims_grid(block(**fields), citing)
    assert (caught.value.code, caught.value.message) == ("LEDG112", message)


def test_several_values_stand_with_their_names(citing: Citing) -> None:
    several = claim(
        "x",
        statement="From {low} to {high-load}.",
        quantities=[{"name": name, "metric": "speedup", "value": v, "unit": "x"} for name, v in (("low", "1.5"), ("high-load", "2"))],
    )
    assert values_cell(several, citing) == "low 1.5x; high load 2x"


def test_conditions_that_differ_are_listed() -> None:
    quantities = [
        {"name": name, "metric": "speedup", "value": "2", "unit": "x", "conditions": {"model": model, "gpu": "H100"}}
        for name, model in (("a", "7B"), ("b", "70B"))
    ]
    assert conditions(claim("x", statement="{a} and {b}.", quantities=quantities)) == {"model": "7B; 70B", "gpu": "H100"}


def test_claims_that_disagree_stand_in_columns(citing: Citing) -> None:
    grid = conflict_grid(Conflict(ids=("blog-speedup", "paper-gains")), citing)
    assert grid.header == ("", "Vendor project[1](#source-1) 2024-10-17", "arXiv[2](#source-2) 2025-03")
    rows = {row[0]: row[1:] for row in grid.rows}
    assert rows["Model"] == ("Demo-7B", "not stated")
    assert rows["Values"] == ("up to 2.8x", "none stated")
    assert "Version" not in rows


def test_a_claim_and_its_measurement_are_compared_by_condition(citing: Citing) -> None:
    grid = against_grid(Against(claim="blog-speedup", measured="measured-ngram"), citing)
    rows = {row[0]: row[1:] for row in grid.rows}
    assert rows["Model"] == ("Demo-7B", "demo-135m", "differs")
    assert rows["Hardware"] == ("not stated", "2 CPU cores", "not comparable: not stated")
    with pytest.raises(UnprintableError, match="paper-gains is vendor-claimed, expected a measured claim"):
        against_grid(Against(claim="blog-speedup", measured="paper-gains"), citing)


def test_proposals_are_a_list_of_nothing_else(catalogue: Catalogue) -> None:
    citing = make_citing(catalogue)
    assert proposed_list(Proposed(ids=("idea",)), citing) == "- Adaptive lengths would help.[1](#source-1) [proposed](#label-proposed)"
    with pytest.raises(UnprintableError, match="blog-speedup is vendor-claimed, expected a proposed claim"):
        proposed_list(Proposed(ids=("blog-speedup",)), citing)
