"""One file into entries and problems: TOML and JSON records, Markdown drafts with TOML front matter.

A syntax error ends its own file; every other fault of the file is reported.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any

import rtoml
from pydantic import ValidationError

from ledger.errors import FieldPath, Problem
from ledger.model.catalogue import Entry
from ledger.model.kinds import KINDS
from ledger.model.record import SCHEMA, Record
from ledger.store.files.positions import Positions, json_positions, toml_positions
from ledger.store.files.schema_errors import problems_of

SUFFIXES = (".toml", ".json", ".md")
_AT = re.compile(r"(.*) at line (\d+) column (\d+)$", re.DOTALL)
_CONFLICT = re.compile(r"^(<{7}|={7}|>{7})( |$)")
_FENCE = "+++"


@dataclass(frozen=True, slots=True)
class FileRead:
    """What one file held."""

    entries: tuple[Entry, ...] = ()
    problems: tuple[Problem, ...] = ()
    unread: tuple[tuple[str, str], ...] = ()
    """Id and file of records that have faults or a newer schema."""


def read_file(path: str, content: bytes) -> FileRead:
    """Return the records and problems of one file; `path` is relative to the ledger's root."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        return _refusal(path, _encoding_problem(path, content, error))
    if conflict := _merge_conflict(path, text):
        return _refusal(path, conflict)
    if text.startswith("\ufeff"):
        text = text[1:]
    read = {".toml": _read_toml, ".json": _read_json, ".md": _read_markdown}[PurePosixPath(path).suffix]
    return read(path, text)


def _refusal(path: str, problem: Problem) -> FileRead:
    return FileRead(problems=(replace(problem, path=path),))


def _encoding_problem(path: str, content: bytes, error: UnicodeDecodeError) -> Problem:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        order = "LE" if content.startswith(b"\xff\xfe") else "BE"
        return Problem("LEDG005", f"the file is UTF-16 {order}, expected UTF-8.", "Save it as UTF-8.", path).at(1, 1)
    before = content[: error.start].decode("utf-8").split("\n")
    problem = Problem("LEDG005", f"not UTF-8: byte 0x{content[error.start]:02X} at offset {error.start}.", "Save it as UTF-8.", path)
    return problem.at(len(before), len(before[-1]) + 1)


def _merge_conflict(path: str, text: str) -> Problem | None:
    marks = [(number, line[0]) for number, line in enumerate(text.splitlines(), 1) if _CONFLICT.match(line)]
    if not any(mark == "<" for _, mark in marks):
        return None
    last = max((number for number, mark in marks if mark == ">"), default=marks[-1][0])
    return Problem(
        "LEDG002", f"unresolved merge conflict, lines {marks[0][0]} to {last}.", "Keep one side and remove the markers.", path
    ).at(marks[0][0], 1)


def _read_toml(path: str, text: str) -> FileRead:
    try:
        data = rtoml.loads(text)
    except rtoml.TomlParsingError as error:
        return _refusal(path, _syntax_problem(path, str(error)))
    return _records(path, data, lambda: toml_positions(text))


def _syntax_problem(path: str, message: str) -> Problem:
    match = _AT.match(message)
    what = match.group(1) if match else message
    problem = Problem("LEDG001", f"{what}.", "Mend the syntax; nothing else in this file was checked.", path)
    return problem.at(int(match.group(2)), int(match.group(3))) if match else problem


def _read_json(path: str, text: str) -> FileRead:
    try:
        data = json.loads(text, parse_constant=_no_constant, object_pairs_hook=_no_key_twice)
    except json.JSONDecodeError as error:
        problem = Problem("LEDG001", f"{error.msg}.", "Mend the syntax; nothing else in this file was checked.", path)
        return _refusal(path, problem.at(error.lineno, error.colno))
    except ValueError as error:
        return _refusal(path, Problem("LEDG001", f"{error}.", "Mend it; nothing else in this file was checked.", path).at(1, 1))
    except RecursionError:
        return _refusal(path, Problem("LEDG001", "nested too deeply.", "Write it flatter.", path).at(1, 1))
    if not isinstance(data, dict):
        return _refusal(path, Problem("LEDG006", "expected an object of record kinds.", _KINDS_REMEDY, path).at(1, 1))
    return _records(path, data, lambda: json_positions(text))


