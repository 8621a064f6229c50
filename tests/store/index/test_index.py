"""The index is disposable: whatever happens to it, the answers are those of the files."""

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, cast

import pytest

from ledger.api import Ledger
from ledger.store.index import index
from ledger.store.index.answers import Answer

if TYPE_CHECKING:
    from tests.conftest import LedgerFolder

PLAIN = {"PATH": os.defpath, "PYTHONPATH": str(Path(__file__).resolve().parents[3])}
QUERIES: list[tuple[str, dict[str, str], date | None]] = [
    ("claim", {}, None),
    ("claim", {"label": "vendor-claimed"}, None),
    ("claim", {"label": "proposed", "side": "technical"}, date(2025, 6, 1)),
    ("claim", {"subject": "demo"}, date(2025, 6, 1)),
    ("claim", {"subject": "demo/ngram", "source": "page"}, None),
    ("claim", {}, date(2025, 1, 9)),
    ("claim", {}, date(2025, 3, 1)),
    ("source", {"publisher": "example"}, None),
    ("source", {"relation": "supplier"}, None),
    ("cost", {}, None),
    ("cost", {}, date(2025, 1, 1)),
    ("cost", {"item": "demo"}, date(2025, 6, 1)),
    ("cost", {"provider": "DEMO", "region": "eu-west", "gpu": "h100", "price_kind": "spot"}, date(2025, 6, 1)),
    ("run", {}, None),
]


READ_ONLY = """
import os, ledger.store.index.index
from ledger.api import Ledger
from sqlmodel import create_engine
create_engine("sqlite://").connect().close()  # loads the driver while this interpreter's own files can be read
os.getuid() or os.setuid(65534)
print(len(Ledger.open({!r}).claims()))
"""
CROWD = """
import os, sys, ledger.store.index.index
from ledger.api import Ledger
children = []
for number in range(10):
    if not (child := os.fork()):
        ids = " ".join(claim.id for claim in Ledger.open(sys.argv[1]).claims())
        os._exit(0 if ids == "c0 c1 c2 c9" else 1)
    children.append(child)
print([os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children])
"""


@pytest.fixture(autouse=True)
def trusting(monkeypatch: pytest.MonkeyPatch) -> None:
    """The guard against changes within a clock tick would rebuild every fresh index of these tests."""
    monkeypatch.setattr(index, "_RACY_NS", 0)


@pytest.fixture
def filled(ledger_folder: "LedgerFolder") -> "LedgerFolder":
    """A ledger with a few records of each listed kind."""
    ledger_folder.add_page()
    for number, label in enumerate(["vendor-claimed", "proposed", "vendor-claimed"]):
        ledger_folder.add("claim", f"c{number}", label=label, subject=f"demo/{['ngram', 'eagle', 'ngram'][number]}")
    change = {"id": "c0", "because": "change", "reason": "Moved."}
    ledger_folder.add("claim", "c9", asserted_on="2025-02-01", supersedes=change)
    ledger_folder.add("cost", "p1")
    ledger_folder.add("cost", "p2", effective_from="2025-05-01", price_kind="spot")
    ledger_folder.add("cost", "p3", item="demo/other", effective_to="2025-03-01")
    return ledger_folder


def answers(ledger: Ledger) -> list[list[Answer]]:
    """Return what every query of the table answers."""
    return [ledger.queries.answers(kind, as_of=as_of, **cast("dict[str, Any]", filters)) for kind, filters, as_of in QUERIES]


def remade(folder: "LedgerFolder") -> bool:
    """Whether asking once more writes the index anew."""
    path = folder.root / ".ledger" / index.FILE_NAME
    before = path.stat().st_ino
    folder.open().queries.answers("claim")
    return path.stat().st_ino != before


def test_queries_answer_by_filter_and_day(filled: "LedgerFolder") -> None:
    found = [[answer.record.id for answer in each] for each in answers(filled.open())]
    assert found[:7] == [
        ["c0", "c1", "c2", "c9"],
        ["c0", "c2", "c9"],
        ["c1"],
        ["c1", "c2", "c9"],
        ["c0", "c2", "c9"],
        [],
        ["c1", "c2", "c9"],
    ]
    assert found[7:] == [["page"], ["page"], ["p1", "p2", "p3"], ["p1", "p3"], ["p1", "p2"], ["p2"], []]


def test_deleting_the_cache_changes_no_answer(filled: "LedgerFolder") -> None:
    first = answers(filled.open())
    assert not remade(filled)
    kept = answers(filled.open())
    for path in (filled.root / ".ledger").iterdir():
        path.unlink()
    (filled.root / ".ledger").rmdir()
    assert first == kept == answers(filled.open())


def test_what_is_answered_is_what_the_files_say(filled: "LedgerFolder") -> None:
    ledger = filled.open()
    for answer in [answer for each in answers(ledger) for answer in each]:
        assert answer.record == ledger.entry(answer.record.id).record


def test_a_changed_added_or_deleted_file_refreshes(filled: "LedgerFolder") -> None:
    def ids() -> list[str]:
        return [claim.id for claim in filled.open().claims(label="proposed")]

    assert ids() == ["c1"]
    path = filled.add("claim", "c5", label="proposed")
    assert ids() == ["c1", "c5"]
    path.write_text(path.read_text().replace('"c5"', '"c6"'))
    assert ids() == ["c1", "c6"]
    path.rename(path.with_name("moved.toml"))
    assert ids() == ["c1", "c6"]
    path.with_name("moved.toml").unlink()
    assert ids() == ["c1"]


