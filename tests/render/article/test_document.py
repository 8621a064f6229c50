"""Canonical Markdown: values printed, sentences labelled once, sources numbered in order of first citation."""

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from ledger.errors import FindingsError
from ledger.model.catalogue import Catalogue, Entry
from ledger.model.records.run import Measure, Run
from ledger.render.article.document import Document
from tests.render.conftest import ArticleMaker, make_article, make_document, records

VENDOR = "[vendor-claimed · supplier](#label-vendor-claimed)"
AUTHORS = "[vendor-claimed · method's authors](#label-vendor-claimed)"


Renderer = Callable[..., Document]


@pytest.fixture
def rendered(catalogue: Catalogue) -> Renderer:
    def render(prose: str, **fields: object) -> Document:
        return make_document(make_article(prose, **fields), catalogue)

    return render


def body(document: Document) -> str:
    return document.body.strip()


@pytest.mark.parametrize(
    ("prose", "printed"),
    [
        ("Gains shrink [@paper-gains].", f"Gains shrink.[1](#source-1) {AUTHORS}"),
        ("It gave [@blog-speedup#speedup] there.", f"It gave up to 2.8x there.[1](#source-1) {VENDOR}"),
        ("[@blog-speedup]", f"Prompt lookup gave up to 2.8x on a summarisation set.[1](#source-1) {VENDOR}"),
        ("- [@blog-speedup].", f"- Prompt lookup gave up to 2.8x on a summarisation set.[1](#source-1) {VENDOR}"),
        (
            "Gains shrink [@paper-gains; @blog-speedup].",
            "Gains shrink.[1](#source-1),[2](#source-2) [vendor-claimed · method's authors, supplier](#label-vendor-claimed)",
        ),
        (
            "A says one thing [@paper-gains], B another [@blog-speedup].",
            "A says one thing,[1](#source-1) B another.[2](#source-2) [vendor-claimed · method's authors, supplier](#label-vendor-claimed)",
        ),
        ("Then [@old-page].", "Then.[1](#source-1) [vendor-claimed · supplier · superseded 2026-02-12](#label-vendor-claimed)"),
        ("Off [@removed-option].", "Off.[1](#source-1) [vendor-claimed · supplier · withdrawn 2025-07](#label-vendor-claimed)"),
        ("[@idea]", "Adaptive lengths would help.[1](#source-1) [proposed](#label-proposed)"),
        (
            "It changed by [@run:demo-run#ngram-4~baseline/c8/tpot.p50]{interval} here.",
            "It changed by 1.31x (1.20 to 1.42) here.[1](#source-1) [measured · our own](#label-measured)",
        ),
    ],
)
def test_sentences_print_value_number_and_badge(rendered: Renderer, prose: str, printed: str) -> None:
    assert body(rendered(prose)) == printed


def test_an_unplanned_run_says_so() -> None:
    unplanned = [record.model_copy(update={"planned": False}) if record.KIND == "run" else record for record in records()]
    catalogue = Catalogue(Entry(record, "x") for record in unplanned)
    document = make_document(make_article("[@measured-ngram]"), catalogue)
    assert "[measured, unplanned · our own](#label-unplanned)" in document.body
    assert document.labels == ("unplanned",)


def test_sources_are_numbered_by_first_citation_and_say_who_checked(rendered: Renderer) -> None:
    document = rendered("Then [@paper-gains]. Now [@blog-speedup].")
    assert [(entry.number, entry.publisher) for entry in document.sources] == [(1, "arXiv"), (2, "Vendor project")]
    first, second = document.sources
    assert first.review == "provided by the method's authors; not independently checked"
    assert second.review == "supplier-provided; checked, by B. Reader, 2026-11-20"
    assert first.facts == ("paper", "published 2025-03", "retrieved 2026-11-29", "reliability a")
    assert "reliability" in dict(document.terms)
    assert document.cited == ("paper-gains", "blog-speedup", "paper", "vendor-blog")


def test_a_review_of_another_meaning_or_by_the_author_does_not_count() -> None:
    for change in ({"target_meaning": "m1:" + "0" * 64}, {"reviewer": "A. Writer"}):
        changed = [record.model_copy(update=change) if record.KIND == "review" else record for record in records()]
        document = make_document(make_article("Now [@blog-speedup]."), Catalogue(Entry(r, "x") for r in changed))
        assert document.sources[0].review == "supplier-provided; not independently checked"


def test_a_superseded_statement_names_its_successor_in_the_source_list(rendered: Renderer) -> None:
    assert rendered("Then [@old-page].").sources[0].notes == ("old-page: superseded 2026-02-12 by new-page",)


