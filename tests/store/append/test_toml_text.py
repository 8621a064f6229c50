"""What is composed is read as the same record, and looks as a person would have written it."""

from datetime import date
from typing import Any

import pytest
import rtoml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from inline_snapshot import snapshot

from ledger.model.kinds import KINDS
from ledger.store.append.toml_text import compose, record_path
from ledger.store.files.reading import read_file
from ledger.store.files.settings import Settings

SOME = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "article"])
@SOME
@given(data=st.data())
def test_reading_what_was_composed_gives_the_same_record(kind: str, strategies: Any, data: st.DataObject) -> None:
    record = data.draw(strategies.part_of(KINDS[kind]))
    read = read_file(record_path(Settings(organisation="T"), kind, record.id), compose(record).encode())
    assert read.problems == ()
    assert [entry.record for entry in read.entries] == [record]


@SOME
@given(
    note=st.text(st.characters(exclude_categories=["Cs"]), max_size=40), key=st.from_regex(r"[a-z0-9]+([-_.][a-z0-9]+)*", fullmatch=True)
)
def test_any_text_and_any_key_survive(note: str, key: str) -> None:
    claim = KINDS["claim"].model_validate(
        {
            "id": "c",
            "label": "proposed",
            "side": "technical",
            "subject": "a",
            "statement": "S",
            "note": note,
            "values": {key[:60].strip("-_."): "a#b"},
        }
    )
    assert read_file("records/c.toml", compose(claim).encode()).entries[0].record == claim


def test_a_claim_looks_as_one_writes_it() -> None:
    fields = {
        "id": "a-claim",
        "label": "vendor-claimed",
        "side": "technical",
        "subject": "demo/ngram",
        "statement": 'It was {speedup} "faster".',
        "source": "page",
        "asserted_on": "2025-01-10",
        "quantities": [{"name": "speedup", "metric": "m", "bound": "up-to", "value": "2.80", "unit": "x", "conditions": {"n.gram": "4"}}],
        "caveats": ["one\u202eset"],
        "note": "two\nlines",
        "author": "Ada",
        "supersedes": {"id": "b", "because": "change", "reason": "r"},
    }
    assert compose(KINDS["claim"].model_validate(fields)) == snapshot(
        """\
[[claim]]
id = "a-claim"
label = "vendor-claimed"
side = "technical"
subject = "demo/ngram"
statement = "It was {speedup} \\"faster\\"."
source = "page"
asserted_on = 2025-01-10
quantities = [
  { name = "speedup", metric = "m", value = "2.80", bound = "up-to", unit = "x", conditions = { "n.gram" = "4" } },
]
caveats = ["one\\u202eset"]
supersedes = { id = "b", because = "change", reason = "r" }
author = "Ada"
note = "two\\nlines"
"""
    )


@pytest.mark.parametrize(("given_date", "written"), [("2025-01-10", date(2025, 1, 10)), ("2025-01", "2025-01"), ("2025", "2025")])
def test_a_date_keeps_its_precision(given_date: str, written: object) -> None:
    source = KINDS["source"].model_validate(
        {"id": "s", "title": "T", "publisher": "P", "type": "blog", "relation": "own", "licence": "L", "published_on": given_date}
    )
    assert rtoml.loads(compose(source))["source"][0]["published_on"] == written
