"""All record files of a ledger: walked in one order, read into one catalogue."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ledger.errors import FieldPath, Problem, UsageError, ordered
from ledger.model.catalogue import Catalogue, Entry
from ledger.store.files.reading import SUFFIXES, FileRead, read_file, with_places
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

    def stamps(self) -> dict[str, str]:
        """Return for every record file, by path, a text that changes when the file is written, replaced or touched."""
        return {path: self._stamp(path) for path in self.paths()}

    def _stamp(self, path: str) -> str:
        status = os.stat(f"{self.root}/{path}")  # noqa: PTH116  # a Path a file doubles the time over many files
        return f"{status.st_mtime_ns}:{status.st_size}:{status.st_ino}:{status.st_ctime_ns}"

    def read(self, path: str) -> FileRead:
        """Return what one file holds; where it cannot be read, the problem that says so."""
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

    def with_places(self, problems: Iterable[Problem]) -> list[Problem]:
        """Return the problems with line and column, in order of place."""
        by_path: dict[str, list[Problem]] = {}
        for problem in problems:
            by_path.setdefault(problem.path, []).append(problem)
        return ordered(problem for path, of_file in by_path.items() for problem in self._with_places(path, of_file))

    def _with_places(self, path: str, problems: list[Problem]) -> list[Problem]:
        """Return the problems of one file with line and column; the file is read only where one has none."""
        if not path.endswith(SUFFIXES) or all(problem.line is not None for problem in problems):
            return problems
        return with_places(problems, path, (self.root / path).read_text("utf-8-sig"))

    def line_of(self, entry: Entry, field: FieldPath = ()) -> int:
        """Return the line on which a record begins, or one of its fields."""
        text = (self.root / entry.path).read_text("utf-8-sig")
        [problem] = with_places([Problem("", "", "", entry.path, entry.field + field)], entry.path, text)
        return problem.line or 1

    def relative_paths(self, names: Iterable[Path]) -> tuple[str, ...]:
        """Return files and folders as given on the command line, relative to the ledger's root.

        Raises:
            UsageError: one is not there, or lies outside the ledger.
        """
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
