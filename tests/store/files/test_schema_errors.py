"""Pydantic's errors in the ledger's words."""

from typing import Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ledger.store.files.schema_errors import problems_of


class Inner(BaseModel):
    """A part with one field."""

    model_config = ConfigDict(extra="forbid")
    amount: int


class Outer(BaseModel):
    """A record with a field of each sort."""

    model_config = ConfigDict(extra="forbid")
    label: Literal["a", "b"] = "a"
    name: str = Field(default="x", min_length=1)
    slug: str = Field(default="x", pattern="^[a-z0-9]+$")
    count: int | Literal["unknown"] = 1
    parts: tuple[Inner, ...] = ()
    kind: str = Field(default="k", alias="type")


def errors(**data: Any) -> list[tuple[tuple[str | int, ...], str, str]]:
    """Field, message and remedy of every fault of some data."""
    with pytest.raises(ValidationError) as refused:
        Outer.model_validate(data)
    return list(problems_of(refused.value, data, Outer))


def test_a_literal_names_what_was_found_and_what_may_stand_there() -> None:
    assert errors(label="c") == [(("label",), 'label: got "c", expected "a" or "b"', "Mend the value.")]


def test_an_unknown_key_suggests_the_nearest_by_its_name_in_the_file() -> None:
    assert errors(tipe="x") == [(("tipe",), "tipe: unknown key", "Did you mean type?")]
    assert errors(zzzzzz="x") == [(("zzzzzz",), "zzzzzz: unknown key", "Remove it, or move it to note.")]
    assert errors(parts=[{"amount": 1, "amont": 2}])[0][2] == "Did you mean amount?"


def test_a_missing_key_is_placed_below_its_list_element() -> None:
    assert errors(parts=[{"amount": 1}, {}]) == [(("parts", 1, "amount"), "parts.1.amount: missing", "Add it.")]


def test_the_branches_of_a_union_are_one_error() -> None:
    [(field, message, _remedy)] = errors(count="many")
    assert field == ("count",)
    assert message.startswith('count: got "many", expected integer')
    assert message.endswith('or "unknown"')


def test_empty_text_and_a_slug_have_words_of_their_own() -> None:
    assert errors(name="")[0][1] == 'name: got "", expected some text'
    assert errors(slug="Not so")[0][1] == 'slug: got "Not so", expected lower-case letters and digits joined by hyphens'


def test_a_long_value_is_cut() -> None:
    [(_field, message, _remedy)] = errors(label="x" * 100)
    assert message == f'label: got "{"x" * 56}..., expected "a" or "b"'


def test_a_list_whose_items_are_faulty_is_not_called_too_short_as_well() -> None:
    """A protocol with one broken arm of two got a second, false finding."""

    class Pair(BaseModel):
        """At least two parts."""

        parts: tuple[Inner, ...] = Field(min_length=2)

    def found(*parts: dict[str, Any]) -> list[tuple[str | int, ...]]:
        with pytest.raises(ValidationError) as refused:
            Pair.model_validate({"parts": list(parts)})
        return [field for field, _message, _remedy in problems_of(refused.value, {"parts": list(parts)}, Pair)]

    assert found({"amount": 1}, {"amount": "many"}) == [("parts", 1, "amount")]
    assert found({"amount": 1}) == [("parts",)]
