"""The history of the main branch: which first-parent commit brought which files, and when that was recorded.

Recorded time is the committer time of the first-parent commit, as a running maximum: a commit dated before its
parent counts as recorded with the parent, and the disorder is reported.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from ledger.errors import EnvironmentFaultError, UsageError
from ledger.store.files.reading import SUFFIXES
from ledger.store.files.settings import Settings
from ledger.store.git.repository import open_repository

if TYPE_CHECKING:
    from git import Repo


@dataclass(frozen=True, slots=True)
class Change:
    """One record file of a commit; `blob` is None where it was removed."""

    path: str
    """Relative to the ledger's root."""
    blob: str | None


@dataclass(frozen=True, slots=True)
class Landing:
    """A first-parent commit of the main branch."""

    commit: str
    committed_at: datetime
    """Committer time, in UTC, as the commit states it."""
    changes: tuple[Change, ...] = field(default=())


class History:
    """The main branch of the repository around a ledger."""

    def __init__(self, root: Path, settings: Settings) -> None:
        self.root = root
        self.settings = settings

    @cached_property
    def repository(self) -> "Repo":
        """The git repository.

        Raises:
            EnvironmentFaultError: the ledger lies in none, or git is not installed.
        """
        repository = open_repository(self.root)
        if repository is None or repository.working_tree_dir is None:
            raise EnvironmentFaultError(f"{self.root} is in no git repository, so nothing is recorded. Run `git init` and commit.")
        return repository

    @cached_property
    def tip(self) -> str:
        """The last commit of the main branch, local or as fetched.

        Raises:
            EnvironmentFaultError: there is no such branch.
        """
        name = self.settings.main_branch
        for reference in (f"refs/heads/{name}", f"refs/remotes/origin/{name}"):
            if commit := self._resolve(reference):
                return commit
        raise EnvironmentFaultError(
            f"there is no branch {name} here, so nothing is recorded. Fetch it, or mend main_branch in ledger.toml."
        )

    @cached_property
    def is_shallow(self) -> bool:
        """Whether commits are missing at the far end, so that dates read from git would be wrong."""
        return (Path(self.repository.common_dir) / "shallow").exists()

    def refuse_shallow(self) -> None:
        """Refuse a shallow history, whose recorded times cannot be known.

        Raises:
            EnvironmentFaultError: the history is shallow.
        """
        if self.is_shallow:
            raise EnvironmentFaultError("the history is shallow, so recorded times are unknown. Run `git fetch --unshallow`.")

    def landings(self, after: str | None = None) -> Iterator[Landing]:
        """Yield the first-parent commits in order, oldest first; `after` leaves out that commit and its ancestors."""
        span = f"{after}..{self.tip}" if after else self.tip
        text = self.repository.git.log(
            "--first-parent",
            "--reverse",
            "--diff-merges=first-parent",
            "--raw",
            "--no-renames",
            "--no-abbrev",
            "-z",
            "--format=%x01%H %ct",
            span,
        )
        for block in text.split("\x01")[1:]:
            head, _, raw = block.partition("\0")
            commit, seconds = head.strip().split()
            yield Landing(commit, datetime.fromtimestamp(int(seconds), UTC), tuple(self._changes(raw)))

    def _changes(self, raw: str) -> Iterator[Change]:
        parts = [part for part in raw.strip("\0\n").split("\0") if part]
        for meta, name in zip(parts[::2], parts[1::2], strict=True):
            path = self._record_path(name)
            if path is None:
                continue
            _, _, _, new_blob, status = meta.split()
            yield Change(path, None if status.startswith("D") else new_blob)

    def _record_path(self, name: str) -> str | None:
        """A record file's path relative to the ledger, None for any other file."""
        path = PurePosixPath(name)
        if not path.is_relative_to(self._prefix):
            return None
        inner = path.relative_to(self._prefix)
        paths = self.settings.paths
        hidden = any(part.startswith(".") for part in inner.parts)
        belongs = inner.is_relative_to(paths.records) and not inner.is_relative_to(paths.evidence)
        return inner.as_posix() if belongs and not hidden and inner.suffix in SUFFIXES else None

    @cached_property
    def _prefix(self) -> PurePosixPath:
        """The ledger's folder inside the repository."""
        top = Path(str(self.repository.working_tree_dir)).resolve()
        return PurePosixPath(self.root.resolve().relative_to(top).as_posix())

    def content(self, blob: str) -> bytes:
        """Return the bytes of a blob."""
        data: bytes = self.repository.odb.stream(bytes.fromhex(blob)).read()
        return data

    def resolve_commit(self, name: str) -> str:
        """Return the full hash of a commit of this repository.

        Raises:
            UsageError: it holds none of that name.
        """
        commit = self._resolve(f"{name}^{{commit}}")
        if not commit:
            raise UsageError(f"{name}: no such commit in this repository. Give a day or a commit of {self.settings.main_branch}.")
        return commit

    def has_commit(self, name: str) -> bool:
        """Whether the repository still holds a commit; a rebase or squash may have dropped it."""
        return bool(self._resolve(f"{name}^{{commit}}"))

    def _resolve(self, revision: str) -> str:
        """The full hash that a revision names; empty where it names none."""
        commit: str = self.repository.git.rev_parse("--verify", "--quiet", revision, with_exceptions=False)
        return commit
