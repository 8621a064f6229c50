"""A metric by load: names above marks or in a key, intervals cut at the axis, saturation hatched."""

from dataclasses import replace

from ledger.render.figures.plot import Plot
from ledger.render.figures.run_chart import placed, run_spec, shown
from ledger.render.figures.svg import svg_of
from tests.render.figures.svg_reading import svg_texts


def test_names_that_would_collide_stand_in_a_key(latency: Plot) -> None:
    long = tuple({**value, "arm": f"{value['arm']}-with-a-very-long-name-indeed"} for value in latency.values)
    crowded = replace(latency, values=long, arms=tuple(f"{arm}-with-a-very-long-name-indeed" for arm in latency.arms))
    assert svg_texts(svg_of(latency, 1)).count("ngram-4") == 2
    assert svg_texts(svg_of(crowded, 1)).count("ngram-4-with-a-very-long-name-indeed") == 1


def test_what_was_saturated_is_hatched(latency: Plot) -> None:
    saturated = replace(latency, values=tuple({**value, "saturated": value["order"] == 1.0} for value in latency.values))
    svg = svg_of(saturated, 7)
    assert svg.count('fill="url(#hatch-7)"') == 2
    assert '<pattern id="hatch-7"' in svg
    assert "hatch" not in svg_of(latency, 7)


def test_an_interval_ends_with_the_axis_and_says_that_it_goes_on() -> None:
    assert shown({"high": 400.0}, 33.0) == {"to": 33.0, "cut": True}
    assert shown({"high": 30.0}, 33.0) == {"to": 30.0, "cut": False}
    assert shown({"high": None}, 33.0) == {"to": None, "cut": False}


def test_arms_of_one_load_stand_side_by_side_around_its_middle() -> None:
    places = [placed({"arm": arm, "order": 1.0, "high": None}, ["a", "b"], [0.0, 1.0], top=9.0) for arm in ("a", "b")]
    assert [round(place["x"], 6) for place in places] == [0.8, 1.2]
    assert round(places[0]["right"], 6) == round(places[1]["left"], 6) == 1.0


def test_the_axis_begins_at_zero_and_leaves_room_above_the_highest_end(latency: Plot) -> None:
    highest = max(float(value["high"] or 0) for value in latency.values)
    domains = [layer["encoding"]["y"]["scale"]["domain"] for layer in run_spec(latency)["layer"] if "scale" in layer["encoding"]["y"]]
    assert domains
    assert all(domain[0] == 0 and domain[1] > highest for domain in domains)
