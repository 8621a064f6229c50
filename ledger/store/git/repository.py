"""The git repository around a ledger. The only importer of GitPython, and only when a command needs git."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ledger.errors import EnvironmentFaultError

if TYPE_CHECKING:
    from git import Repo


@dataclass(frozen=True, slots=True)
class Head:
    """Where the work tree stands."""

    commit: str
    branch: str | None
    """None when detached."""
    shallow: bool

    def __str__(self) -> str:
        return f"commit {self.commit[:12]}, {self.branch or 'detached'}" + (", shallow history" if self.shallow else "")


def open_repository(root: Path) -> "Repo | None":
    """Return the repository that holds `root`; None outside one.

    Raises:
        EnvironmentFaultError: git is not installed.
    """
    try:
        import git  # GitPython looks for the git program when imported
    except ImportError as error:
        raise EnvironmentFaultError("git is not installed. Install it (Debian: apt-get install git).") from error
    try:
        return git.Repo(root, search_parent_directories=True)
    except (git.InvalidGitRepositoryError, git.NoSuchPathError):
        return None


def head_of(root: Path) -> Head | None:
    """Return the commit checked out around `root`; None outside a repository or before its first commit."""
    repository = open_repository(root)
    if repository is None or not repository.head.is_valid():
        return None
    branch = None if repository.head.is_detached else repository.active_branch.name
    shallow = (Path(repository.common_dir) / "shallow").exists()
    return Head(repository.head.commit.hexsha, branch, shallow)


def is_unborn(root: Path) -> bool:
    """Whether `root` lies in a repository that has no commit yet, so that nothing can have landed."""
    repository = open_repository(root)
    return repository is not None and not repository.head.is_valid() and not repository.references
