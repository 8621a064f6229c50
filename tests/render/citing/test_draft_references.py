"""Where a draft names records: the reference, its place in the file, and the sentence around it."""

from ledger.analysis.upkeep.staleness import Citation
from ledger.render.citing.draft_references import citations_of
from tests.render.conftest import make_article

PROSE = """It gave [@blog-speedup#speedup] there. Others agree [@paper-gains; @old-page].

```conflict
ids = ["old-page", "new-page"]
```

```unit-cost
caption = "x"
cost = "h100-price"
gpus = 1
throughputs = { "output tokens" = "run:@run#baseline/c1/throughput.mean" }
```
"""


def places(prose: str, **bindings: str) -> list[tuple[str, str | None, int, int, str]]:
    found = citations_of(make_article(prose), "draft.md", {f"@{name}": run for name, run in bindings.items()})
    return [(citation.record, citation.name, citation.line, citation.column, citation.sentence) for citation in found]


def test_sentences_and_blocks_name_records_at_their_places() -> None:
    others = "Others agree [@paper-gains; @old-page]."
    assert places(PROSE, run="demo-run") == [
        ("blog-speedup", "speedup", 10, 9, "It gave [@blog-speedup#speedup] there."),
        ("paper-gains", None, 10, 53, others),
        ("old-page", None, 10, 53, others),
        ("old-page", None, 13, 9, "the conflict block"),
        ("new-page", None, 13, 21, "the conflict block"),
        ("h100-price", None, 18, 9, "the unit-cost block"),
        ("demo-run", None, 20, 36, "the unit-cost block"),
    ]


def test_a_run_that_is_not_bound_keeps_its_name() -> None:
    assert places("It took [@run:@run#baseline/c1/tpot.p50] there.")[0][:2] == ("@run", None)


def test_a_long_sentence_is_cut_at_a_word() -> None:
    [(*_, sentence)] = places(f"{'word ' * 30}[@blog-speedup].")
    assert sentence == "word " * 18 + "word …"


def test_a_block_that_cannot_be_read_names_nothing() -> None:
    assert places('```conflict\nids = ["old-page"]\n```') == []


def test_each_citation_knows_its_article() -> None:
    [citation] = citations_of(make_article("So [@blog-speedup].", as_of="2026-01-02"), "draft.md")
    assert isinstance(citation, Citation)
    assert (citation.cited_by, str(citation.as_of), citation.path) == ("draft", "2026-01-02", "draft.md")
