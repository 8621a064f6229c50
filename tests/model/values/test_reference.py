"""References: the forms that name a number in a record, and what is none of them."""

import pytest
from pydantic import TypeAdapter, ValidationError

from ledger.model.values.reference import AnyReference, CellReference, FactReference, QuantityReference, Reference, parse_reference


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        ("run:r-1#base/c1/tpot.p50", CellReference("r-1", "base", None, "c1", None, "tpot", "p50")),
        ("run:@this#ngram-4~base/c8/service-ttft.p95", CellReference("@this", "ngram-4", "base", "c8", None, "service-ttft", "p95")),
        ("run:r#a.b/c1/r12/itl.max", CellReference("r", "a.b", None, "c1", 12, "itl", "max")),
        ("run:r#environment.gpu_driver", FactReference("r", "environment", "gpu_driver")),
        ("run:r#suite.answers/a~b/negative-controls", FactReference("r", "suite", "answers/a~b/negative-controls")),
        ("run:r#memory.a/kv-cache", FactReference("r", "memory", "a/kv-cache")),
        ("claim-1#speed.up", QuantityReference("claim-1", "speed.up")),
    ],
)
def test_a_reference_is_taken_apart(text: str, parsed: AnyReference) -> None:
    assert parse_reference(text) == parsed


@pytest.mark.parametrize("text", ["", "claim-1", "run:r", "run:r#base/c1", "run:r#base/c1/tpot", "Claim#x", "run:r#weather.rain", "a#b c"])
def test_what_is_no_reference_is_refused_with_the_forms_expected(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected run:ID#ARM/LOAD/METRIC\.STAT"):
        parse_reference(text)


def test_a_field_holds_a_reference_as_it_was_written() -> None:
    assert TypeAdapter(Reference).validate_python("claim-1#gain") == "claim-1#gain"
    with pytest.raises(ValidationError, match="got the reference"):
        TypeAdapter(Reference).validate_python("gain")
