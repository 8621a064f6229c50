"""A record as the text of its file: TOML as people write it, JSON for what machines write.

Fields stand in the order of the model, a field that holds its default is left out, dates are TOML's own, and a list of
tables has one table a line.
"""

import json
import unicodedata
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from decimal import Decimal
from pathlib import PurePosixPath
from typing import Any

import tomlkit

from ledger.model.kinds import FOLDERS
from ledger.model.record import Part, Record
from ledger.model.values.values import PartialDate
from ledger.store.files.settings import Settings

WRITTEN_BY_MACHINES = ("run", "edition")
"""Kinds whose files are JSON."""
_LINE = 120
"""Characters up to which a list of texts stays on one line."""
_LAST = ("supersedes", "author", "note")
"""Fields that stand below the others."""


def record_path(settings: Settings, kind: str, record_id: str) -> str:
    """Return the path of a record's file, relative to the ledger's root."""
    suffix = ".json" if kind in WRITTEN_BY_MACHINES else ".toml"
    return (PurePosixPath(settings.paths.records) / FOLDERS[kind] / f"{record_id}{suffix}").as_posix()


def compose(record: Record) -> str:
    """Return the content of a file that holds one record; reading it gives an equal record."""
    if record.KIND in WRITTEN_BY_MACHINES:
        data = {record.KIND: [record.model_dump(mode="json", by_alias=True, exclude_defaults=True)]}
        return json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    lines = [f"{_key(name)} = {_value(value)}" for name, value in plain_fields(record).items()]
    return "\n".join([f"[[{record.KIND}]]", *lines, ""])


def plain_fields(record: Record) -> dict[str, Any]:
    """Return the fields of a record that differ from their defaults, as values that TOML knows, in the order of the file."""
    fields = dict(_fields(record))
    return {name: fields[name] for name in (*(name for name in fields if name not in _LAST), *(name for name in _LAST if name in fields))}


def _fields(part: Part) -> Iterator[tuple[str, Any]]:
    for name, field in type(part).model_fields.items():
        value = getattr(part, name)
        if field.is_required() or value != field.get_default():
            yield field.alias or name, _plain(value)


def _plain(value: object) -> Any:
    match value:
        case Part():
            return dict(_fields(value))
        case Mapping():
            return {key: _plain(item) for key, item in value.items()}
        case list() | tuple():
            return [_plain(item) for item in value]
        case Decimal():
            return format(value, "f")
        case PartialDate():
            return value.first if value.precision == "day" else value.text  # a time stays the text it was read from
    return value


def _value(value: object) -> str:
    """Return a value in TOML; a list of tables, or one too long for a line, has an item a line."""
    if isinstance(value, list) and value:
        items = [_inline(item) for item in value]
        line = f"[{', '.join(items)}]"
        if isinstance(value[0], dict) or len(line) > _LINE:
            return "[\n" + "".join(f"  {item},\n" for item in items) + "]"
        return line
    return _inline(value)


def _inline(value: object) -> str:
    match value:
        case dict():
            pairs = ", ".join(f"{_key(key)} = {_inline(item)}" for key, item in value.items())
            return f"{{ {pairs} }}" if pairs else "{}"
        case list():
            return f"[{', '.join(map(_inline, value))}]"
        case str():
            return "".join(map(_escape, tomlkit.string(value).as_string()))
        case bool() | int() | float() | datetime() | date():
            return tomlkit.item(value).as_string()
    raise TypeError(f"TOML holds no {type(value).__name__}")


def _key(name: str) -> str:
    return "".join(map(_escape, tomlkit.key(name).as_string()))


def _escape(char: str) -> str:
    """Return a character as it stands in a file: one that would hide or turn text in an editor as its number."""
    if unicodedata.category(char) not in ("Cc", "Cf", "Co", "Zl", "Zp"):
        return char
    return f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}"