def test_faults_stop_the_document_at_their_place(rendered: Renderer) -> None:
    with pytest.raises(FindingsError) as caught:
        rendered("Fine.\n\nSo says [@nobody].")
    (problem,) = caught.value.problems
    assert problem.place == "records/articles/draft.md:12:9"


def test_a_named_run_must_be_bound(catalogue: Catalogue, article: ArticleMaker) -> None:
    draft = article("The median was [@run:@run#baseline/c1/tpot.p50].", run="@demo")
    with pytest.raises(FindingsError) as caught:
        make_document(draft, catalogue, bindings={"@run": "@demo"})
    assert [problem.code for problem in caught.value.problems] == ["LEDG108"]
    assert "12.3\u00a0ms" in make_document(draft, catalogue, bindings={"@run": "demo-run"}).body


BLOCKS = {
    "claims": ('table\nkind = "claims"\ncaption = "All."\nsubject = "engine"', "| Statement | Label | Date | Source |"),
    "cells": (
        'table\nkind = "cells"\ncaption = "All."\nrun = "demo-run"\nmetrics = ["tpot.p50", "tpot.p95"]',
        "| Load | Arm | TPOT, median, ms |",
    ),
    "comparisons": ('table\nkind = "comparisons"\ncaption = "All."\nrun = "demo-run"\nmetrics = ["tpot.p50"]', "ngram-4 against baseline"),
    "verdicts": (
        'table\nkind = "verdicts"\ncaption = "All."\nrun = "demo-run"',
        "| Is it no slower under load? | fail: worse | the interval lies above the bound |",
    ),
    "suites": ('table\nkind = "suites"\ncaption = "All."\nrun = "demo-run"', "| answers | baseline | 9 of 10 | 0 |"),
    "environment": ('table\nkind = "environment"\ncaption = "All."\nrun = "demo-run"', "| Hardware | 2 CPU cores |"),
    "memory": (
        'table\nkind = "memory"\ncaption = "All."\nrun = "demo-run"',
        "| ---: | ---: | ---: |\n| baseline | 257\u00a0MiB | 3.44% | 3.96\u00a0GiB |",
    ),
    "drills": (
        'table\nkind = "drills"\ncaption = "All."\nrun = "demo-run"',
        "From the fault to the next answer | 21.5\u00a0s |",
    ),
    "deviations": ('table\nkind = "deviations"\ncaption = "All."\nrun = "demo-run"', "none"),
    "conflict": ('conflict\nids = ["old-page", "new-page"]', "| Statement | The page warns"),
    "against": (
        'measured-against-claimed\nclaim = "blog-speedup"\nmeasured = "measured-ngram"',
        "| Model | Demo-7B | demo-135m | differs |",
    ),
    "proposed": ('proposed\nids = ["idea"]', "- Adaptive lengths would help."),
    "range": ('figure\nkind = "range"\ncaption = "All."\nquantities = ["blog-speedup#speedup"]', "![Speedup, x."),
    "latency": ('figure\nkind = "latency"\ncaption = "All."\nrun = "demo-run"\nmetric = "tpot.p50"', "| baseline | concurrency 1 |"),
    "acceptance": (
        'figure\nkind = "acceptance"\ncaption = "All."\nrun = "demo-run"',
        "| ngram-4 | concurrency 8 | 2 | 25.0% (15.0 to 35.0), n = 40 |",
    ),
}


@pytest.mark.parametrize("name", BLOCKS)
def test_blocks_print_what_they_ask_for(rendered: Renderer, name: str) -> None:
    fence, expected = BLOCKS[name]
    document = rendered(f"Before.\n```{fence}\n```\nAfter.")
    assert expected in document.markdown
    assert_rectangular(document.markdown)


def test_a_saturated_cell_is_flagged_in_prose_and_tables(catalogue: Catalogue, article: ArticleMaker) -> None:
    one = catalogue.by_id["demo-run"].record
    assert isinstance(one, Run)
    repeats = Measure(value=1, unit="count", n=40)
    outrun = [
        cell.model_copy(update={"metrics": {**cell.metrics, "saturation.repeats": repeats}}) if cell.load == "c8" else cell
        for cell in one.cells
    ]
    changed = replace(catalogue.by_id["demo-run"], record=one.model_copy(update={"cells": tuple(outrun)}))
    overrun = Catalogue([entry for entry in catalogue if entry.record.id != "demo-run"] + [changed])
    text = "At [@run:demo-run#baseline/c1/tpot.p50], then [@run:demo-run#baseline/c8/tpot.p50].\n\n"
    body = make_document(article(f"{text}```{BLOCKS['cells'][0]}\n```\n"), overrun).markdown
    assert body.count("[saturated") == 3
    assert "20.4\u00a0ms \\[saturated\\]" in body
    assert "saturated" not in make_document(article(f"{text}```{BLOCKS['cells'][0]}\n```\n"), catalogue).markdown


