"""A run has the cells of its protocol, and nothing is decided by one that may not decide."""

import pytest

from tests.analysis.rules.row_fixtures import Row, RuleTests, named

RUN = '[[run]]\nid = "r"\n'


def cells(*places: str) -> str:
    """Return the cells of a run, written `arm/load`."""
    tables = (
        f'{{arm = "{arm}", load = "{load}", requests = {{sent = 2}}, metrics = {{}}}}' for arm, load in (p.split("/") for p in places)
    )
    return f"cells = [{', '.join(tables)}]\n"


ROWS: list[Row] = [
    {
        "code": "LEDG061",
        "at": "records/r1.toml:3:9",
        "says": "r: cells: ngram/c1 of plan is missing in a complete run.",
        "base": "page plan",
        "mend": ("# complete", 'status = "partial"'),
        "text": f"{RUN}{cells('base/c1')}# complete\n",
    },
    {
        "code": "LEDG061",
        "at": "records/r1.toml:3:9",
        "says": "r: cells: base/c9 is not in plan.",
        "base": "page plan",
        "mend": ("c9", "c1"),
        "text": f"{RUN}{cells('base/c1', 'ngram/c1', 'base/c9')}",
    },
    {
        "code": "LEDG061",
        "at": "records/r1.toml:4:15",
        "says": "r: finished_at: ended before it started.",
        "base": "page plan",
        "mend": ("# no deviation", 'deviations = ["The wall clock was set back."]'),
        "text": f"{RUN}started_at = 2025-04-01T09:00:00Z\nfinished_at = 2025-04-01T09:59:59+01:00\n# no deviation\n",
    },
    {
        "code": "LEDG063",
        "at": "records/r1.toml:4:56",
        "says": "r: verdicts.0.outcome: faster says pass, and the run is partial; a verdict needs a complete one.",
        "base": "page plan",
        "mend": ('"pass"', '"inconclusive"'),
        "text": f'{RUN}status = "partial"\nverdicts = [{{rule = "faster", because = "x", outcome = "pass"}}]\n',
    },
    {
        "code": "LEDG063",
        "at": "records/r1.toml:4:12",
        "says": "r: decision: decides for base, and the plan had not landed before the run started",
        "base": "page plan",
        "mend": ("planned = false", "planned = true"),
        "text": f'{RUN}planned = false\ndecision = "base"\n',
    },
]


@pytest.mark.parametrize("row", named(ROWS))
class TestRows(RuleTests):
    """Each row is told, its nearest legal ledger has no finding, and without its rule the fault goes unseen."""
