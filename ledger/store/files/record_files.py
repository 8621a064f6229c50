"""All record files of a ledger: walked in one order, read into one catalogue."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ledger.errors import FieldPath, Problem, UsageError, ordered
from ledger.model.catalogue import Catalogue, Entry
from ledger.store.files.reading import SUFFIXES, FileRead, place, read_file
from ledger.store.files.settings import Settings


@dataclass(frozen=True)
class RecordFiles:
    """The record files under a ledger's root."""

    root: Path
    settings: Settings

    def paths(self) -> Iterator[str]:
        """Yield every record file, relative to the root with forward slashes, in order; links and hidden files are left out."""
        evidence = self.settings.paths.evidence
        for folder, names, files in os.walk(self.root / self.settings.paths.records):
            here = Path(folder).relative_to(self.root).as_posix()
            names[:] = sorted(name for name in names if not name.startswith(".") and f"{here}/{name}" != evidence)
            yield from (f"{here}/{name}" for name in sorted(files) if _is_record_file(Path(folder, name)))

    def read(self, path: str) -> FileRead:
        """Return what one file holds."""
        try:
            content = (self.root / path).read_bytes()
        except OSError as error:
            return FileRead(problems=(Problem("LEDG001", f"cannot be read: {error.strerror}.", "Mend its permissions.", path).at(1, 1),))
        return read_file(path, content)

    @cached_property
    def all(self) -> FileRead:
        """Every entry and every fault of every file."""
        reads = [self.read(path) for path in self.paths()]
        return FileRead(
            tuple(entry for read in reads for entry in read.entries),
            tuple(problem for read in reads for problem in read.problems),
            tuple(unread for read in reads for unread in read.unread),
        )

    @property
    def catalogue(self) -> Catalogue:
        """All readable records."""
        return Catalogue(self.all.entries, self.all.unread)

    def placed(self, problems: Iterable[Problem]) -> list[Problem]:
        """Return the problems with line and column, in order."""
        by_path: dict[str, list[Problem]] = {}
        for problem in problems:
            by_path.setdefault(problem.path, []).append(problem)
        done: list[Problem] = []
        for path, found in by_path.items():
            unplaced = any(problem.line is None for problem in found)
            done += place(found, path, (self.root / path).read_text("utf-8-sig")) if unplaced and path.endswith(SUFFIXES) else found
        return ordered(done)

    def line_of(self, entry: Entry, field: FieldPath = ()) -> int:
        """Return the line on which a record begins, or one of its fields."""
        text = (self.root / entry.path).read_text("utf-8-sig")
        [placed] = place([Problem("", "", "", entry.path, entry.field + field)], entry.path, text)
        return placed.line or 1

    def within(self, names: Iterable[Path]) -> tuple[str, ...]:
        """Return paths as given on the command line, relative to the root; one that is not there is a usage error."""
        inside = []
        for name in names:
            if not name.exists():
                raise UsageError(f"{name}: no such file or folder. Name one inside the ledger.")
            if not name.resolve().is_relative_to(self.root):
                raise UsageError(f"{name}: outside the ledger at {self.root}. Name a file inside it.")
            inside.append(name.resolve().relative_to(self.root).as_posix())
        return tuple(inside)


def _is_record_file(path: Path) -> bool:
    """Whether a file holds records; editors keep locks and swap files under hidden names."""
    return path.name.endswith(SUFFIXES) and not path.name.startswith(".") and path.is_file() and not path.is_symlink()
