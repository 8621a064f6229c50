"""Fenced blocks of a draft: the TOML keys that each kind takes, read into frozen values, or what is wrong with them."""

import re
import tomllib
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Annotated, Any, Literal, get_args

from pydantic import Field, TypeAdapter, ValidationError

from ledger.model.record import Part
from ledger.model.records.claim import Label, Side
from ledger.model.values.values import Slug, Text
from ledger.render.citing.prose import Fence

ClaimColumn = Literal[
    "statement", "label", "subject", "date", "version", "value", "conditions", "caveats", "source", "locator", "standing", "id"
]  # fmt: skip
Reference = Annotated[str, Field(pattern=r"^(run:@?[a-z0-9-]+#\S+|[a-z0-9-]+#\S+)$")]
RunName = Annotated[str, Field(pattern=r"^@?[a-z0-9-]+$")]
Ids = Annotated[tuple[Slug, ...], Field(min_length=1)]


class ClaimsTable(Part):
    """Claims in rows: those named by `ids`, or all current ones of a subject."""

    kind: Literal["claims"]
    caption: Text
    ids: tuple[Slug, ...] = ()
    subject: Text | None = None
    label: Label | None = None
    side: Side | None = None
    columns: Annotated[tuple[ClaimColumn, ...], Field(min_length=1)] = ("statement", "label", "date", "source")


class CellsTable(Part):
    """A run's cells: arms and loads in rows, metrics in columns."""

    kind: Literal["cells"]
    caption: Text
    run: RunName = "@run"
    metrics: Annotated[tuple[Text, ...], Field(min_length=1)]
    arms: tuple[Text, ...] = ()
    loads: tuple[Text, ...] = ()
    interval: bool = True


class ComparisonTable(Part):
    """A run's paired ratios of arms against a base."""

    kind: Literal["comparisons"]
    caption: Text
    run: RunName = "@run"
    metrics: Annotated[tuple[Text, ...], Field(min_length=1)]
    arms: tuple[Text, ...] = ()
    loads: tuple[Text, ...] = ()
    interval: bool = True


class RunTable(Part):
    """A run's verdicts, suites, environment, memory, drills or deviations."""

    kind: Literal["verdicts", "suites", "environment", "memory", "drills", "deviations"]
    caption: Text
    run: RunName = "@run"
    keys: tuple[Text, ...] = ()
    """Environment only: which entries, in this order; all by default."""


class RangeFigure(Part):
    """Quantities of claims as dots and ranges on one axis, one row each."""

    kind: Literal["range"]
    caption: Text
    quantities: Annotated[tuple[Reference, ...], Field(min_length=1)]
    labels: tuple[Text, ...] = ()
    """One row name per quantity, instead of subject and publisher."""
    axis: Text | None = None


class RunFigure(Part):
    """A metric of a run by load, one line per arm, intervals drawn."""

    kind: Literal["latency", "throughput"]
    caption: Text
    run: RunName = "@run"
    metric: Text
    arms: tuple[Text, ...] = ()
    loads: tuple[Text, ...] = ()
    axis: Text | None = None


class AcceptanceFigure(Part):
    """The share of drafted tokens accepted at each position of the draft, one panel per load; arms that draft nothing are left out."""

    kind: Literal["acceptance"]
    caption: Text
    run: RunName = "@run"
    metric: Literal["acceptance.position"] = "acceptance.position"
    arms: tuple[Text, ...] = ()
    loads: tuple[Text, ...] = ()
    axis: Text | None = None


class Conflict(Part):
    """Claims that disagree, side by side."""

    ids: Annotated[tuple[Slug, ...], Field(min_length=2)]
    caption: Text = "Statements that disagree, side by side."


class Against(Part):
    """A claim and the measurement that tests it, side by side."""

    claim: Slug
    measured: Slug
    caption: Text = "Claimed and measured, side by side."


class Prices(Part):
    """Prices in rows, filtered; entries of one item at several dates stand together, oldest first."""

    caption: Text
    ids: tuple[Slug, ...] = ()
    item: Text | None = None
    provider: Text | None = None
    region: Text | None = None
    gpu: Text | None = None
    price_kind: Text | None = None
    current: bool = False
    """Only prices that hold on the document's as-of date."""


class UnitCost(Part):
    """A price divided by throughputs, each naming which tokens it counts."""

    caption: Text
    cost: Slug
    throughputs: Annotated[dict[str, Reference], Field(min_length=1)]
    """Kind of token (`output tokens`, `total tokens`) to a reference with the unit tok/s."""
    gpus: Annotated[int, Field(ge=1)]
    """Devices that made the throughput together."""


class Sources(Part):
    """The numbered source list."""


class Proposed(Part):
    """Statements that nobody has observed, as a list."""

    ids: Ids