def _no_constant(name: str) -> None:
    raise ValueError(f"got {name}, expected a finite number, or null with a reason")


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        name = next(key for key, _ in pairs if sum(key == other for other, _ in pairs) > 1)
        raise ValueError(f'the key "{name}" stands twice in one object')
    return data


def _read_markdown(path: str, text: str) -> FileRead:
    lines = text.split("\n")
    end = next((number for number, line in enumerate(lines[1:], 1) if line.rstrip() == _FENCE), None)
    if lines[0].rstrip() != _FENCE or end is None:
        return _refusal(path, Problem("LEDG007", "no front matter.", "Begin with TOML between two lines of +++.", path).at(1, 1))
    head = "\n".join(["", *lines[1:end]])
    try:
        data: dict[str, Any] = rtoml.loads(head)
    except rtoml.TomlParsingError as error:
        return _refusal(path, _syntax_problem(path, str(error)))
    data = {"id": PurePosixPath(path).stem, **data, "prose": "\n".join(lines[end + 1 :]), "prose_line": end + 2}
    record, problems = _record("article", data, path, field=())
    if problems:
        return FileRead(problems=tuple(_at_positions(problems, toml_positions(head))))
    return FileRead(entries=(Entry(record, path),) if record else ())


_KINDS_REMEDY = f"Use one of {', '.join(kind for kind in KINDS if kind != 'article')}."


def _records(path: str, data: dict[str, Any], positions: Any) -> FileRead:
    entries: list[Entry] = []
    unread: list[tuple[str, str]] = []
    problems: list[Problem] = []
    for kind, rows in data.items():
        if kind not in KINDS or kind == "article" or not isinstance(rows, list):
            problems.append(Problem("LEDG006", f"{kind}: no such kind of record, as a list.", _KINDS_REMEDY, path, (kind,)))
            continue
        for index, row in enumerate(rows):
            record, faults = _record(kind, row, path, field=(kind, index))
            problems += faults
            if record:
                entries.append(Entry(record, path, (kind, index)))
            elif isinstance(row, dict) and isinstance(row.get("id"), str):
                unread.append((row["id"], path))
    return FileRead(tuple(entries), tuple(_at_positions(problems, positions())) if problems else (), tuple(unread))


def _record(kind: str, row: object, path: str, *, field: FieldPath) -> tuple[Record | None, list[Problem]]:
    if not isinstance(row, dict):
        return None, [Problem("LEDG006", f"{kind}: expected a table of fields.", "Mend the structure.", path, field)]
    if isinstance(row.get("schema"), int) and row["schema"] > SCHEMA:
        return None, [
            Problem(
                "LEDG008",
                f"schema {row['schema']} is newer than this program's {SCHEMA}; the record is kept and not read.",
                "Update evidence-ledger to read it.",
                path,
                field,
                severity="warning",
            )
        ]
    model = KINDS[kind]
    try:
        return model.model_validate(row), []
    except ValidationError as error:
        return None, list(_schema_problems(error, row, model, path=path, field=field))


def _schema_problems(error: ValidationError, row: dict[str, Any], model: type[Record], *, path: str, field: FieldPath) -> Iterator[Problem]:
    prefix = f"{row['id']}: " if isinstance(row.get("id"), str) else ""
    for inner, message, remedy in problems_of(error, row, model):
        code = "LEDG004" if message.endswith(": unknown key") else "LEDG003"
        yield Problem(code, f"{prefix}{message}.", remedy, path, field + inner)


def _at_positions(problems: list[Problem], positions: Positions) -> list[Problem]:
    return [problem.at(*positions.find(problem.field, key=problem.code == "LEDG004")) for problem in problems]


def with_places(problems: list[Problem], path: str, text: str) -> list[Problem]:
    """Return problems of one file whose content is `text`, with line and column filled in where they have none."""
    suffix = PurePosixPath(path).suffix
    head = text.split(f"\n{_FENCE}", 1)[0].removeprefix(_FENCE) if suffix == ".md" else text
    positions = json_positions(head) if suffix == ".json" else toml_positions(head)
    return [problem if problem.line else problem.at(*positions.find(problem.field)) for problem in problems]
