"""What a drawn figure holds, read back from its SVG."""

import re
from xml.etree import ElementTree


def svg_texts(svg: str) -> list[str]:
    """Return every text of a figure, in the order drawn."""
    return [element.text or "" for element in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def mark_colours(svg: str) -> set[str]:
    """Return the fills of a figure's marks."""
    return set(re.findall(r'<path transform="[^"]*" d="[^"]*" fill="(#\w+)"', svg))
