"""The meaning hash: blind to form, sensitive to every field that carries meaning."""

from collections.abc import Callable
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from inline_snapshot import snapshot

from ledger.model.kinds import KINDS
from ledger.model.record import Record
from ledger.model.values.meaning import encode, meaning_hash

if TYPE_CHECKING:
    from tests.conftest import LedgerFolder

PLAIN = """\
[[claim]]
id = "c"
label = "vendor-claimed"
side = "technical"
subject = "demo/ngram"
statement = "A gain of {n}."
source = "page"
locator = "L2"
quantities = [{ name = "n", metric = "speedup", bound = "up-to", value = "2.8", unit = "x", conditions = { load = "1", model = "m" } }]
"""
SAME = """\
# A comment.
[[claim]]
note = "Read twice."
statement   =   "A gain of\\t {n}. "
locator = 'L2'
quantities = [
  { conditions = { model = "m", load = "1" }, unit = "x", value = "2.8", bound = "up-to", metric = "speedup", name = "n" },  # best row
]
source = "page"
subject = "demo/ngram"
side = "technical"
label = "vendor-claimed"
caveats = []
author = "W. Riter"
schema = 1
id = "c"
"""


def claim(text: str, folder: "LedgerFolder") -> Record:
    """Return the one record of a TOML text."""
    folder.write("records/c.toml", text)
    [entry] = folder.catalogue().entries
    return entry.record


def test_form_carries_no_meaning(ledger_folder: "LedgerFolder") -> None:
    assert meaning_hash(claim(PLAIN, ledger_folder)) == meaning_hash(claim(SAME, ledger_folder))


def test_the_hash_of_a_claim_stays_what_it_is(ledger_folder: "LedgerFolder") -> None:
    """Reviews and runs quote it: a change of the encoding needs a new version in front."""
    assert meaning_hash(claim(PLAIN, ledger_folder)) == snapshot("m1:e153509bb56a5ed9727310cfbd9ba1ed978836d40c99ffbf5e9ba7ddb0fdb8d5")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("vendor-claimed", "proposed"),
        ("technical", "pricing"),
        ("demo/ngram", "demo/eagle"),
        ("A gain", "A small gain"),
        ('"page"', '"other"'),
        ('"L2"', '"L3"'),
        ('"2.8"', '"2.80"'),
        ('"2.8"', '"2.9"'),
        ("up-to", "about"),
        ('unit = "x"', 'unit = "%"'),
        ('load = "1"', 'load = "8"'),
        ('id = "c"', 'id = "d"'),
        ('locator = "L2"', 'locator = "L2"\nasserted_on = 2025-01-01'),
        ('locator = "L2"', 'locator = "L2"\nsupersedes = {id = "b", because = "change", reason = "r"}'),
    ],
)
def test_every_edit_of_meaning_changes_it(old: str, new: str, ledger_folder: "LedgerFolder") -> None:
    assert old in PLAIN
    assert meaning_hash(claim(PLAIN, ledger_folder)) != meaning_hash(claim(PLAIN.replace(old, new), ledger_folder))


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_each_meaning_field_counts_and_no_other(
    kind: str, records_of: Callable[[str], SearchStrategy[Record]], data: st.DataObject
) -> None:
    one, other = data.draw(records_of(kind)), data.draw(records_of(kind))
    for name in type(one).model_fields:
        mixed = one.model_copy(update={name: getattr(other, name)})
        same_value = encode_of(mixed, name) == encode_of(one, name)
        carries = name in (*type(one).MEANING, "id", "supersedes")
        assert (meaning_hash(mixed) == meaning_hash(one)) == (same_value or not carries), name


def encode_of(record: Record, name: str) -> bytes:
    """Return one field in canonical form, empty where it says nothing beyond its default."""
    value: Any = record.model_dump(include={name}, exclude_none=True, exclude_defaults=True)
    return encode(value)


@given(st.lists(st.text(max_size=4), max_size=4), st.lists(st.text(max_size=4), max_size=4))
def test_lists_never_run_together(one: list[str], other: list[str]) -> None:
    folded = [[" ".join(text.split()) for text in texts] for texts in (one, other)]
    assert (encode(one) == encode(other)) == (folded[0] == folded[1])


@pytest.mark.parametrize(
    ("one", "other"), [(1, True), (1, "1"), (1, 1.0), (Decimal("2.8"), "2.8"), ([], {}), ([[]], []), (None, ""), (["a", "b"], ["ab"])]
)
def test_values_of_two_types_are_told_apart(one: object, other: object) -> None:
    assert encode(one) != encode(other)


def test_every_meaning_field_is_a_field_and_the_rest_is_said() -> None:
    free = {
        kind: sorted(set(model.model_fields) - {*model.MEANING, "id", "supersedes", "schema_", "note"}) for kind, model in KINDS.items()
    }
    assert all(set(model.MEANING) <= set(model.model_fields) for model in KINDS.values())
    assert {kind: names for kind, names in free.items() if names} == snapshot(
        {
            "source": ["captures", "recheck_days", "reliability", "volatility"],
            "claim": ["author"],
            "cost": ["author"],
            "workload": ["author"],
            "suite": ["author"],
            "protocol": ["author"],
            "run": ["author", "duration_s"],
            "article": ["prose_line"],
        }
    )
