"""The PDF: the same bytes everywhere, everything inside the page, nothing fetched, the evidence attached."""

import json
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any, cast

import pytest
from pypdf import PageObject, PdfReader

from ledger.errors import EnvironmentFaultError, FindingsError
from ledger.model.catalogue import Catalogue
from ledger.render.article.document import Document
from ledger.render.page.html import render_html
from ledger.render.page.pdf import render_pdf
from tests.render.conftest import LONG_URL, make_article, make_document

ROOT = Path(__file__).resolve().parents[3]
NUMBERS = [f"10{number}.25" for number in range(11111, 26111, 1000)]
WIDE = f"| {' | '.join(f'col{number:02}' for number in range(1, 17))} |\n|{' --- |' * 16}\n| {' | '.join([*NUMBERS, 'ENDCOL-9F3'])} |"
PROSE = f"""# First part

- [@hostile]
- [@fetching]

{WIDE}

Then [@measured-ngram], and before [@old-page].

```figure
kind = "latency"
caption = "Time per output token."
run = "demo-run"
metric = "tpot.p50"
```
"""


def build(catalogue: Catalogue, prose: str, **fields: object) -> tuple[Document, bytes]:
    draft = make_article(prose, **fields)
    document = make_document(draft, catalogue)
    return document, render_pdf(render_html(document, draft), draft, document)


@pytest.fixture(scope="module")
def built(catalogue: Catalogue) -> tuple[Document, bytes]:
    return build(catalogue, PROSE)


@pytest.fixture(scope="module")
def reader(built: tuple[Document, bytes]) -> PdfReader:
    return PdfReader(BytesIO(built[1]))


def test_sixteen_columns_stay_inside_the_page(reader: PdfReader) -> None:
    """Case C35: all numbers and the last column are there, whole, and inside the page box."""
    found: dict[str, tuple[float, float, float]] = {}
    for page in reader.pages:

        def visit(text: str, outer: list[float], inner: list[float], _font: object, size: float, *, page: PageObject = page) -> None:
            for word in text.split():
                found[word] = (inner[4] * outer[0] + outer[4], float(page.mediabox.width), size * outer[0])

        page.extract_text(visitor_text=visit)
    for word in [*NUMBERS, "ENDCOL-9F3"]:
        assert word in found
        left, width, size = found[word]
        assert left >= 0
        assert left + len(word) * size * 0.6 <= width


def test_an_address_keeps_its_bytes_as_a_link(reader: PdfReader) -> None:
    links = {
        str(annotation.get_object()["/A"]["/URI"])
        for page in reader.pages
        for annotation in page.get("/Annots", [])
        if "/URI" in annotation.get_object().get("/A", {})
    }
    assert links == {LONG_URL, "https://vendor.example/vendor-blog"}


def test_text_is_literal(reader: PdfReader) -> None:
    text = re.sub(r"\s+", " ", " ".join(page.extract_text() for page in reader.pages))
    assert "{{ 7*7 }}" in text
    assert "<script>alert(1)</script>" in text
    assert "SUPERSEDED 2026-02-12" in text.upper()
    assert "1 of " in text


def test_it_is_tagged_archival_and_declares_both(reader: PdfReader) -> None:
    catalog: Any = reader.trailer["/Root"]
    assert catalog["/MarkInfo"]["/Marked"]
    assert catalog["/Lang"] == "en"
    xmp = catalog["/Metadata"].get_data().decode()
    assert 'pdfaid:part="3"' in xmp
    assert 'pdfaid:conformance="A"' in xmp
    assert "<pdfuaid:part>1</pdfuaid:part>" in xmp
    assert str(reader.metadata["/CreationDate"]).startswith("D:20261130")  # type: ignore[index]


def test_figures_have_words_and_headings_have_levels(reader: PdfReader) -> None:
    elements = list(_elements(cast("Any", reader.trailer["/Root"])["/StructTreeRoot"]))
    figures = [str(element["/Alt"]) for element in elements if element.get("/S") == "/Figure"]
    assert len(figures) == 1
    assert figures[0].startswith(
        "TPOT, median, ms. baseline, concurrency 1: 12.3 ms (11.7 to 13.0), n = 40; ngram-4, concurrency 1: 11.1 ms"
    )
    headings = [str(element["/S"]) for element in elements if re.fullmatch(r"/H\d", str(element.get("/S")))]
    assert headings[:2] == ["/H1", "/H2"]


