"""Files that records name beside themselves: prompts, suite items, evidence. Checked by hash and count."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path, PurePosixPath

from ledger.errors import Problem
from ledger.model.catalogue import Catalogue, Entry
from ledger.model.records.run import Run
from ledger.model.records.suite import Suite
from ledger.model.records.workload import Workload
from ledger.store.files.settings import Settings


def check_attached(root: Path, settings: Settings, catalogue: Catalogue) -> Iterator[Problem]:
    """Yield a finding for every named file that is missing, differs from its hash, or holds another count."""
    for entry in catalogue:
        match entry.record:
            case Workload(prompts=name, sha256=digest, count=count) | Suite(items=name, sha256=digest, count=count):
                yield from _check_lines(root, entry, name, digest=digest, count=count)
            case Run(evidence=evidence):
                for index, item in enumerate(evidence):
                    path = PurePosixPath(settings.paths.evidence) / item.path
                    yield from _check_hash(root, entry, ("evidence", index, "sha256"), path=path, digest=item.sha256)


def attached_path(entry: Entry, name: str) -> PurePosixPath:
    """Return the path, relative to the root, of a file beside a record; it never leaves that folder."""
    return PurePosixPath(entry.path).parent / PurePosixPath(name).name


def _check_lines(root: Path, entry: Entry, name: str, *, digest: str, count: int) -> Iterator[Problem]:
    path = attached_path(entry, name)
    yield from _check_hash(root, entry, ("sha256",), path=path, digest=digest)
    if (root / path).is_file():
        lines = sum(1 for line in (root / path).read_bytes().split(b"\n") if line.strip())
        if lines != count:
            yield entry.problem("LEDG009", ("count",), f"{path} holds {lines} lines, the record says {count}.", remedy=f"Write {lines}.")


def _check_hash(root: Path, entry: Entry, field: tuple[str | int, ...], *, path: PurePosixPath, digest: str) -> Iterator[Problem]:
    if not (root / path).is_file():
        yield entry.problem("LEDG009", field, f"{path} is not there.", remedy="Add the file, or fetch it from the evidence store.")
    elif (actual := file_sha256(root / path)) != digest:
        yield entry.problem("LEDG009", field, f"{path} has the hash {actual}.", remedy="Restore the file; a changed one is a new record.")


def file_sha256(path: Path) -> str:
    """Return the sha256 of a file's bytes, in hex."""
    digest = sha256()
    with path.open("rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
