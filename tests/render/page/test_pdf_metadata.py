"""What is added to WeasyPrint's metadata, and addresses as they were found."""

from types import SimpleNamespace
from typing import Any

import pydyf  # type: ignore[import-untyped]  # carries no types
import pytest

from ledger.render.page.pdf_metadata import declare_accessible, restore_addresses


def rendered(rdf: bytes) -> Any:
    """Stands for a rendered document, whose metadata writes these bytes."""
    return SimpleNamespace(metadata=SimpleNamespace(generate_rdf_metadata=lambda variant, version, conformance: rdf))


def test_pdf_ua_is_declared_inside_the_metadata() -> None:
    document = rendered(b"<rdf:RDF><old/></rdf:RDF><tail/>")
    declare_accessible(document)
    written = document.metadata.generate_rdf_metadata("pdf/a-3a", 3, "A")
    assert written.startswith(b"<rdf:RDF><old/><rdf:Description")
    assert b"<pdfuaid:part>1</pdfuaid:part>" in written
    assert written.endswith(b"</rdf:RDF><tail/>")


def test_metadata_without_an_end_is_refused() -> None:
    document = rendered(b"<rdf:RDF>")
    declare_accessible(document)
    with pytest.raises(ValueError, match="no end"):
        document.metadata.generate_rdf_metadata("pdf/a-3a", 3, "A")


def test_links_lead_to_the_address_as_it_was_found() -> None:
    address, foreign = 'https://a.example/x?b=2|3"', "https://a.example/ü"
    links = [pydyf.Dictionary({"A": pydyf.Dictionary({"URI": pydyf.String(uri)})}) for uri in ("https://a.example/x?b=2%7C3%22", "x")]
    restore_addresses(SimpleNamespace(objects=[*links, pydyf.Dictionary({"S": "/P"})]), [address, foreign])
    assert [link["A"]["URI"].string for link in links] == [address, "x"]


def restored(written: str, address: str) -> str:
    link = pydyf.Dictionary({"A": pydyf.Dictionary({"URI": pydyf.String(written)})})
    others: list[Any] = [pydyf.Stream(), pydyf.Dictionary(), pydyf.Dictionary({"A": pydyf.Dictionary({"D": pydyf.String(written)})})]
    restore_addresses(SimpleNamespace(objects=[*others, link]), [address])
    assert others[2]["A"]["D"].string == written
    return str(link["A"]["URI"].string)


@pytest.mark.parametrize(
    ("written", "address", "found"),
    [
        ("https://a.example/?a=2%7C3", "https://a.example/?a=2|3", "https://a.example/?a=2|3"),
        ("https://a.example/%41?b=1&c=(2)", "https://a.example/%41?b=1&c=(2)", "https://a.example/%41?b=1&c=(2)"),
        ("https://a.example/%C3%A9", "https://a.example/é", "https://a.example/%C3%A9"),
        ("https://b.example/%7C", "https://a.example/|", "https://b.example/%7C"),
    ],
)
def test_ascii_addresses_are_as_they_were_found(written: str, address: str, found: str) -> None:
    assert restored(written, address) == found