GridBlock = ClaimsTable | CellsTable | ComparisonTable | RunTable | Conflict | Against | Prices | UnitCost
"""Blocks that become a table."""
Block = GridBlock | RangeFigure | RunFigure | AcceptanceFigure | Sources | Proposed
_Table = Annotated[ClaimsTable | CellsTable | ComparisonTable | RunTable, Field(discriminator="kind")]
_Figure = Annotated[RangeFigure | RunFigure | AcceptanceFigure, Field(discriminator="kind")]
BLOCKS: dict[str, TypeAdapter[Any]] = {
    "table": TypeAdapter(_Table),
    "figure": TypeAdapter(_Figure),
    "conflict": TypeAdapter(Conflict),
    "measured-against-claimed": TypeAdapter(Against),
    "prices": TypeAdapter(Prices),
    "unit-cost": TypeAdapter(UnitCost),
    "sources": TypeAdapter(Sources),
    "proposed": TypeAdapter(Proposed),
}

_LANGUAGES = frozenset({
    "bash", "sh", "shell", "console", "shell-session", "zsh", "python", "py", "pycon", "toml", "json", "jsonl", "yaml", "yml",
    "ini", "text", "txt", "plain", "csv", "tsv", "sql", "c", "cpp", "rust", "go", "java", "javascript", "js", "typescript",
    "ts", "html", "css", "xml", "markdown", "md", "diff", "patch", "dockerfile", "make", "makefile", "http", "log", "math",
    "mermaid", "output",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class BlockFault:
    """What is wrong with a block, and at which offset of the prose."""

    code: str
    message: str
    remedy: str
    offset: int


def is_code(fence: Fence) -> bool:
    """Whether a fenced block is ordinary code."""
    return fence.name.lower().strip("{}.") in _LANGUAGES


def read_block(fence: Fence) -> tuple[Block | None, list[BlockFault]]:
    """Return a block's content, or what is wrong with it."""
    if fence.name not in BLOCKS:
        return None, [_unknown_kind(fence)]
    try:
        data = tomllib.loads(fence.body)
    except tomllib.TOMLDecodeError as error:
        return None, [_syntax_fault(fence, str(error))]
    try:
        block: Block = BLOCKS[fence.name].validate_python(data)
    except ValidationError as error:
        return None, [_field_fault(fence, dict(item)) for item in error.errors()]
    return block, []


def _unknown_kind(fence: Fence) -> BlockFault:
    near = get_close_matches(fence.name, BLOCKS, 1)
    meant = f' Did you mean "{near[0]}"?' if near else ""
    return BlockFault(
        "LEDG110",
        f'a fenced block named "{fence.name}" is no block of the ledger and no code language known here.{meant}',
        f"Use one of {', '.join(BLOCKS)}, or name the code `text`.",
        fence.start,
    )


def _syntax_fault(fence: Fence, message: str) -> BlockFault:
    place = re.search(r"\(at line (\d+), column (\d+)\)", message)
    within = len(fence.body.rstrip())
    if place:
        row, column = (int(number) - 1 for number in place.groups())
        within = sum(len(line) + 1 for line in fence.body.split("\n")[:row]) + column
    offset = fence.body_start + within
    return BlockFault("LEDG111", f"{fence.name}: {message}.", 'Write TOML, such as ids = ["some-id"].', offset)


def _field_fault(fence: Fence, error: dict[str, Any]) -> BlockFault:
    names = [str(part) for part in error["loc"] if not (isinstance(part, str) and part in _tags(fence.name))]
    key = names[0] if names else ""
    place = re.search(rf"^\s*{re.escape(key)}\s*=", fence.body, re.MULTILINE) if key else None
    offset = fence.body_start + (place.end() - len(place.group().lstrip()) if place else 0)
    if error["type"] == "missing":
        return BlockFault("LEDG111", f"{fence.name}: {key} is missing.", f"Add {key} = ….", fence.start)
    if error["type"] == "extra_forbidden":
        return BlockFault("LEDG111", f'{fence.name}: got the key "{key}", which it does not take.', _keys_remedy(fence.name, key), offset)
    if error["type"] in ("union_tag_not_found", "union_tag_invalid"):
        where = re.search(r"^\s*kind\s*=", fence.body, re.MULTILINE)
        expected = ", ".join(sorted(_tags(fence.name)))
        offset = fence.body_start + where.start() if where else fence.start
        return BlockFault("LEDG111", f"{fence.name}: expected kind to be one of {expected}.", "Name one.", offset)
    return BlockFault("LEDG111", f"{fence.name}: {'.'.join(names)}: {error['msg']}.", "Mend the value.", offset)


_TAGS = {
    "table": ("claims", "cells", "comparisons", *get_args(RunTable.model_fields["kind"].annotation)),
    "figure": ("range", "latency", "throughput", "acceptance"),
}


def _tags(name: str) -> tuple[str, ...]:
    return _TAGS.get(name, ())


def _keys_remedy(name: str, key: str) -> str:
    schema = BLOCKS[name].json_schema()
    shapes = list(schema.get("$defs", {}).values()) if name in _TAGS else [schema]
    keys = sorted({key for shape in shapes for key in shape.get("properties", {})})
    near = get_close_matches(key, keys, 1)
    return f'Did you mean "{near[0]}"?' if near else f"It takes {', '.join(keys) or 'no key'}."
