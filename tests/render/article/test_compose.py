"""Prose as canonical Markdown: one mark where origins agree, figures and sources as marks, faults with their place."""

import pytest

from ledger.model.catalogue import Catalogue
from ledger.render.article.compose import MARK, compose
from tests.render.conftest import make_article

SUPPLIER = "[vendor-claimed · supplier](#label-vendor-claimed)"
FIGURE = '```figure\nkind = "range"\ncaption = "A *caption*."\nquantities = ["blog-speedup#speedup"]\n```'


def body(catalogue: Catalogue, prose: str) -> str:
    return compose(make_article(prose), catalogue).body


@pytest.mark.parametrize(
    ("prose", "printed"),
    [
        ("Nothing cited.", "Nothing cited.\n"),
        ("A [@blog-speedup], B [@old-page#x].", None),
        ("A [@blog-speedup], B [@new-page].", f"A, B.[1](#source-1) {SUPPLIER}\n"),
        (
            "A [@blog-speedup], B [@paper-gains].",
            "A,[1](#source-1) B.[2](#source-2) [vendor-claimed · supplier, method's authors](#label-vendor-claimed)\n",
        ),
    ],
)
def test_one_number_serves_where_all_citations_have_one_source(catalogue: Catalogue, prose: str, printed: str | None) -> None:
    composition = compose(make_article(prose), catalogue)
    if printed is None:
        assert [part.error.code for part in composition.unprintable] == ["LEDG105"]
    else:
        assert (composition.body, composition.unprintable) == (printed, [])


def test_figures_and_the_source_list_are_marks(catalogue: Catalogue) -> None:
    composition = compose(make_article(f"Before.\n{FIGURE}\n\n```sources\n```\nAfter."), catalogue)
    assert composition.body == f"Before.\n\n{MARK.format('figure-1')}\n\n{MARK.format('sources')}\n\nAfter.\n"
    assert composition.has_sources
    assert composition.figures["figure-1"].caption == f"A \\*caption\\*. {SUPPLIER}"


def test_a_mark_cannot_be_forged(catalogue: Catalogue) -> None:
    assert "\ue000" not in body(catalogue, f"Text {MARK.format('sources')} here.")


def test_tables_are_numbered_and_carry_the_badge_of_their_run(catalogue: Catalogue) -> None:
    table = '```table\nkind = "deviations"\ncaption = "x"\nrun = "demo-run"\n```'
    text = body(catalogue, f"{table}\n\n{table}")
    assert "**Table 1.** x[1](#source-1) [measured · our own](#label-measured)\n" in text
    assert "**Table 2.** x[1](#source-1)" in text


@pytest.mark.parametrize(
    ("prose", "code", "at"),
    [
        ("So [@nobody].", "LEDG101", "[@nobody"),
        ("So [@a b].", "LEDG100", "[@a b"),
        ("[@h100-price]", "LEDG103", "[@h100"),
        ('```conflict\nids = ["old-page", "nobody"]\n```', "LEDG101", "nobody"),
        ("```tabel\nx\n```", "LEDG110", "```tabel"),
    ],
)
def test_what_cannot_be_printed_is_kept_with_its_place(catalogue: Catalogue, prose: str, code: str, at: str) -> None:
    [part] = compose(make_article(prose), catalogue).unprintable
    assert part.error.code == code
    assert prose[part.offset :].startswith(at)


def test_code_stays_as_it_is(catalogue: Catalogue) -> None:
    prose = "```bash\nledger check  # [@nobody]\n```\n"
    assert body(catalogue, prose) == prose


@pytest.mark.parametrize(
    ("prose", "code", "offset", "printed"),
    [
        ("Fine.\n\nSo says [@nobody].", "LEDG101", 15, "Fine.\n\nSo says.\n"),
        ("[@nobody]", "LEDG101", 0, "\\[nobody\\]\n"),
        ("It is [@nobody#x] there.", "LEDG101", 6, "It is \\[nobody#x\\] there.\n"),
        ("So says [@paper-gains x].", "LEDG100", 8, "So says.\n"),
        ("Fine.\n\n```tabel\nkind = 1\n```", "LEDG110", 7, "Fine.\n\n\\[tabel\\]\n"),
    ],
)
def test_what_cannot_be_printed_is_noted_once_and_named(catalogue: Catalogue, prose: str, code: str, offset: int, printed: str) -> None:
    composed = compose(make_article(prose), catalogue)
    assert [(part.error.code, part.offset) for part in composed.unprintable] == [(code, offset)]
    assert composed.body == printed


def test_every_fault_is_noted(catalogue: Catalogue) -> None:
    composed = compose(make_article("A [@nobody; @noone]. B [@taken-back]."), catalogue)
    assert [(part.error.code, part.offset) for part in composed.unprintable] == [("LEDG101", 2), ("LEDG101", 2), ("LEDG102", 23)]
