"""What travels inside a PDF: four files, of which the last has the hashes of the others."""

import json
from hashlib import sha256

from ledger.model.catalogue import Catalogue
from ledger.render.page.attachments import attachments
from tests.render.conftest import make_article, make_document

PROSE = 'So it is [@blog-speedup].\n\n```figure\nkind = "range"\ncaption = "x"\nquantities = ["blog-speedup#speedup"]\n```\n'


def test_files_have_names_relationships_and_hashes(catalogue: Catalogue) -> None:
    document = make_document(make_article(PROSE), catalogue)
    files = {file.name: file for file in attachments(document)}
    assert {name: file.relationship for name, file in files.items()} == {
        "article.md": "Source",
        "records.json": "Data",
        "figures.json": "Data",
        "manifest.json": "Data",
    }
    manifest = json.loads(files.pop("manifest.json").text)
    assert manifest == {"document": document.hash, "sha256": {n: sha256(f.text.encode()).hexdigest() for n, f in files.items()}}


def test_records_and_figures_are_those_of_the_document(catalogue: Catalogue) -> None:
    document = make_document(make_article(PROSE), catalogue)
    files = {file.name: file.text for file in attachments(document)}
    assert files["article.md"] == document.markdown
    cited = [(entry["kind"], entry["record"]["id"]) for entry in json.loads(files["records.json"])]
    assert cited == [("claim", "blog-speedup"), ("source", "vendor-blog")]
    [figure] = json.loads(files["figures.json"])
    assert (figure["name"], figure["header"]) == ("figure-1", ["What", "Label", "Value"])
    assert figure["rows"] == [["engine/ngram, Vendor project", "vendor-claimed · supplier", "up to 2.8x"]]
