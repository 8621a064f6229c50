"""What WeasyPrint does not write by itself: PDF/UA beside PDF/A, and addresses byte for byte.

PDF/A allows a property outside its own schemas only with a description of the schema that it comes from.
"""

from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

_DECLARATION = b"""<rdf:Description rdf:about="" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">
<pdfuaid:part>1</pdfuaid:part></rdf:Description>
<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
 xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
<pdfaSchema:schema>PDF/UA identification schema</pdfaSchema:schema>
<pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI>
<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>
<pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource">
<pdfaProperty:name>part</pdfaProperty:name><pdfaProperty:valueType>Integer</pdfaProperty:valueType>
<pdfaProperty:category>internal</pdfaProperty:category>
<pdfaProperty:description>Part of ISO 14289 to which the document conforms</pdfaProperty:description>
</rdf:li></rdf:Seq></pdfaSchema:property></rdf:li></rdf:Bag></pdfaExtension:schemas></rdf:Description>
"""
_END = b"</rdf:RDF>"


def declare_accessible(rendered: Any) -> None:
    """Make a rendered WeasyPrint document declare PDF/UA-1 in the metadata that it will write."""
    metadata = rendered.metadata
    generate = metadata.generate_rdf_metadata

    def with_declaration(variant: str, version: int, conformance: str) -> bytes:
        rdf: bytes = generate(variant, version, conformance)
        head, end, tail = rdf.rpartition(_END)
        if not end:
            raise ValueError("the metadata has no end to which PDF/UA could be added")
        return head + _DECLARATION + end + tail

    metadata.generate_rdf_metadata = with_declaration


def restore_addresses(file: Any, addresses: Iterable[str]) -> None:
    """Let links in a pydyf file lead to addresses as they were found; WeasyPrint percent-encodes some of their characters.

    Addresses with characters beyond ASCII stay encoded: a link in a PDF holds ASCII.
    """
    import pydyf  # type: ignore[import-untyped]  # WeasyPrint's own PDF writer; carries no types

    by_encoded = {quote(address, safe="/:?#[]@!$&'()*+,;=~%"): address for address in addresses if address.isascii()}
    for piece in file.objects:
        action = piece.get("A") if isinstance(piece, dict) else None
        if isinstance(action, dict) and "URI" in action and (address := by_encoded.get(action["URI"].string)):
            action["URI"] = pydyf.String(address)