def test_an_edit_of_equal_size_and_time_is_seen(filled: "LedgerFolder") -> None:
    path = filled.root / "records/claims/c1.toml"
    times = path.stat()
    filled.open().claims()
    path.write_text(path.read_text().replace("prompt.", "cache!."[:7]))
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert path.stat().st_size == times.st_size
    [claim] = filled.open().claims(label="proposed")
    assert claim.statement.endswith("cache!.")


def damages() -> Iterator[tuple[str, bytes, int]]:
    """Yield a name, bytes and the offset from which they overwrite the index; -1 cuts it there."""
    yield "empty", b"", 0
    yield "foreign", b"not a database at all, but long enough to be looked at", 0
    yield "head", b"\xff" * 200, 0
    yield "tail", b"\xff" * 20_000, 8192
    yield "middle", b"\x00" * 4096, 4096


@pytest.mark.parametrize(("content", "offset"), [pytest.param(*rest, id=name) for name, *rest in damages()])
def test_a_damaged_index_is_made_again(content: bytes, offset: int, filled: "LedgerFolder") -> None:
    expected = answers(filled.open())
    path = filled.root / ".ledger" / index.FILE_NAME
    whole = path.read_bytes()
    path.write_bytes(whole[:offset] + content if len(content) < 4096 else whole[:offset] + content + whole[offset + len(content) :])
    assert answers(filled.open()) == expected


def test_an_index_damaged_only_where_the_records_lie_is_made_again(filled: "LedgerFolder") -> None:
    expected = answers(filled.open())
    path = filled.root / ".ledger" / index.FILE_NAME
    with closing(sqlite3.connect(path)) as connection:
        [(page,)] = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'recordrow'")
        [(size,)] = connection.execute("PRAGMA page_size")
    with path.open("r+b") as stream:
        stream.seek((page - 1) * size)
        stream.write(b"\xff" * size)
    assert answers(filled.open()) == expected


def test_an_index_of_another_version_is_made_again(filled: "LedgerFolder", monkeypatch: pytest.MonkeyPatch) -> None:
    filled.open().claims()
    assert not remade(filled)
    monkeypatch.setattr(index, "_VERSION", "999")
    assert remade(filled)


@pytest.mark.parametrize("hindrance", ["file", "folder"])
def test_without_a_place_to_write_it_answers_from_memory(hindrance: str, filled: "LedgerFolder") -> None:
    if hindrance == "file":
        filled.write(".ledger", b"a file where the folder should be")
    else:
        (filled.root / ".ledger" / index.FILE_NAME).mkdir(parents=True)
        filled.write(f".ledger/{index.FILE_NAME}/in-the-way", b"")
    assert [claim.id for claim in filled.open().claims(label="proposed")] == ["c1"]


def test_a_reader_without_the_right_to_write_gets_every_answer(filled: "LedgerFolder") -> None:
    with TemporaryDirectory() as scratch:
        Path(scratch).chmod(0o755)
        folder = shutil.copytree(filled.root, Path(scratch, "works"))
        folder.chmod(0o555)
        program = READ_ONLY.format(str(folder))
        done = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=False, env=PLAIN)
        assert (done.stdout, done.stderr) == ("4\n", "")
        assert not (folder / ".ledger").exists()


@pytest.mark.parametrize("wild", ["%", "_", "c_", "demo/%", "pag_", "\\", "'", '"', "demo\\"])
def test_wildcards_and_quotes_in_a_filter_are_literal(wild: str, filled: "LedgerFolder") -> None:
    ledger = filled.open()
    for column in ("subject", "label", "source"):
        assert ledger.queries.answers("claim", **cast("dict[str, Any]", {column: wild})) == []
    assert ledger.costs(item=wild) == []


def test_a_wildcard_that_is_there_is_found(filled: "LedgerFolder") -> None:
    filled.add("cost", "odd", item="demo/100%_box")
    assert [cost.id for cost in filled.open().costs(item="demo/100%_box")] == ["odd"]
    assert [cost.id for cost in filled.open().costs(item="demo/100%")] == []


def test_a_prefix_ends_at_a_slash(filled: "LedgerFolder") -> None:
    filled.add("claim", "near", subject="demolition/ngram")
    assert "near" not in [claim.id for claim in filled.open().claims(subject="demo")]


def test_a_path_with_odd_signs_holds_its_own_index(tmp_path: Path, filled: "LedgerFolder") -> None:
    odd = tmp_path / "50% off? a#b & c;d"
    filled.root.rename(odd)
    assert len(Ledger.open(odd).claims()) == 4
    assert {path.name for path in odd.iterdir()} == {"ledger.toml", "records", ".ledger"}
    assert {path.name for path in (odd / ".ledger").iterdir()} == {".gitignore", index.FILE_NAME}


def test_ten_readers_at_once_all_answer_right(filled: "LedgerFolder") -> None:
    done = subprocess.run([sys.executable, "-c", CROWD, filled.root], capture_output=True, text=True, check=False, env=PLAIN)
    assert (done.stdout, done.stderr) == (f"{[0] * 10}\n", "")
    assert {path.name for path in (filled.root / ".ledger").iterdir()} == {".gitignore", index.FILE_NAME}
