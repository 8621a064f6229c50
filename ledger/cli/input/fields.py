"""A record kind's fields as options of a command: made from the model, so that both never differ."""

import inspect
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import typer
from pydantic.fields import FieldInfo

from ledger.cli.input.completion import complete_ids_of
from ledger.errors import UsageError
from ledger.model.kinds import KINDS
from ledger.model.record import Part
from ledger.model.values.values import PartialDate

LINKED: dict[str, str] = {
    "source": "source",
    "protocol": "protocol",
    "workload": "workload",
    "suites": "suite",
    "bears_on": "claim",
    "conflicts_with": "",
    "target": "*",
}
"""Fields that name records, and the kind they name; empty: the record's own; `*`: any."""
NUMBER, YES_NO = "NUMBER", "YES|NO"
SWITCHES = {"yes": True, "true": True, "no": False, "false": False}


class Form(Enum):
    """How a field's value is typed."""

    TEXT = "text"
    TEXTS = "texts"
    TABLE = "table"
    TABLES = "tables"


@dataclass(frozen=True)
class FieldOption:
    """One field of a kind, as an option and as a question."""

    name: str
    kind: str
    form: Form
    required: bool
    choices: tuple[str, ...]
    metavar: str
    help: str

    @property
    def flag(self) -> str:
        """The option's name: `--asserted-on`."""
        return f"--{self.name.replace('_', '-')}"

    @property
    def linked(self) -> str | None:
        """The kind of record whose ids the field holds, `*` for any; None where it holds none."""
        return None if self.name not in LINKED else LINKED[self.name] or self.kind

    def parameter(self) -> inspect.Parameter:
        """Return the parameter of a command function that Typer turns into the option."""
        many = self.form is not Form.TEXT
        complete = complete_ids_of(self.linked) if self.linked else self._complete_choice if self.choices else None
        option = typer.Option(self.flag, metavar=self.metavar, help=self.help, autocompletion=complete, show_default=False)
        annotation = Annotated[list[str] | None, option] if many else Annotated[str | None, option]
        return inspect.Parameter(self.name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation)

    def _complete_choice(self, incomplete: str) -> list[str]:
        return [choice for choice in self.choices if choice.startswith(incomplete)]

    def _typed(self, text: str) -> str | int | bool:
        """A number or a yes as a file would hold it; anything else as it was typed."""
        if self.metavar == NUMBER and re.fullmatch(r"-?\d+", text):
            return int(text)
        return SWITCHES.get(text.casefold(), text) if self.metavar == YES_NO else text

    def value(self, given: list[str]) -> Any:
        """Return what the typed texts stand for, as a file would hold it; UsageError where inline TOML is faulty."""
        if self.form is Form.TEXT:
            return self._typed(given[-1])
        if self.form is Form.TEXTS:
            return [item for text in given for item in (_inline(self, text) if text.lstrip().startswith("[") else [text])]
        values: list[Any] = [text if text in self.choices else _inline(self, text) for text in given]
        if self.form is Form.TABLES:
            return [item for value in values for item in (value if isinstance(value, list) else [value])]
        return {key: item for value in values for key, item in value.items()} if all(isinstance(v, dict) for v in values) else values[-1]


def _inline(option: FieldOption, text: str) -> Any:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{option.flag}: {text}: {error}. Expected inline TOML, such as {_example(option.kind, option.name)}.") from None


def _example(kind: str, name: str) -> str:
    parts = [part for part in _leaves(KINDS[kind].model_fields[name].annotation) if isinstance(part, type) and issubclass(part, Part)]
    if not parts:
        return '{ name = "value" }'
    required = [field for field, info in parts[0].model_fields.items() if info.is_required()]
    return "{ " + ", ".join(f'{field} = "…"' for field in required) + " }"


@cache
def options_of(kind: str) -> tuple[FieldOption, ...]:
    """Return the options of a kind, in the order of its fields; `schema` and `supersedes` are not typed by hand."""
    fields = KINDS[kind].model_fields
    own = [name for name in fields if name not in ("schema_", "supersedes", "note")] + ["note"]
    return tuple(_option(kind, name, fields[name]) for name in own)


def _option(kind: str, name: str, field: FieldInfo) -> FieldOption:
    leaves = list(_leaves(field.annotation))
    choices = tuple(str(choice) for leaf in leaves if get_origin(leaf) is Literal for choice in get_args(leaf))
    form = _form(leaves)
    description = (field.description or "").replace("\n", " ").replace("`", "")
    only = choices and all(get_origin(leaf) is Literal for leaf in leaves)
    texts = [description, f"One of {', '.join(choices)}." if only else f"Or {' or '.join(choices)}." if choices else ""]
    texts.append(f"Such as {_example(kind, name)}." if form in (Form.TABLE, Form.TABLES) else "")
    texts.append("Repeatable." if form in (Form.TEXTS, Form.TABLES) else "")
    return FieldOption(
        name, kind, form, field.is_required(), choices, _metavar(form, leaves, name), " ".join(text for text in texts if text)
    )


def _leaves(annotation: Any) -> Iterator[Any]:
    """The types that a field may hold: unions taken apart, lists by what they hold."""
    origin = get_origin(annotation)
    if origin in (Union, UnionType):
        for part in get_args(annotation):
            yield from _leaves(part)
    elif origin is Annotated:
        yield from _leaves(get_args(annotation)[0])
    elif origin is tuple:
        yield tuple
        yield from _leaves(get_args(annotation)[0])
    elif annotation is not NoneType:
        yield annotation


def _form(leaves: list[Any]) -> Form:
    structured = any(get_origin(leaf) is dict or (isinstance(leaf, type) and issubclass(leaf, Part)) for leaf in leaves)
    if tuple in leaves:
        return Form.TABLES if structured else Form.TEXTS
    return Form.TABLE if structured else Form.TEXT


def _metavar(form: Form, leaves: list[Any], name: str) -> str:
    if name == "id" or name in LINKED:
        return "ID"
    if form in (Form.TABLE, Form.TABLES):
        return "TOML"
    if PartialDate in leaves or date in leaves:
        return "DATE"
    if all(get_origin(leaf) is Literal or leaf is tuple for leaf in leaves):
        return "WORD"
    return NUMBER if int in leaves else YES_NO if bool in leaves else "TEXT"


def typed_fields(kind: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that were given on the command line, as a file would hold them."""
    fields = {}
    for option in options_of(kind):
        raw = given.get(option.name)
        if raw:
            fields[option.name] = option.value(raw if isinstance(raw, list) else [raw])
    return fields


def missing(kind: str, fields: Mapping[str, Any]) -> list[FieldOption]:
    """Return the required fields that are not there; an id can be made from the others."""
    return [option for option in options_of(kind) if option.required and option.name != "id" and option.name not in fields]
