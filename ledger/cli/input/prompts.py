"""Questions at a terminal: choices shown, ids completed, each answer checked before the next question."""

import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ledger.api.command_line.typed_fields import refuse_field
from ledger.cli.input.fields import FieldOption, Form, missing, options_of
from ledger.cli.text.output import note
from ledger.errors import LedgerError, UsageError

Ids = Callable[[str, str | None], list[str]]
"""The ids that begin with a text, of a kind."""

WANTED: dict[tuple[str, str], dict[str, tuple[str, ...]]] = {
    ("claim", "label"): {
        "vendor-claimed": ("source", "locator", "asserted_on", "quantities"),
        "proposed": ("asserted_on", "protocol"),
        "measured": ("values", "asserted_on"),
    },
}
"""Fields asked for beyond the required ones, by kind, field and its value."""
ALSO_ASKED: dict[str, tuple[str, ...]] = {"source": ("url", "published_on", "captures"), "cost": ("amount", "locator")}


def at_terminal() -> bool:
    """Whether somebody can answer."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def ask_missing(kind: str, given: Mapping[str, Any], ids: Ids) -> dict[str, Any]:
    """Return the fields with the answers to what is missing; an optional one may stay empty."""
    fields = dict(given)
    note(f"A new {kind}. TAB completes; Ctrl-C stops, and nothing is written.")
    for option in missing(kind, fields):
        fields[option.name] = ask(option, ids)
    for option in _optional_fields(kind, fields):
        if (answer := ask(option, ids, optional=True)) is not None:
            fields[option.name] = answer
    return fields


def _optional_fields(kind: str, fields: Mapping[str, Any]) -> list[FieldOption]:
    names = list(ALSO_ASKED.get(kind, ()))
    for (of_kind, field), by_value in WANTED.items():
        if of_kind == kind:
            names += by_value.get(str(fields.get(field)), ())
    return [option for option in options_of(kind) if option.name in names and option.name not in fields]


def ask(option: FieldOption, ids: Ids, *, optional: bool = False) -> Any:
    """Return the answer to one field; asks again until it has the form that the field needs."""
    if option.help:
        note(f"  {option.help}")
    while True:
        given = _answers(option, ids, optional=optional)
        if not given and optional:
            return None
        try:
            value = option.value(given) if given else ""
            refuse_field(option.kind, option.name, value)
        except LedgerError as error:
            note(f"  {error}")
            continue
        return value


def _answers(option: FieldOption, ids: Ids, *, optional: bool) -> list[str]:
    many = option.form in (Form.TEXTS, Form.TABLES)
    hint = " (one a line, an empty line ends)" if many else " (may stay empty)" if optional else ""
    answers: list[str] = []
    while answer := prompt(f"{option.name}{hint if not answers else ''}: ", _candidates(option, ids)):
        answers.append(answer)
        if not many:
            break
    return answers


def _candidates(option: FieldOption, ids: Ids) -> Callable[[str], Iterable[str]]:
    linked = option.linked
    if linked:
        return lambda text: ids(text, None if linked == "*" else linked)
    return lambda text: [choice for choice in option.choices if choice.startswith(text)]


def ask_options(given: Mapping[str, str | None], choices: Mapping[str, tuple[str, ...]] = {}) -> dict[str, str]:
    """Return options by flag, those that are missing asked for at a terminal.

    Args:
        given: What was typed, by flag; None or empty where it is missing.
        choices: The words that an answer may hold, by flag; several go with commas between.

    Raises:
        UsageError: options are missing and nobody can answer; it names all of them.
    """
    lacking = [flag for flag, value in given.items() if not value]
    if lacking and not at_terminal():
        raise UsageError(f"needs {', '.join(lacking)}. Nothing was written.")
    return {flag: value or _ask_option(flag, choices.get(flag, ())) for flag, value in given.items()}


def _ask_option(flag: str, choices: tuple[str, ...]) -> str:
    hint = f" ({', '.join(choices)})" if choices else ""
    return choose(f"{flag.lstrip('-')}{hint}: ", choices, is_list=True)


def choose(question: str, choices: tuple[str, ...] = (), *, is_list: bool = False) -> str:
    """Return an answer that is not empty and is one of the choices, where there are any; asks until it is.

    Args:
        question: The text before the cursor.
        choices: The words that are accepted; any text where there are none.
        is_list: Whether several choices may be given, with commas between.
    """
    while True:
        answer = prompt(question, lambda text: [choice for choice in choices if choice.startswith(text)])
        words = [word.strip() for word in answer.split(",")] if is_list else [answer]
        if answer and (not choices or all(word in choices for word in words)):
            return answer


def prompt(text: str, candidates: Callable[[str], Iterable[str]] = lambda _: ()) -> str:
    """Return one line typed at the terminal; UsageError where the input ends."""
    import readline  # it changes how input() behaves

    readline.set_completer_delims("")
    readline.set_completer(lambda typed, state: next((c for n, c in enumerate(candidates(typed)) if n == state), None))
    readline.parse_and_bind("tab: complete")
    try:
        return input(text).strip()
    except (EOFError, KeyboardInterrupt):
        raise UsageError("stopped; nothing was written.") from None
    finally:
        readline.set_completer(None)
