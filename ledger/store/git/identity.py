"""Who writes: the name that git knows, never one made up from the machine.

`GIT_AUTHOR_NAME` is read from the environment here: it is git's own setting, which goes before its configuration.
"""

import os
from pathlib import Path

from ledger.errors import EnvironmentFaultError
from ledger.store.git.repository import open_repository

NO_IDENTITY = "git knows no name here: set user.name and user.email with git config, or give --reviewer NAME."


def git_user(root: Path) -> str | None:
    """Return git's user.name as it holds around `root`; None where git has none, or is not installed."""
    if name := os.environ.get("GIT_AUTHOR_NAME", "").strip():
        return name
    try:
        repository = open_repository(root)
        from git import Git  # GitPython looks for the git program when imported
    except (EnvironmentFaultError, ImportError):
        return None
    git = repository.git if repository else Git(root)
    return str(git.config("--get", "user.name", with_exceptions=False)).strip() or None


def author_of_file(root: Path, path: str) -> str | None:
    """Return the author of the commit that added a file; None where no commit here did."""
    repository = open_repository(root)
    if repository is None or not repository.head.is_valid():
        return None
    author = repository.git.log("--diff-filter=A", "--format=%an", "-1", "--", str(root / path), with_exceptions=False)
    return str(author).strip() or None
