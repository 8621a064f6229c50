"""The glossary: a term is explained where it occurs, and nowhere else."""

import pytest

from ledger.render.glossary import LABELS, TERMS, terms_in


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Nothing to explain.", ()),
        ("The median TTFT rose.", ("TTFT",)),
        ("The p99 of the TPOT, with its 95 % interval.", ("TPOT", "interval", "p95")),
        ("two chunk gaps, then one Chunk gap", ("chunk gap",)),
        ("reliability b, but not reliability of engines", ("reliability",)),
        ("retracted and withdrawn", ("withdrawn",)),
        ("TTFTs and unsaturated", ()),
    ],
)
def test_terms_are_those_that_occur(text: str, terms: tuple[str, ...]) -> None:
    assert tuple(term for term, _ in terms_in(text)) == terms


def test_terms_keep_their_order_and_have_one_meaning() -> None:
    names = [term for term, _, _ in TERMS]
    assert len(set(names)) == len(names)
    every = " ".join(
        ("TTFT TPOT ITL chunk gap longest stall acceptance saturated withheld 95 % p95 as of reliability a", "superseded withdrawn")
    )
    assert [term for term, _ in terms_in(every)] == names


def test_labels_stand_in_the_order_of_the_key() -> None:
    assert list(LABELS) == ["measured", "unplanned", "vendor-claimed", "proposed", "price"]
