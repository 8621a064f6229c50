"""In what several runs differ: standing, protocol, environment, effective configuration; and whether two may be set side by side."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from string import ascii_uppercase

from ledger.model.records.run import environment_words
from ledger.render.report.report import ReportTable
from ledger.render.report.words import RunUnderProtocol, label_words, protocol_words
from ledger.render.runs.measure_text import NOT_RECORDED

_BASIS = ("model", "engine", "sampling", "workload")
"""Parts of a protocol that must agree before numbers of two runs are divided."""


def letters(runs: Sequence[RunUnderProtocol]) -> tuple[str, ...]:
    """Return a short name for each run, as columns are headed: `A` and `B`, after 26 of them `R27`."""
    return tuple(ascii_uppercase[index] if index < len(ascii_uppercase) else f"R{index + 1}" for index in range(len(runs)))


def joint_proof(runs: Sequence[RunUnderProtocol]) -> str:
    """Return what stands with numbers of several runs: letter, run, label and protocol of each."""
    parts = (
        f"{letter}: {label_words(execution.run)} · run {execution.run.id} · protocol {protocol_words(execution.run)}"
        for letter, execution in zip(letters(runs), runs, strict=True)
    )
    return "; ".join(parts)


def difference_table(runs: Sequence[RunUnderProtocol]) -> ReportTable:
    """Return everything recorded in which the runs differ, runs in columns; what agrees is counted in the note."""
    asked = [*_standing(runs), *_protocol(runs), *_environment(runs), *_configurations(runs)]
    rows = tuple((what, *texts) for what, texts in asked if len(set(texts)) > 1)
    notes = (f"{len(asked) - len(rows)} other recorded facts agree.",)
    return ReportTable("What differs", ("What", *letters(runs)), rows, joint_proof(runs), notes=notes)


Fact = tuple[str, tuple[str, ...]]
"""What it is, and its text in each run."""


def _standing(runs: Sequence[RunUnderProtocol]) -> Iterator[Fact]:
    yield "Label", tuple(label_words(execution.run) for execution in runs)
    yield "Status", tuple(execution.run.status for execution in runs)
    yield "Executed by", tuple(execution.run.executor.organisation for execution in runs)
    yield "Protocol", tuple(protocol_words(execution.run) for execution in runs)
    yield "Started", tuple(f"{execution.run.started_at:%Y-%m-%d %H:%M} UTC" for execution in runs)


def _protocol(runs: Sequence[RunUnderProtocol]) -> Iterator[Fact]:
    if any(execution.protocol is None for execution in runs):
        return
    yield from _facts("Plan", [_flat(protocol_fields(execution)) for execution in runs], missing="not stated")


def protocol_fields(execution: RunUnderProtocol) -> dict[str, object]:
    """Return the fields of a run's protocol that carry meaning, as plain values."""
    if execution.protocol is None:
        return {}
    body = execution.protocol.model_dump(mode="json", exclude_none=True)
    return {name: body[name] for name in execution.protocol.MEANING if name in body}


def _environment(runs: Sequence[RunUnderProtocol]) -> Iterator[Fact]:
    for key in dict.fromkeys(key for execution in runs for key in execution.run.environment):
        yield environment_words(key), tuple(str(execution.run.environment.get(key, NOT_RECORDED)) for execution in runs)


def _configurations(runs: Sequence[RunUnderProtocol]) -> Iterator[Fact]:
    """Effective engine configuration of the arms that all runs have."""
    first, *others = (execution.run.configurations for execution in runs)
    for arm in (arm for arm in first if all(arm in other for other in others)):
        yield from _facts(f"Configuration of {arm}", [execution.run.configurations[arm] for execution in runs], missing=NOT_RECORDED)


def _facts(what: str, sides: Sequence[Mapping[str, object]], *, missing: str) -> Iterator[Fact]:
    for key in dict.fromkeys(key for side in sides for key in side):
        yield f"{what}: {key}", tuple(_text(side[key]) if key in side else missing for side in sides)


def _text(value: object) -> str:
    return "none" if value is None else str(value)


def _flat(value: object, place: str = "") -> dict[str, object]:
    """Leaves by their path; items of a list that carry an id are named by it."""
    match value:
        case dict():
            inner: Iterable[tuple[str, object]] = ((str(key), item) for key, item in value.items())
        case list() | tuple() if any(isinstance(item, dict) for item in value):
            inner = ((str(item.get("id", index)) if isinstance(item, dict) else str(index), item) for index, item in enumerate(value))
        case _:
            return {place: value}
    found: dict[str, object] = {}
    for key, item in inner:
        found |= _flat(item, f"{place}.{key}" if place else key)
    return found


def why_not_divided(left: RunUnderProtocol, right: RunUnderProtocol) -> str:
    """Return why no number of a run may be divided by the other's; empty where it may be, as an unpaired quotient."""
    if left.run.protocol_meaning == right.run.protocol_meaning:
        return ""
    if left.protocol is None or right.protocol is None:
        return "a protocol is not in this ledger with the meaning that was run"
    ours, theirs = protocol_fields(left), protocol_fields(right)
    differing = [part for part in _BASIS if ours.get(part) != theirs.get(part)]
    return f"the plans differ in {', '.join(differing)}" if differing else ""


def why_not_alike(runs: Sequence[RunUnderProtocol], part: str, name: str) -> str:
    """Return why an arm or load of that name does not mean the same in all runs that have it; empty where it does.

    Args:
        runs: Those that are compared.
        part: `arms` or `loads`.
        name: Of the arm or load.
    """
    found = [_named(execution, part, name) for execution in runs if execution.protocol is not None]
    present = [execution for execution in found if execution]
    differing = [execution for execution in present if execution != present[0]]
    if not differing:
        return ""
    keys = islice((key for key in dict.fromkeys((*present[0], *differing[0])) if present[0].get(key) != differing[0].get(key)), 3)
    return f"{part[:-1]} {name} does not mean the same in every run ({', '.join(keys)})"


def _named(execution: RunUnderProtocol, part: str, name: str) -> dict[str, object]:
    items = protocol_fields(execution).get(part)
    found = [item for item in items if isinstance(item, dict) and item.get("id") == name] if isinstance(items, list) else []
    return found[0] if found else {}