def assert_rectangular(markdown: str) -> None:
    """Every table row has as many cells as its header."""
    width = 0
    for line in markdown.split("\n"):
        cells = len(re.findall(r"(?<!\\)\|", line)) if line.startswith("|") else 0
        if cells and width:
            assert cells == width, line
        width = cells


def test_prices_and_unit_costs_in_a_pricing_document(rendered: Renderer) -> None:
    document = rendered(
        "The list says [@h100-price#amount], or [@h100-price#per-gpu-hour].\n\n"
        '```prices\ncaption = "Series."\nitem = "cloud/h100-8x"\n```\n',
        side="pricing",
    )
    assert "**Table 1.** Series. [price](#label-price) In every row" in document.body
    assert "98.32\u00a0USD per instance-hour, or 12.29\u00a0USD per GPU-hour." in document.body
    assert "[price · list](#label-price)" in document.body
    lines = [line for line in document.body.split("\n") if line.startswith("|")]
    assert [line.split(" | ")[0] for line in lines[2:]] == ["| 110.00", "| 98.32"]
    assert lines[0] == "| Price, USD | Per GPU-hour, USD | Observed | Basis |"
    assert "In every row: item cloud/h100-8x; per instance-hour; kind on-demand; region us-east-1; tax excluded." in document.body
    assert_rectangular(document.markdown)


def test_the_hash_follows_meaning_and_nothing_else(catalogue: Catalogue) -> None:
    draft = make_article("Gains shrink [@paper-gains].")
    first = make_document(draft, catalogue).hash
    with_prices = Catalogue(entry for entry in catalogue if entry.record.KIND != "cost")
    assert make_document(draft, with_prices).hash == first
    assert make_document(draft.model_copy(update={"note": "later"}), catalogue).hash == first
    assert make_document(draft.model_copy(update={"summary": "Other."}), catalogue).hash != first


def test_hostile_records_print_literally(rendered: Renderer) -> None:
    document = rendered('- [@hostile]\n- [@fetching]\n\n```table\nkind = "claims"\ncaption = "x"\nids = ["hostile", "fetching"]\n```')
    assert_rectangular(document.markdown)
    assert not re.search(r"(?<!\\)<(?!a id=|/a>|https?://)", document.markdown)
    assert "\x1b" not in document.markdown
    assert "\u202e" not in document.markdown


def test_rows_of_one_name_stay_apart(rendered: Renderer) -> None:
    block = (
        'figure\nkind = "range"\ncaption = "x"\nquantities = ["blog-speedup#speedup", "blog-speedup#speedup"]\nlabels = ["same", "same"]'
    )
    svg = rendered(f"```{block}\n```").figures["figure-1"].svg
    heights = re.findall(r'translate\((?:-?[\d.]+),([\d.]+)\)"[^>]*>same ', svg)
    assert len(set(heights)) == 2


def test_one_axis_has_one_unit(rendered: Renderer) -> None:
    block = 'figure\nkind = "range"\ncaption = "x"\nquantities = ["blog-speedup#speedup", "measured-ngram#after"]'
    with pytest.raises(FindingsError) as caught:
        rendered(f"```{block}\n```")
    assert "quantities in x and ms on one axis" in caught.value.problems[0].message


def test_cells_stand_by_load_with_what_all_withhold_told_once(rendered: Renderer) -> None:
    document = rendered(f"```{BLOCKS['cells'][0]}\n```")
    assert "In every row: TPOT, p95 withheld (n = 40, needs 72)." in document.body
    assert [line for line in document.body.split("\n") if line.startswith("|")] == [
        "| Load | Arm | TPOT, median, ms |",
        "| --- | --- | ---: |",
        "| concurrency 1 | baseline | 12.3 (11.7 to 13.0) |",
        "|   | ngram-4 | 11.1 (10.5 to 11.8) |",
        "| concurrency 8 | baseline | 20.4 (19.4 to 21.6) |",
        "|   | ngram-4 | 26.7 (25.4 to 28.3) |",
    ]


def test_a_pricing_document_names_the_article_that_it_prices() -> None:
    technical = make_article("Text.", id="technical", title="Speculation under load")
    catalogue = Catalogue(Entry(record, "x") for record in (*records(), technical))
    document = make_document(make_article("Text.", side="pricing", technical_edition="technical"), catalogue)
    assert "Prices the results of: *Speculation under load* (technical)" in document.markdown
    renamed = Catalogue(Entry(record, "x") for record in (*records(), technical.model_copy(update={"title": "Another"})))
    assert make_document(make_article("Text.", side="pricing", technical_edition="technical"), renamed).hash != document.hash
