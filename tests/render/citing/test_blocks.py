"""Fenced blocks: read into values, or told what is wrong with them and where."""

import pytest

from ledger.render.citing.blocks import (
    Block,
    BlockFault,
    CellsTable,
    ClaimsTable,
    RangeFigure,
    RunTable,
    Sources,
    UnitCost,
    is_code,
    read_block,
)
from ledger.render.citing.prose import Fence, Prose


def fence(text: str) -> Fence:
    """The first fenced block of a text whose first line is the fence's name."""
    return Prose(f"```{text}\n```\n").fences[0]


def fault(text: str) -> BlockFault:
    block, faults = read_block(fence(text))
    assert block is None
    [first, *_] = faults
    return first


@pytest.mark.parametrize(
    ("text", "block"),
    [
        ('table\nkind = "claims"\ncaption = "x"\nsubject = "engine"', ClaimsTable(kind="claims", caption="x", subject="engine")),
        ('table\nkind = "cells"\ncaption = "x"\nmetrics = ["tpot.p50"]', CellsTable(kind="cells", caption="x", metrics=("tpot.p50",))),
        ('table\nkind = "drills"\ncaption = "x"\nrun = "r-1"', RunTable(kind="drills", caption="x", run="r-1")),
        ('figure\nkind = "range"\ncaption = "x"\nquantities = ["a#b"]', RangeFigure(kind="range", caption="x", quantities=("a#b",))),
        (
            'unit-cost\ncaption = "x"\ncost = "c-1"\ngpus = 8\nthroughputs = { "output tokens" = "run:@run#a/l/throughput.mean" }',
            UnitCost(caption="x", cost="c-1", gpus=8, throughputs={"output tokens": "run:@run#a/l/throughput.mean"}),
        ),
        ("sources", Sources()),
    ],
)
def test_a_block_is_read(text: str, block: Block) -> None:
    assert read_block(fence(text)) == (block, [])


def test_tables_show_four_columns_of_claims_and_the_bound_run_unless_told_otherwise() -> None:
    claims, _ = read_block(fence('table\nkind = "claims"\ncaption = "x"'))
    assert isinstance(claims, ClaimsTable)
    assert claims.columns == ("statement", "label", "date", "source")
    memory, _ = read_block(fence('table\nkind = "memory"\ncaption = "x"'))
    assert isinstance(memory, RunTable)
    assert memory.run == "@run"


@pytest.mark.parametrize(
    ("text", "code", "part"),
    [
        ("tabel\nx = 1", "LEDG110", 'Did you mean "table"?'),
        ("table\nkind = 1\nkind = 2", "LEDG111", "table: "),
        ('table\nkind = "rows"\ncaption = "x"', "LEDG111", "expected kind to be one of cells, claims, comparisons"),
        ('table\nkind = "claims"', "LEDG111", "caption is missing"),
        ('table\nkind = "claims"\ncaption = "x"\nsubjekt = "a"', "LEDG111", 'got the key "subjekt"'),
        ('table\nkind = "drills"\ncaption = "x"\nrun = "R 1"', "LEDG111", "table: run: "),
        ('conflict\nids = ["a"]', "LEDG111", "conflict: ids: "),
        ('unit-cost\ncaption = "x"\ncost = "c"\ngpus = 0\nthroughputs = {"t" = "a#b"}', "LEDG111", "unit-cost: gpus: "),
    ],
)
def test_what_is_wrong_is_told(text: str, code: str, part: str) -> None:
    found = fault(text)
    assert found.code == code
    assert part in found.message


def test_every_kind_of_table_is_named_where_one_is_unknown() -> None:
    message = fault('table\nkind = "rows"\ncaption = "x"').message
    assert "drills, environment, memory, suites, verdicts" in message


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ('table\nkind = "claims"\ncaption = "x"\n  subjekt = "a"', "subjekt"),
        ('table\nkind = "drills"\ncaption = "x"\nrun = "R 1"', "run ="),
        ("conflict\nids = [", "\n```"),
        ('table\ncaption = "x"', "```table"),
    ],
)
def test_a_fault_lies_at_its_place(text: str, at: str) -> None:
    whole = f"```{text}\n```\n"
    assert whole[fault(text).offset :].startswith(at)


def test_a_key_that_is_nearly_right_is_named() -> None:
    assert fault('table\nkind = "claims"\ncaption = "x"\nsubjekt = "a"').remedy == 'Did you mean "subject"?'
    assert fault("sources\nsort = 1").remedy == "It takes no key."


@pytest.mark.parametrize(("name", "expected"), [("python", True), ("{.Bash}", True), ("table", False), ("tabel", False)])
def test_code_is_told_from_blocks(name: str, expected: bool) -> None:
    assert is_code(fence(f"{name}\nx")) is expected
