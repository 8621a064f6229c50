"""What a pack holds beside the runner: the plan, its prompts and suite items, each pinned by hash."""

import zipfile
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from ledger.bench.plan.suite_items import SuiteItem, read_suite_items
from ledger.bench.plan.workload import Prompt, read_prompts, text_lines
from ledger.errors import DataRefusedError, Problem
from ledger.model.record import Part
from ledger.model.records.protocol import Protocol, Telemetry
from ledger.model.records.review import MeaningHash
from ledger.model.values.meaning import meaning_hash
from ledger.model.values.values import Sha256, Slug, Text

PLAN, PROMPTS = "plan.json", "prompts.jsonl"


class PackedFile(Part):
    """A file of the ledger that the pack carries."""

    id: Slug
    """The workload or suite that names the file."""
    sha256: Sha256


class PackedPlan(Part):
    """A protocol as it stood when it was packed."""

    format: Literal[1] = 1
    version: Text
    """Of evidence-ledger, whose runner the pack holds."""
    protocol: Protocol
    protocol_meaning: MeaningHash
    protocol_commit: Text | None
    planned: bool
    """Whether protocol, workload and suites had landed unchanged."""
    telemetry: Telemetry
    """The stricter of the ledger's policy and the protocol's."""
    workload: PackedFile
    suites: tuple[PackedFile, ...]

    @property
    def inputs(self) -> dict[str, str]:
        """The sha256 of every file, by record id."""
        return {file.id: file.sha256 for file in (self.workload, *self.suites)}


@dataclass(frozen=True, slots=True)
class Pack:
    """A pack that has been read and agrees with its hashes."""

    plan: PackedPlan
    prompts: tuple[Prompt, ...]
    items: tuple[SuiteItem, ...]


def items_name(suite: str) -> str:
    """Return where the items of a suite lie in a pack."""
    return f"suites/{suite}.jsonl"


def read_pack(path: Path) -> Pack:
    """Return what a pack holds.

    Raises:
        DataRefusedError: it cannot be read, or something in it was changed after it was packed.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            plan = PackedPlan.model_validate_json(archive.read(PLAN))
            if meaning_hash(plan.protocol) != plan.protocol_meaning:
                raise changed_file(path, PLAN)
            prompts, problems = read_prompts(lines_of(archive, path, PROMPTS, file=plan.workload), path=PROMPTS)
            items: list[SuiteItem] = []
            for suite in plan.suites:
                name = items_name(suite.id)
                read, faults = read_suite_items(lines_of(archive, path, name, file=suite), suite=suite.id, path=name)
                items += read
                problems += faults
    except (OSError, KeyError, zipfile.BadZipFile, ValidationError) as error:
        raise DataRefusedError(f"{path}: is no whole pack ({type(error).__name__}). Copy it again, or pack the protocol again.") from error
    return Pack(plan, tuple(require_usable(prompts, problems, path)), tuple(items))


def require_usable(prompts: list[Prompt], problems: list[Problem], path: Path) -> list[Prompt]:
    """Return the prompts; a pack with faulty lines comes from another release, since packing refuses them."""
    if problems:
        raise DataRefusedError(f"{path}: {problems[0]} Pack the protocol again.", problems)
    return prompts


def lines_of(archive: zipfile.ZipFile, path: Path, name: str, *, file: PackedFile) -> list[str]:
    """Return the lines of a packed file whose bytes are those that its record names."""
    content = archive.read(name)
    if sha256(content).hexdigest() != file.sha256:
        raise changed_file(path, name)
    return text_lines(content, name=f"{path}: {name}")


def changed_file(path: Path, name: str) -> DataRefusedError:
    """Return the refusal of a pack that is not as it was packed."""
    return DataRefusedError(f"{path}: {name} was changed after it was packed. Pack the protocol again.")
