"""The page: self-contained, literal, with only the sources' addresses live."""

import re
from html.parser import HTMLParser

import pytest

from ledger.errors import UsageError
from ledger.model.catalogue import Catalogue
from ledger.render.page.html import render_html
from tests.render.conftest import LONG_URL, make_article, make_document

PROSE = """See [the post](https://vendor.example/vendor-blog) and [another](https://elsewhere.example/x) by
<b>hand</b>, ![picture](http://127.0.0.1:9/p.png), [@blog-speedup].

- [@hostile]
- [@fetching]

```table
kind = "claims"
caption = "All of them."
ids = ["hostile", "fetching", "blog-speedup"]
```

```figure
kind = "range"
caption = "One."
quantities = ["blog-speedup#speedup"]
labels = ["<b>Row</b> & co"]
```
"""


@pytest.fixture(scope="module")
def page(catalogue: Catalogue) -> str:
    draft = make_article(PROSE, title="A <title> & more", subtitle="With \u202e in it")
    return render_html(make_document(draft, catalogue), draft)


def without_styles(page: str) -> str:
    return re.sub(r"<style.*?</style>", "", page, flags=re.DOTALL)


def links(page: str) -> list[str]:
    """Where the links of a page lead, as a browser reads it."""
    found: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found.extend(value or "" for name, value in attrs if name in ("href", "src"))

    Reader().feed(page)
    return found


def test_nothing_loads_and_nothing_runs(page: str) -> None:
    assert not re.search(r"<(script|img|iframe|object|embed|link|form|input|base)\b", page)
    assert not re.search(r"\son\w+=", without_styles(page))
    styles = "".join(re.findall(r"<style.*?</style>", page, re.DOTALL))
    assert not re.search(r"url\((?!\"data:font/woff2)", styles)
    assert "@import" not in styles


def test_only_addresses_of_cited_sources_are_live(page: str) -> None:
    targets = {target for target in links(page) if not target.startswith("#")}
    assert targets == {"https://vendor.example/vendor-blog", LONG_URL}


def test_text_stands_as_written(page: str) -> None:
    assert "{{ 7*7 }} {% raw %}" in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "&lt;b&gt;hand&lt;/b&gt;" in page
    assert "<title>A &lt;title&gt; &amp; more</title>" in page
    assert "\u202e" not in page
    assert "\x1b" not in page


def test_a_figure_is_drawn_and_told(page: str) -> None:
    assert '<svg xmlns="http://www.w3.org/2000/svg"' in page
    assert "<title>Speedup, x. &lt;b&gt;Row&lt;/b&gt; &amp; co, vendor-claimed · supplier: up to 2.8x.</title>" in page
    assert re.search(r"<details>.*up to 2\.8x.*</details>", page, re.DOTALL)


def test_the_table_has_caption_header_cells_and_widths(page: str) -> None:
    assert "<caption><strong>Table 1.</strong> All of them.</caption>" in page
    assert page.count('<th scope="col">') >= 4
    widths = [float(width) for width in re.findall(r'<col width="([\d.]+)%">', page)]
    assert sum(widths) == pytest.approx(100, abs=0.1)


def test_badges_lead_to_the_key(page: str) -> None:
    inside = {target.removeprefix("#") for target in links(page) if target.startswith("#")}
    assert "label-vendor-claimed" in inside
    for target in inside:
        assert f'id="{target}"' in page


def test_prose_headings_begin_below_the_title(catalogue: Catalogue) -> None:
    draft = make_article("# First\n\n## Second\n\nText.")
    html = render_html(make_document(draft, catalogue), draft)
    assert re.findall(r"<h(\d)[ >]", html)[:3] == ["1", "2", "3"]


def test_an_unknown_template_is_named(catalogue: Catalogue) -> None:
    draft = make_article("Text.", template="nowhere")
    with pytest.raises(UsageError, match=r'no template "nowhere.html.j2"; there is journal'):
        render_html(make_document(draft, catalogue), draft)
