"""`--set FIELD=VALUE`: the changes that a superseding record makes."""

import re
import tomllib
from typing import Any

from ledger.cli.input.fields import options_of
from ledger.errors import FieldPath, UsageError


def field_change(kind: str, text: str) -> tuple[FieldPath, Any]:
    """Return the place and the value in `FIELD=VALUE`; the value is None where none is given, which removes the field.

    Raises:
        UsageError: the text has another form, or its inline TOML is faulty.
    """
    name, sign, raw = text.partition("=")
    path = tuple(part.replace("-", "_") if number == 0 else part for number, part in enumerate(name.strip().split(".")))
    if not sign or not re.fullmatch(r"[\w.-]+", name.strip()):
        raise UsageError(f'--set: got "{text}", expected FIELD=VALUE, such as locator="section 2".')
    if not raw.strip():
        return path, None
    option = next((each for each in options_of(kind) if path == (each.name,)), None)
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
