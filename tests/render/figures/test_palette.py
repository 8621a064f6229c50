"""Colours and shapes that every chart shares."""

import pytest

from ledger.render.figures.palette import SERIES, SHAPES, arm_scale


def luminance(colour: str) -> float:
    """Relative luminance of an sRGB colour, as WCAG 2 defines it."""
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("colour", SERIES)
def test_every_colour_stands_out_from_white(colour: str) -> None:
    assert 1.05 / (luminance(colour) + 0.05) >= 4.5


def test_an_arm_keeps_the_colour_of_its_place_in_the_protocol() -> None:
    order = ("base", "ngram", "draft")
    assert arm_scale(order, ["draft"], SERIES) == {"domain": ["draft"], "range": [SERIES[2]]}
    assert arm_scale(order, ["base", "draft"], SERIES)["range"] == [SERIES[0], SERIES[2]]


def test_an_arm_beyond_the_protocol_comes_after_it() -> None:
    assert arm_scale(("base",), ["base", "stranger"], SERIES)["range"] == [SERIES[0], SERIES[2]]


def test_no_two_of_many_arms_look_alike() -> None:
    arms = [f"arm-{number}" for number in range(30)]
    colours, shapes = (arm_scale(tuple(arms), arms, of)["range"] for of in (SERIES, SHAPES))
    assert len(set(zip(colours, shapes, strict=True))) == 30