def _elements(node: Any) -> Iterator[Any]:
    node = node.get_object()
    if isinstance(node, list):
        for child in node:
            yield from _elements(child)
    elif hasattr(node, "get"):
        yield node
        if "/K" in node:
            yield from _elements(node["/K"])


def test_the_evidence_travels_inside(built: tuple[Document, bytes], reader: PdfReader) -> None:
    attached = {name: content[0] for name, content in reader.attachments.items()}
    assert set(attached) == {"article.md", "records.json", "figures.json", "manifest.json"}
    manifest = json.loads(attached["manifest.json"])
    assert manifest["document"] == built[0].hash
    for name, digest in manifest["sha256"].items():
        assert sha256(attached[name]).hexdigest() == digest
    assert {entry["record"]["id"] for entry in json.loads(attached["records.json"])} == set(built[0].cited)


def test_a_build_connects_to_nothing(catalogue: Catalogue) -> None:
    """Case C47: a listener at the address that record text names hears nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.1)
        calls: list[object] = []
        thread = threading.Thread(target=lambda: _accept(listener, calls))
        thread.start()
        port = listener.getsockname()[1]
        build(catalogue, f'- [@fetching]\n\n![x](http://127.0.0.1:{port}/p.png) <img src="http://127.0.0.1:{port}/i.png">')
        thread.join()
    assert calls == []


def _accept(listener: socket.socket, calls: list[object]) -> None:
    try:
        calls.append(listener.accept())
    except TimeoutError:
        return


def test_what_would_be_fetched_is_refused(catalogue: Catalogue) -> None:
    draft = make_article("Text.")
    document = make_document(draft, catalogue)
    page = render_html(document, draft).replace("<article>", '<article><img alt="x" src="file:///etc/hostname">')
    with pytest.raises(FindingsError):
        render_pdf(page, draft, document)


def test_a_missing_target_is_an_error(catalogue: Catalogue) -> None:
    draft = make_article("Text.")
    document = make_document(draft, catalogue)
    page = render_html(document, draft).replace("<article>", '<article><p><a href="#nowhere">x</a></p>')
    with pytest.raises(FindingsError) as caught:
        render_pdf(page, draft, document)
    assert "nowhere" in caught.value.problems[0].message


def test_characters_without_a_glyph_are_spelled_out(catalogue: Catalogue) -> None:
    _, pdf = build(catalogue, "The title is 置信.")
    assert "[U+7F6E 4FE1]" in PdfReader(BytesIO(pdf)).pages[0].extract_text()


def test_missing_pango_is_told_with_its_packages(catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch) -> None:
    import builtins

    real = builtins.__import__

    def failing(name: str, *arguments: Any, **options: Any) -> Any:
        if name == "weasyprint":
            raise OSError("cannot load library 'libpango-1.0-0'")
        return real(name, *arguments, **options)

    draft = make_article("Text.")
    document = make_document(draft, catalogue)
    monkeypatch.setattr(builtins, "__import__", failing)
    with pytest.raises(EnvironmentFaultError, match=r"apt-get install libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0"):
        render_pdf("", draft, document)


def test_lint_loads_nothing_heavy() -> None:
    heavy = "{'weasyprint', 'vl_convert', 'nh3', 'jinja2', 'fontTools'}"
    script = f"import sys, ledger.render.article.lint, ledger.render.page.pdf; print({heavy} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True, capture_output=True, text=True)
    assert done.stdout == "set()\n"


SCRIPT = """
import sys
from pathlib import Path
sys.path.insert(0, {root!r})
from ledger.model.catalogue import Catalogue, Entry
from tests.render.conftest import records
from tests.render.page.test_pdf import PROSE, build
document, pdf = build(Catalogue(Entry(record, "x") for record in records()), PROSE)
Path("out.pdf").write_bytes(pdf)
Path("out.md").write_text(document.markdown, encoding="utf-8")
"""


def test_two_processes_in_two_folders_make_the_same_bytes(tmp_path: Path, built: tuple[Document, bytes]) -> None:
    for name, seed in (("one", "1"), ("two/deeper", "2")):
        folder = tmp_path / name
        folder.mkdir(parents=True)
        script = SCRIPT.format(root=str(ROOT))
        environment = {"PYTHONHASHSEED": seed, "TZ": "Asia/Tokyo" if seed == "2" else "UTC", "PATH": "/usr/bin:/bin", "HOME": str(folder)}
        subprocess.run([sys.executable, "-c", script], cwd=folder, env=environment, check=True)
    for name in ("out.pdf", "out.md"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two/deeper" / name).read_bytes()
    assert (tmp_path / "one" / "out.pdf").read_bytes() == built[1]
