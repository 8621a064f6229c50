"""Pydantic's errors in the ledger's own words: where, what was found and expected, how to mend it."""

from collections.abc import Collection, Iterator
from difflib import get_close_matches
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from ledger.errors import FieldPath

SchemaError = tuple[FieldPath, str, str]
"""Field, message, remedy."""


def problems_of(error: ValidationError, data: object, model: type[BaseModel]) -> Iterator[SchemaError]:
    """Yield one error for each faulty field; what every branch of a union expected is joined into one."""
    by_field: dict[FieldPath, list[ErrorDetails]] = {}
    for detail in error.errors(include_url=False):
        by_field.setdefault(_field_of(detail, data), []).append(detail)
    for field, details in by_field.items():
        if not _is_short_of_faulty_items(field, details, by_field):
            yield (field, *_words(field, details, _keys_beside(field, model)))


def _is_short_of_faulty_items(field: FieldPath, details: list[ErrorDetails], faulty: Collection[FieldPath]) -> bool:
    """Whether a list is called too short only since some of its items are faulty, which are findings of their own."""
    is_short = all(detail["type"] == "too_short" for detail in details)
    return is_short and any(len(other) > len(field) and other[: len(field)] == field for other in faulty)


def _field_of(detail: ErrorDetails, data: object) -> FieldPath:
    """Return the keys of an error that exist in the data, without pydantic's labels of union branches, with a missing last key."""
    path: list[str | int] = []
    for part in detail["loc"]:
        if isinstance(data, dict) and part in data:
            data = data[part]
        elif isinstance(data, list | tuple) and isinstance(part, int):
            data = data[part] if part < len(data) else None
        elif not (detail["type"] == "missing" and part == detail["loc"][-1]):
            continue
        path.append(part)
    return tuple(path)


def _keys_beside(field: FieldPath, model: type[BaseModel]) -> tuple[str, ...]:
    """The keys that may stand where a field stands."""
    parts = [model]
    for name in field[:-1]:
        inner = [part.model_fields[name].annotation for part in parts if isinstance(name, str) and name in part.model_fields]
        parts = [part for annotation in inner for part in _parts_in(annotation)] or parts
    return tuple(known.alias or name for part in parts for name, known in part.model_fields.items())


def _parts_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from _parts_in(argument)


def _words(field: FieldPath, details: list[ErrorDetails], known_keys: tuple[str, ...]) -> tuple[str, str]:
    name = ".".join(str(part) for part in field)
    first = details[0]
    if first["type"] == "missing":
        return f"{name}: missing", "Add it."
    if first["type"] == "extra_forbidden":
        near = get_close_matches(str(field[-1]), known_keys, n=1)
        return f"{name}: unknown key", f"Did you mean {near[0]}?" if near else "Remove it, or move it to note."
    expected = " or ".join(dict.fromkeys(_expected(detail) for detail in details))
    got = "" if expected.startswith("got ") else f"got {_shown(first['input'])}, expected "
    return f"{name}: {got}{expected}", "Mend the value."


def _expected(detail: ErrorDetails) -> str:
    """What one branch wanted, in words."""
    context: dict[str, Any] = detail.get("ctx", {})
    match detail["type"]:
        case "value_error" | "assertion_error":
            return str(context.get("error", detail["msg"]))
        case "literal_error":
            return str(context["expected"]).replace("'", '"')
        case "string_pattern_mismatch" if context["pattern"].startswith("^[a-z0-9]"):
            return "lower-case letters and digits joined by hyphens"
        case "string_pattern_mismatch":
            return f"text of the form {context['pattern']}"
        case "string_too_short":
            return "some text"
    text = detail["msg"].removeprefix("Input should be ").removeprefix("a valid ")
    return text[0].lower() + text[1:]


def _shown(value: object) -> str:
    text = f'"{value}"' if isinstance(value, str) else repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
