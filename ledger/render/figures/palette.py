"""Colours and type that every chart shares; shape and word come before colour."""

from typing import Any

Spec = dict[str, Any]
"""A Vega-Lite specification, or a part of one."""

INK, QUIET, RULE, GRID = "#1a1a1a", "#5a5a5a", "#c9c5bd", "#ecebe7"
SERIES = ("#1a1a1a", "#0072b2", "#b04a00", "#007a5a", "#8a3f7c")
"""Okabe and Ito's palette, darkened until each has a contrast of 4.5 on white."""
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right")
"""Not a multiple of the colours, so that a sixth arm does not look like the first."""
HATCH = "url(#hatch)"
"""Paint of what was measured under saturation; `charts` defines it."""
TEXT: Spec = {"font": "Ledger Sans", "fontSize": 10, "fill": INK}
CONFIG: Spec = {
    "font": "Ledger Sans",
    "view": {"stroke": None},
    "axis": {
        "labelFont": "Ledger Sans",
        "titleFont": "Ledger Sans",
        "labelFontSize": 10,
        "titleFontSize": 10,
        "titleFontWeight": "normal",
        "labelColor": INK,
        "titleColor": QUIET,
        "domainColor": RULE,
        "tickColor": RULE,
        "gridColor": GRID,
        "labelLimit": 240,
        "titleAnchor": "start",
        "titleAlign": "left",
    },
    "title": {
        "font": "Ledger Sans",
        "fontSize": 10,
        "fontWeight": "normal",
        "color": QUIET,
        "anchor": "start",
        "frame": "bounds",
        "offset": 9,
    },
    "header": {"title": None, "labelFont": "Ledger Sans", "labelFontSize": 10, "labelColor": INK, "labelAnchor": "start"},
    "legend": {
        "orient": "bottom",
        "direction": "horizontal",
        "title": None,
        "labelFont": "Ledger Sans",
        "labelFontSize": 10,
        "labelColor": INK,
        "labelLimit": 240,
        "symbolSize": 48,
        "symbolOpacity": 1,
        "columnPadding": 16,
        "offset": 10,
    },
}


def arm_scale(order: tuple[str, ...], arms: list[str], of: tuple[str, ...]) -> Spec:
    """Return the scale that gives each arm what belongs to its place in the protocol."""
    places = [order.index(arm) if arm in order else len(order) + index for index, arm in enumerate(arms)]
    return {"domain": arms, "range": [of[place % len(of)] for place in places]}
