"""Figures as SVG: the same bytes for the same data, nothing in them but shapes and text.

vl-convert draws them; the bundled fonts are registered, so that text is measured with the fonts it prints in.
"""

import re
from functools import cache
from xml.etree import ElementTree

from ledger.render import assets
from ledger.render.figures.acceptance_chart import acceptance_spec
from ledger.render.figures.palette import CONFIG, HATCH, RULE, Spec
from ledger.render.figures.plot import Plot
from ledger.render.figures.range_chart import range_spec
from ledger.render.figures.run_chart import run_spec

_VERSION = "6.4"
"""Of Vega-Lite; named, so that a newer vl-convert draws the same."""


def svg_of(plot: Plot, number: int) -> str:
    """Return a document's figure of that number as SVG text, checked to hold nothing but shapes and text."""
    return svg_from(SPECS.get(plot.kind, run_spec)(plot), plot.alt, number)


def svg_from(spec: Spec, alt: str, number: int) -> str:
    """Return a chart as SVG text with its description; `number` keeps its patterns apart from those of other figures on a page."""
    return _plain_svg(_draw({"config": CONFIG, "background": None} | spec), alt, number)


SPECS = {"range": range_spec, "acceptance": acceptance_spec}
"""Charts of their own; every other kind is a metric by load."""


def _draw(spec: Spec) -> str:
    import vl_convert  # starts a JavaScript engine; only figures need it

    _register_fonts()
    return str(vl_convert.vegalite_to_svg(spec, vl_version=_VERSION, allowed_base_urls=[]))


@cache
def _register_fonts() -> None:
    import vl_convert  # starts a JavaScript engine; only figures need it

    vl_convert.register_font_directory(str(assets.fonts()))


_TAGS = {"svg", "g", "path", "text", "tspan", "rect", "line", "circle", "defs", "clipPath", "title", "desc"}
_DROPPED = ("on", "aria", "role", "pointer-events")
_SVG = "http://www.w3.org/2000/svg"
_HATCHING = (
    f'<defs xmlns="{_SVG}"><pattern id="hatch-{{number}}" width="5" height="5" patternUnits="userSpaceOnUse">'
    f'<path d="M-1,1 L1,-1 M0,5 L5,0 M4,6 L6,4" stroke="{RULE}" stroke-width="0.8" /></pattern></defs>'
)


def _plain_svg(svg: str, alt: str, number: int) -> str:
    """Return the drawing with its description, without script, link or reference.

    Raises:
        ValueError: it holds an element that a chart of ours never has.
    """
    ElementTree.register_namespace("", _SVG)
    root = ElementTree.fromstring(svg.replace(HATCH, f"url(#hatch-{number})"))
    for element in root.iter():
        if (name := element.tag.rpartition("}")[2]) not in _TAGS:
            raise ValueError(f"a figure holds the element {name}")
        for attribute in [key for key in element.attrib if key.startswith(_DROPPED) or key.endswith("href")]:
            del element.attrib[attribute]
        for hidden in [child for child in element if child.get("display") == "none"]:
            element.remove(hidden)
    if HATCH in svg:
        root.insert(0, ElementTree.fromstring(_HATCHING.format(number=number)))
    title = ElementTree.Element(f"{{{_SVG}}}title")
    title.text = alt
    root.insert(0, title)
    root.set("role", "img")
    root.attrib.pop("xmlns:xlink", None)
    return re.sub(r'\s+class="[^"]*"', "", ElementTree.tostring(root, encoding="unicode"))
