"""References: how a text or a claim names a number that lies in a record.

`run:ID#ARM[~BASE]/LOAD[/rN]/METRIC.STAT`, `run:ID#environment.KEY`, `run:ID#load.LOAD`, `ID#quantity-name`.
"""

import re
from dataclasses import dataclass
from typing import Annotated

from pydantic import AfterValidator

_NAME = r"[a-z0-9][a-z0-9._-]*"
_CELL = re.compile(
    rf"^run:(?P<run>@?[a-z0-9-]+)#(?P<arm>{_NAME})(~(?P<base>{_NAME}))?/(?P<load>{_NAME})(/r(?P<repeat>\d+))?/(?P<metric>[a-z0-9-]+)\.(?P<stat>[a-z0-9-]+)$"
)
_FACT = re.compile(
    r"^run:(?P<run>@?[a-z0-9-]+)#(?P<group>environment|load|suite|verdict|memory|decision|drill)\.(?P<key>[A-Za-z0-9._/~-]+)$"
)
_QUANTITY = re.compile(rf"^(?P<record>[a-z0-9-]+)#(?P<name>{_NAME})$")


@dataclass(frozen=True, slots=True)
class CellReference:
    """A statistic of one metric in one cell; with `base`, the paired ratio of arm against base."""

    run: str
    arm: str
    base: str | None
    load: str
    repeat: int | None
    """None pools the repeats."""
    metric: str
    stat: str


@dataclass(frozen=True, slots=True)
class FactReference:
    """A fact of a run that is no statistic of a cell: its environment, a load, a suite's result, memory, a drill, a verdict.

    Under `suite` and `memory`, `ARM~BASE` in the key is the arm's figure over the base's.
    """

    run: str
    group: str
    key: str


@dataclass(frozen=True, slots=True)
class QuantityReference:
    """A named quantity of a claim."""

    record: str
    name: str


AnyReference = CellReference | FactReference | QuantityReference


def parse_reference(text: str) -> AnyReference:
    """Return the reference in a text; ValueError with the expected forms otherwise."""
    if match := _FACT.match(text):
        return FactReference(**match.groupdict())
    if match := _CELL.match(text):
        parts = match.groupdict()
        repeat = parts.pop("repeat")
        return CellReference(**parts, repeat=int(repeat) if repeat else None)
    if match := _QUANTITY.match(text):
        return QuantityReference(**match.groupdict())
    raise ValueError(f'got the reference "{text}", expected run:ID#ARM/LOAD/METRIC.STAT, run:ID#environment.KEY or ID#quantity')


def _require_reference(text: str) -> str:
    parse_reference(text)
    return text


Reference = Annotated[str, AfterValidator(_require_reference)]
