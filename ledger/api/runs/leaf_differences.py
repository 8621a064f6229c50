"""Where two plain values differ, leaf by leaf. Pure."""

from collections.abc import Iterator, Mapping

from ledger.errors import FieldPath

LONGEST = 80
"""Characters of a value in a message."""


def leaf_differences(before: object, after: object, path: FieldPath = ()) -> Iterator[tuple[FieldPath, str]]:
    """Yield path and message of every leaf that differs, in the order of the first value; a list of another length is one difference.

    Args:
        before: What is recorded: tables, lists and plain values.
        after: What the evidence gives.
        path: Where both stand.
    """
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in dict.fromkeys([*before, *after]):
            if key in before and key in after:
                yield from leaf_differences(before[key], after[key], (*path, key))
            elif key in before:
                yield (*path, key), f"says {_text(before[key])}, the evidence gives nothing."
            else:
                yield (*path, key), f"is not there, the evidence gives {_text(after[key])}."
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for place, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from leaf_differences(old, new, (*path, place))
    elif isinstance(before, list) and isinstance(after, list):
        yield path, f"has {len(before)} entries, the evidence gives {len(after)}."
    elif type(before) is not type(after) or before != after:
        yield path, f"says {_text(before)}, the evidence gives {_text(after)}."


def _text(value: object) -> str:
    if isinstance(value, Mapping) and "value" in value and "unit" in value:
        return f"{value['value']!r} {value['unit']}"
    if isinstance(value, Mapping) and "reason" in value:
        return str(value["reason"])
    text = repr(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
