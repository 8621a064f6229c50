"""Differences of two plain values are told leaf by leaf, by their path."""

from ledger.api.runs.leaf_differences import leaf_differences


def test_equal_values_have_none() -> None:
    assert list(leaf_differences({"a": [1, {"b": None}]}, {"a": [1, {"b": None}]})) == []


def test_each_leaf_is_named_by_its_path_with_both_values() -> None:
    before = {"cells": [{"arm": "base", "n": 3}, {"arm": "ngram"}], "gone": {"value": 1.5, "unit": "s"}}
    after = {"cells": [{"arm": "base", "n": 4}, {"arm": "base"}], "new": {"reason": "no data"}}
    assert list(leaf_differences(before, after)) == [
        (("cells", 0, "n"), "says 3, the evidence gives 4."),
        (("cells", 1, "arm"), "says 'ngram', the evidence gives 'base'."),
        (("gone",), "says 1.5 s, the evidence gives nothing."),
        (("new",), "is not there, the evidence gives no data."),
    ]


def test_a_list_of_another_length_is_one_difference() -> None:
    assert list(leaf_differences({"a": [1, 2]}, {"a": [1]})) == [(("a",), "has 2 entries, the evidence gives 1.")]


def test_kinds_are_told_apart_and_long_values_cut() -> None:
    [(path, message)] = leaf_differences({"a": True}, {"a": 1})
    assert (path, message) == (("a",), "says True, the evidence gives 1.")
    [(_, long)] = leaf_differences({"a": "x" * 500}, {"a": ""})
    assert len(long) < 130
