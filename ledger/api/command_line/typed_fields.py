"""Records typed by hand: which kinds, which ids complete a word, and what is wrong with one field before the others are known."""

from pathlib import Path
from typing import Annotated, Any

from pydantic import TypeAdapter, ValidationError

from ledger.errors import UsageError
from ledger.model.kinds import KINDS
from ledger.store.files.schema_errors import problems_of
from ledger.store.files.settings import find_root, read_settings
from ledger.store.index.id_completion import ids_with_prefix as ids_of_ledger


def kinds_by_hand() -> tuple[str, ...]:
    """Return the kinds of record that are written by hand, in the order of `KINDS`."""
    from ledger.store.append.operations import AUTHORED  # composing records is only needed by commands that write

    return AUTHORED


def refuse_machine_written(kind: str) -> None:
    """Refuse a kind that commands make.

    Raises:
        UsageError: it is not written by hand; names the command that makes it.
    """
    from ledger.store.append.operations import refuse_machine_written as refuse  # composing records is only needed by commands that write

    refuse(kind)


def ids_with_prefix(folder: Path, text: str, kind: str | None) -> list[str]:
    """Return the ids that begin with a text, in the ledger at or above a folder; those of one kind, or of any with None.

    Raises:
        UsageError: there is no ledger.
        DataRefusedError: its settings have faults.
    """
    root = find_root(folder)
    return ids_of_ledger(root, read_settings(root), text, kind=kind)


def refuse_field(kind: str, name: str, value: Any) -> None:
    """Refuse a value that a field of a kind cannot hold.

    Raises:
        UsageError: the field's type or limits refuse it; says in the house's words what was got and expected.
    """
    model = KINDS[kind]
    field = model.model_fields[name]
    kept: Any = Annotated[(field.annotation, *field.metadata)] if field.metadata else field.annotation  # an alias is a model's alone
    try:
        TypeAdapter[Any](kept).validate_python(value)
    except ValidationError as error:
        faults = [f"{message.removeprefix(': ')}. {remedy}" for _field, message, remedy in problems_of(error, value, model)]
        raise UsageError(" ".join(faults)) from None
