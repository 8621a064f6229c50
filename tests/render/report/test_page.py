"""The page of a comparison: one file that fetches nothing, the same bytes each time, record text printed and never run."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from ledger.render.report.page import page_html
from ledger.render.report.ratio_chart import figures_svg
from ledger.render.report.report import RunReport
from tests.render.report_fixtures import cells_of, hostile_run, planned, ran, reported

SVG = "{http://www.w3.org/2000/svg}"


class Page(HTMLParser):
    """Tags with their attributes, and the text outside styles."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self._in_style = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._in_style = tag == "style"

    def handle_endtag(self, tag: str) -> None:
        self._in_style = False

    def handle_data(self, data: str) -> None:
        if not self._in_style:
            self.text += data

    def of(self, tag: str) -> Iterator[dict[str, str | None]]:
        """Attributes of every tag of a name."""
        return (attributes for name, attributes in self.tags if name == tag)


@pytest.fixture(scope="module")
def report() -> RunReport:
    return reported((ran(planned()), planned()))


@pytest.fixture(scope="module")
def page(report: RunReport) -> Page:
    return Page(page_html(report))


def test_the_same_run_gives_the_same_bytes(report: RunReport) -> None:
    assert page_html(report) == page_html(reported((ran(planned()), planned())))
    assert figures_svg(report.figures) == figures_svg(report.figures)


def test_nothing_is_fetched_or_run(page: Page) -> None:
    assert not {"script", "link", "img", "iframe", "object"} & {tag for tag, _ in page.tags}
    assert not [
        value for _, attributes in page.tags for name, value in attributes.items() if name.startswith("on") or name in ("src", "href")
    ]
    assert next(attributes["lang"] for attributes in page.of("html")) == "en"


def test_record_text_is_printed_and_never_markup() -> None:
    html = page_html(reported((hostile_run(planned()), planned())))
    page = Page(html)
    assert not {"script", "b", "img"} & {tag for tag, _ in page.tags}
    assert "<script>alert(1)</script>" in page.text
    assert "{{ 7*7 }}" in page.text
    assert not any(sign in html for sign in ("\x1b", "\x07", "\u202e"))


def test_tables_are_headed_and_say_whose_they_are(page: Page) -> None:
    scopes = [attributes.get("scope") for attributes in page.of("th")]
    assert set(scopes) == {"col", "row", "rowgroup"}
    assert sum(1 for _ in page.of("caption")) == sum(1 for _ in page.of("table"))
    assert page.text.count("measured, planned · run demo-run · protocol demo-plan (m1:") >= sum(1 for _ in page.of("table"))


def test_a_figure_has_a_title_a_description_a_caption_and_a_table(report: RunReport) -> None:
    html = page_html(report)
    drawn = re.findall(r"<svg.*?</svg>", html, flags=re.DOTALL)
    assert len(drawn) == html.count("<figcaption") == html.count("The figure as a table")
    for svg in drawn:
        root = ElementTree.fromstring(svg)
        assert root.get("role") == "img"
        assert root.findtext(f"{SVG}title")
        assert root.findtext(f"{SVG}desc")
    assert "1.31x (1.20 to 1.42), n = 40, rule no-slower: at most 1x" in html


def test_a_partial_unplanned_run_says_so_above_its_numbers() -> None:
    plan = planned()
    run = ran(plan, planned=False, status="partial", cells=cells_of(ran(plan))[:3])
    page = Page(page_html(reported((run, plan))))
    assert page.text.index("is partial") < page.text.index("is unplanned") < page.text.index("Rubric")
    assert "measured, unplanned" in page.text
    assert "no verdict" in page.text


def test_a_file_of_figures_says_whose_they_are(report: RunReport) -> None:
    root = ElementTree.fromstring(figures_svg(report.figures))
    words = " ".join(text for element in root.iter(f"{SVG}text") for text in element.itertext())
    assert "measured, planned · run demo-run" in words
    assert "rule no-slower: at most 1x" in words
    assert not [key for element in root.iter() for key in element.attrib if key.endswith("href")]
