"""Values of a plan's engine arguments and speculative options, as vLLM's own parsers take them; loads vLLM and no model."""

import json
from collections.abc import Iterator
from typing import Any

from ledger.bench.vllm.arguments import OURS
from ledger.errors import Problem
from ledger.model.records.protocol import Protocol
from ledger.model.values.values import TomlValue


def value_problems(plan: Protocol) -> Iterator[Problem]:
    """Yield every value of the engine table, and of an arm's options, that the installed vLLM's parsers refuse.

    Keys that vLLM does not know are somebody else's: `arguments.argument_problems` names them.
    """
    parser = engine_parser()
    actions = {action.dest: action for action in parser._actions}
    for key in sorted(set(plan.engine) - OURS):
        if key in actions and (fault := engine_value_fault(parser, actions[key], plan.engine[key])):
            message = f"engine.{key}: vLLM refuses {json.dumps(plan.engine[key])}: {fault}."
            yield Problem("engine-value", message, "See `vllm serve --help` for what it takes.", field=("engine", key))
    for place, arm in enumerate(plan.arms):
        for key, value in arm.options.items():
            if fault := option_value_fault(key, value):
                message = f"arm {arm.id}: vLLM refuses {key} = {json.dumps(value)}: {fault}."
                yield Problem("engine-value", message, "Mend it, or remove it.", field=("arms", place, "options", key))


def engine_parser() -> Any:
    """Return vLLM's own parser of engine arguments, which raises ValueError instead of ending the program."""
    from vllm.engine.arg_utils import AsyncEngineArgs
    from vllm.utils.argparse_utils import FlexibleArgumentParser

    class Parser(FlexibleArgumentParser):  # type: ignore[misc]  # vLLM is not followed by the type checker
        """Says what is wrong to its caller."""

        def error(self, message: str) -> None:
            """Raise the message."""
            raise ValueError(message)

    return AsyncEngineArgs.add_cli_args(Parser(add_help=False))


def engine_value_fault(parser: Any, action: Any, value: TomlValue) -> str | None:
    """Return why vLLM's parser refuses a value of an argument, in one line; None where it takes it."""
    is_switch = action.nargs == 0
    if is_switch != isinstance(value, bool):
        return "expected true or false" if is_switch else "expected no switch"
    try:
        parser.parse_args(argument_words(action, value))
    except (ValueError, SystemExit) as error:
        return first_line(error).partition(": ")[2] or first_line(error)
    return None


def argument_words(action: Any, value: TomlValue) -> list[str]:
    """Return an argument as it is typed in a shell; lists and tables as JSON unless the argument takes several words."""
    if isinstance(value, bool):
        return [action.option_strings[0] if value else next(name for name in action.option_strings if name.startswith("--no-"))]
    takes_several = action.nargs in ("+", "*")
    words = value if takes_several and isinstance(value, list) else [value]
    return [action.option_strings[0], *(word if isinstance(word, str) else json.dumps(word) for word in words)]


def option_value_fault(key: str, value: TomlValue) -> str | None:
    """Return why a value is none for a key of vLLM's speculative configuration, in one line; None where it is, or the key is unknown."""
    from typing import get_type_hints

    from pydantic import TypeAdapter, ValidationError
    from vllm.config.speculative import SpeculativeConfig

    hint = get_type_hints(SpeculativeConfig, include_extras=True).get(key)
    if hint is None:
        return None
    try:
        TypeAdapter(hint).validate_python(value)
    except ValidationError as error:
        return error.errors()[0]["msg"][:1].lower() + error.errors()[0]["msg"][1:]
    return None


def first_line(error: BaseException) -> str:
    """Return the first line of what an error says."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")
