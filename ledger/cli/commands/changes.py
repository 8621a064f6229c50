"""`ledger supersede`, `retract` and `review`: new records about old ones, which stay as they are."""

import re
import tomllib
from typing import Annotated, Any, Literal, get_args

import typer

from ledger.cli.commands.add import tell
from ledger.cli.input.completion import complete_any_id
from ledger.cli.input.fields import options_of
from ledger.cli.input.options import open_ledger, today
from ledger.cli.input.prompts import at_terminal, prompt
from ledger.errors import FieldPath, UsageError
from ledger.model.records.review import Aspect

Because = Literal["correction", "change"]
Verdict = Literal["accepted", "rejected"]
IdArgument = Annotated[str, typer.Argument(metavar="ID", autocompletion=complete_any_id, show_default=False)]
IdsArgument = Annotated[list[str], typer.Argument(metavar="ID...", autocompletion=complete_any_id, show_default=False)]
NewIdOption = Annotated[str | None, typer.Option("--id", metavar="NEW", help="Id of the new record.")]
_ASPECT_HELP = f"What was checked, repeatable: {', '.join(get_args(Aspect))}."
ReasonOption = Annotated[str | None, typer.Option(help="Why, in a sentence.")]


def supersede(
    record_id: IdArgument,
    *,
    new_id: NewIdOption = None,
    because: Annotated[Because | None, typer.Option(help="correction: we were wrong. change: the world moved.")] = None,
    reason: ReasonOption = None,
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="FIELD=VALUE", help="What differs; quantities.NAME.value=… reaches inside, FIELD= removes."),
    ] = None,
) -> None:
    """Write a record that supersedes ID: a copy of it with changes. ID's own file stays as it is."""
    from ledger.store.append.operations import refuse_made  # composing records is only needed by commands that write

    ledger = open_ledger()
    old = ledger.entry(record_id)
    refuse_made(old.record.KIND)
    answers = _complete({"--id": new_id, "--because": because, "--reason": reason})
    tell(
        ledger.appending(today()).supersede(
            old,
            new_id=answers["--id"],
            because="correction" if answers["--because"] == "correction" else "change",
            reason=answers["--reason"],
            changes=dict(read_change(old.record.KIND, text) for text in changes or ()),
        )
    )


def retract(record_id: IdArgument, *, reason: ReasonOption = None, new_id: NewIdOption = None) -> None:
    """Take a record back without a replacement: writes a retraction. ID's own file stays as it is."""
    ledger = open_ledger()
    old = ledger.entry(record_id)
    tell(ledger.appending(today()).retract(old, reason=_complete({"--reason": reason})["--reason"], new_id=new_id))


def review(
    record_ids: IdsArgument,
    *,
    verdict: Annotated[Verdict | None, typer.Option(help="accepted or rejected.")] = None,
    aspects: Annotated[
        list[str] | None, typer.Option("--aspect", metavar="WORD", help=_ASPECT_HELP, autocompletion=lambda: get_args(Aspect))
    ] = None,
    reviewer: Annotated[str | None, typer.Option(metavar="NAME", help="Who reviewed; git's user.name by default.")] = None,
    note: Annotated[str | None, typer.Option(help="Free text for the next reader.")] = None,
) -> None:
    """Record that somebody other than the author checked records as they stand; several at once are marked as bulk."""
    ledger = open_ledger()
    targets = [ledger.entry(record_id) for record_id in dict.fromkeys(record_ids)]
    answers = _complete({"--verdict": verdict, "--aspect": ",".join(aspects or ())})
    chosen = [aspect.strip() for aspect in answers["--aspect"].split(",")]
    tell(ledger.appending(today()).review(targets, verdict=answers["--verdict"], aspects=chosen, reviewer=reviewer, note=note))


_CHOICES = {"--because": get_args(Because), "--verdict": get_args(Verdict), "--aspect": get_args(Aspect)}


def _complete(given: dict[str, str | None]) -> dict[str, str]:
    """The options with what is missing asked for at a terminal; UsageError with all that is missing elsewhere."""
    lacking = [flag for flag, value in given.items() if not value]
    if lacking and not at_terminal():
        raise UsageError(f"needs {', '.join(lacking)}. Nothing was written.")
    return {flag: value or _asked(flag) for flag, value in given.items()}


def _asked(flag: str) -> str:
    choices = _CHOICES.get(flag, ())
    hint = f" ({', '.join(choices)})" if choices else ""
    while True:
        answer = prompt(f"{flag.lstrip('-')}{hint}: ", lambda text: [c for c in choices if c.startswith(text)])
        if answer and (not choices or all(part.strip() in choices for part in answer.split(","))):
            return answer


def read_change(kind: str, text: str) -> tuple[FieldPath, Any]:
    """Return the place and the value in `FIELD=VALUE`; no value means that the field goes."""
    name, sign, raw = text.partition("=")
    path = tuple(part.replace("-", "_") if number == 0 else part for number, part in enumerate(name.strip().split(".")))
    if not sign or not re.fullmatch(r"[\w.-]+", name.strip()):
        raise UsageError(f'--set: got "{text}", expected FIELD=VALUE, such as locator="section 2".')
    if not raw.strip():
        return path, None
    option = next((option for option in options_of(kind) if path == (option.name,)), None)
    if option:
        return path, option.value([raw])
    return path, _plain_or_toml(raw)


def _plain_or_toml(raw: str) -> Any:
    if not raw.lstrip().startswith(("{", "[", '"')):
        return raw
    try:
        return tomllib.loads(f"value = {raw}")["value"]
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"--set: {raw}: {error}. Expected text or inline TOML.") from None
