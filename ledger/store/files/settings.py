"""`ledger.toml`: the organisation, its main branch, its policies, and where things lie."""

import tomllib
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from ledger.errors import DataRefusedError, Problem, UsageError, ordered
from ledger.model.record import Part
from ledger.model.records.protocol import Kept
from ledger.model.values.values import InnerPath, Text
from ledger.store.files.positions import toml_positions
from ledger.store.files.schema_errors import problems_of

FILE_NAME = "ledger.toml"
Count = Annotated[int, Field(ge=0)]


class Paths(Part):
    """Folders, relative to the ledger's root."""

    records: InnerPath = "records"
    evidence: InnerPath = "records/evidence"
    cache: InnerPath = ".ledger"
    """Holds the index; never committed."""


class TelemetryPolicy(Part):
    """The most that any run may keep of prompts and outputs."""

    prompts: Kept = "hash"
    outputs: Kept = "hash"
    allowed_by: Text | None = None
    allowed_on: date | None = None


class CoveragePolicy(Part):
    """How many of each gap are allowed, as `ledger coverage` counts them; absent sets no limit."""

    untested_claims: Count | None = None
    protocols_never_run: Count | None = None
    sources_never_reviewed: Count | None = None
    sources_overdue: Count | None = None
    reviews_lapsed: Count | None = None
    waivers_ran_out: Count | None = None
    recheck_days: Annotated[int, Field(ge=1)] | None = None
    """After how many days a living source that names no interval of its own is to be read again."""


class Settings(Part):
    """What `ledger.toml` says."""

    organisation: Text
    main_branch: Text = "main"
    time_zone: Text = "UTC"
    language: Literal["en"] = "en"
    paths: Paths = Paths()
    telemetry: TelemetryPolicy = TelemetryPolicy()
    coverage: CoveragePolicy = CoveragePolicy()


def find_root(start: Path) -> Path:
    """Return the nearest folder at or above `start` that holds a `ledger.toml`.

    Raises:
        UsageError: there is none.
    """
    for folder in (start.resolve(), *start.resolve().parents):
        if (folder / FILE_NAME).is_file():
            return folder
    raise UsageError(f"{start}: no {FILE_NAME} here or above. Run the command inside a ledger, or name one with --ledger DIR.")


def read_settings(root: Path) -> Settings:
    """Return the settings of the ledger at `root`.

    Raises:
        DataRefusedError: its `ledger.toml` has faults; each comes with its place.
    """
    path = root / FILE_NAME
    try:
        text = path.read_text(encoding="utf-8")
        raw: dict[str, Any] = tomllib.loads(text)
        return Settings.model_validate(raw)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DataRefusedError(f"{FILE_NAME}: {error}. Mend the file.") from error
    except ValidationError as error:
        positions = toml_positions(text)
        problems = [
            Problem("LEDG003", f"{message}.", remedy, FILE_NAME, field).at(*positions.find(field, key=message.endswith(": unknown key")))
            for field, message, remedy in problems_of(error, raw, Settings)
        ]
        raise DataRefusedError(f"{FILE_NAME} is refused", ordered(problems)) from error
